/** The pull protocol beside `--data`: what workers from outside find when the server was started anew. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createStage, type Stage } from './stage.js';

let data: string;
let stage: Stage;
const start = async (): Promise<void> => void (stage = await createStage({ workers: 0, data }));

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'runproof-pull-'));
  return start();
});
afterEach(async () => {
  await stage.server.close();
  rmSync(data, { recursive: true });
});

async function restart(): Promise<void> {
  await stage.server.close();
  await start();
}

it('a job that waited is there to be taken', async () => {
  const id = await stage.run({ n: 1 });
  await restart();
  expect((await stage.pod.take()).json).toEqual({ id, input: { n: 1 } });
});

it('a job that ran is given out again, and the worker of before has nothing to say of it', async () => {
  const id = await stage.run({ n: 1 });
  await stage.pod.take();
  await stage.pod.stream(id, { output: 'half' });
  await restart();
  expect(await stage.stateOf(id)).toBe('IN_QUEUE');
  expect((await stage.pod.stream(id, { output: 'late' })).status).toBe(404);
  expect((await stage.pod.done(id, { output: 'late' })).status).toBe(404);
  expect(await stage.stateOf(id)).toBe('IN_QUEUE');
  expect((await stage.other.take()).json).toEqual({ id, input: { n: 1 } });
  expect((await stage.pod.done(id, { output: 'late' })).status).toBe(404);
  expect((await stage.other.done(id, { output: 'whole' })).status).toBe(200);
  expect(await stage.status(id)).toMatchObject({ status: 'COMPLETED', output: 'whole' });
});

it('a result that was taken is kept, and a result that comes twice changes nothing', async () => {
  const id = await stage.run({ n: 1 });
  await stage.pod.take();
  expect((await stage.pod.done(id, { output: 'first' })).status).toBe(200);
  await restart();
  expect((await stage.pod.done(id, { output: 'second' })).status).toBe(404);
  expect(await stage.status(id)).toMatchObject({ status: 'COMPLETED', output: 'first' });
});
