/** The pull protocol with `--data`: what remote workers find after a restart of the server. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { startPullServer, type PullServer } from './pull-server.js';

let data: string;
let pullServer: PullServer;
const start = async (): Promise<void> => void (pullServer = await startPullServer({ workers: 0, data }));

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'runproof-pull-'));
  return start();
});
afterEach(async () => {
  await pullServer.server.close();
  rmSync(data, { recursive: true });
});

async function restart(): Promise<void> {
  await pullServer.server.close();
  await start();
}

it('a job that waited can be taken', async () => {
  const id = await pullServer.run({ n: 1 });
  await restart();
  expect((await pullServer.worker.take()).json).toEqual({ id, input: { n: 1 } });
});

it('a job that ran is assigned again, and reports of its previous worker are ignored', async () => {
  const id = await pullServer.run({ n: 1 });
  await pullServer.worker.take();
  await pullServer.worker.stream(id, { output: 'half' });
  await restart();
  expect(await pullServer.stateOf(id)).toBe('IN_QUEUE');
  expect((await pullServer.worker.stream(id, { output: 'late' })).status).toBe(404);
  expect((await pullServer.worker.done(id, { output: 'late' })).status).toBe(404);
  expect(await pullServer.stateOf(id)).toBe('IN_QUEUE');
  expect((await pullServer.other.take()).json).toEqual({ id, input: { n: 1 } });
  expect((await pullServer.worker.done(id, { output: 'late' })).status).toBe(404);
  expect((await pullServer.other.done(id, { output: 'whole' })).status).toBe(200);
  expect(await pullServer.status(id)).toMatchObject({ status: 'COMPLETED', output: 'whole' });
});

it('an accepted result is kept, and a repeated one changes nothing', async () => {
  const id = await pullServer.run({ n: 1 });
  await pullServer.worker.take();
  expect((await pullServer.worker.done(id, { output: 'first' })).status).toBe(200);
  await restart();
  expect((await pullServer.worker.done(id, { output: 'second' })).status).toBe(404);
  expect(await pullServer.status(id)).toMatchObject({ status: 'COMPLETED', output: 'first' });
});
