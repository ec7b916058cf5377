/** The pull protocol, driven as a deployed worker drives it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerOptions } from '../../../src/server/index.js';
import { createCaller } from '../caller.js';
import { createPod } from './pod.js';
import { createStage, until, type Stage } from './stage.js';

let stage: Stage;
async function serve(options: ServerOptions = {}): Promise<void> {
  await stage?.server.close();
  stage = await createStage({ workers: 0, ...options });
}
beforeEach(() => serve());
afterEach(() => stage.server.close());

describe('job-take', () => {
  it('gives a job that waits: id and input, as JSON and nothing else', async () => {
    const id = await stage.run({ prompt: 'é "x"', n: [1, null] });
    const answer = await stage.pod.take();
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.json).toEqual({ id, input: { prompt: 'é "x"', n: [1, null] } });
    expect(await stage.stateOf(id)).toBe('IN_PROGRESS');
    expect(await stage.workers()).toEqual({ idle: 0, running: 1 });
  });

  it('passes s3Config along', async () => {
    const s3Config = { accessId: 'a', accessSecret: 'b', bucketName: 'c', endpointUrl: 'https://s3.test' };
    const id = await stage.run({}, { s3Config });
    expect((await stage.pod.take()).json).toEqual({ id, input: {}, s3Config });
  });

  it('holds the call until a job comes', async () => {
    const taken = stage.pod.take();
    await until(async () => ((await stage.workers()) as { idle: number }).idle === 1);
    const id = await stage.run();
    expect((await taken).json).toEqual({ id, input: {} });
  });

  it('answers 204 when none comes in time', async () => {
    await serve({ pollMs: 50 });
    const answer = await stage.pod.take();
    expect([answer.status, answer.text, answer.headers['content-length']]).toEqual([204, '', undefined]);
    expect((await stage.pod.takeBatch(3)).status).toBe(204);
    expect((await stage.pod.stops()).status).toBe(204);
    expect(await stage.stateOf(await stage.run())).toBe('IN_QUEUE');
  });

  it('gives a batch as a list, no longer than asked for', async () => {
    const ids = [await stage.run(), await stage.run(), await stage.run()];
    expect((await stage.pod.takeBatch(2)).json).toEqual(ids.slice(0, 2).map((id) => ({ id, input: {} })));
    expect((await stage.pod.takeBatch(5)).json).toEqual([{ id: ids[2], input: {} }]);
    await stage.run();
    expect((await stage.pod.takeBatch('nonsense')).json).toHaveLength(1);
  });

  it('serves every open call of a worker, one job each', async () => {
    const taken = [stage.pod.take(), stage.pod.take(), stage.pod.take()];
    await sleep(50);
    const ids = [await stage.run(), await stage.run(), await stage.run()];
    const given = (await Promise.all(taken)).map(({ json }) => json.id as string);
    expect(given.toSorted()).toEqual(ids.toSorted());
  });

  it('is withdrawn by a worker that hangs up', async () => {
    const controller = new AbortController();
    const taken = stage.pod.take({ signal: controller.signal }).catch(() => null);
    await until(async () => ((await stage.workers()) as { idle: number }).idle === 1);
    controller.abort();
    await taken;
    await sleep(50);
    const id = await stage.run();
    expect(await stage.stateOf(id)).toBe('IN_QUEUE');
    expect((await stage.other.take()).json.id).toBe(id);
  });
});

describe('job-done', () => {
  it.each<[unknown, object]>([
    [{ output: { a: 1 } }, { status: 'COMPLETED', output: { a: 1 } }],
    [{ output: null }, { status: 'COMPLETED', output: null }],
    [{ output: false }, { status: 'COMPLETED', output: false }],
    [{}, { status: 'COMPLETED', output: {} }],
    [{ stopPod: true }, { status: 'COMPLETED', output: {} }],
    ['{"output": [NaN, -Infinity, "NaN"]}', { status: 'COMPLETED', output: [null, null, 'NaN'] }],
    [{ error: 'no luck' }, { status: 'FAILED' }],
    [{ error: 'no luck', output: { half: 1 } }, { status: 'FAILED' }],
    [
      { output: 1, id: 'another', status: 'COMPLETED' },
      { status: 'COMPLETED', output: 1 },
    ],
  ])('%j', async (body, expected) => {
    const id = await stage.run();
    await stage.pod.take();
    expect((await stage.pod.done(id, body)).status).toBe(200);
    expect(await stage.status(id)).toMatchObject(expected);
    expect((await stage.status(id)).status).toBe((expected as { status: string }).status);
  });

  it('an error and what there is of the output are both told, where the edition tells them', async () => {
    await serve({ edition: 'runpod' });
    const id = await stage.run();
    await stage.pod.take();
    await stage.pod.done(id, { error: 'no luck', output: { half: 1 } });
    expect(await stage.status(id)).toMatchObject({ status: 'FAILED', error: 'no luck', output: { half: 1 } });
  });

  it.each(['', 'x', '[]', '"x"', '{"output":', 'null'])(
    '%j is malformed and changes nothing',
    async (body) => {
      const id = await stage.run();
      await stage.pod.take();
      expect((await stage.pod.done(id, body)).status).toBe(400);
      expect((await stage.pod.stream(id, body)).status).toBe(400);
      expect(await stage.stateOf(id)).toBe('IN_PROGRESS');
    },
  );

  it('takes no second result, and no progress after it', async () => {
    const id = await stage.run();
    await stage.pod.take();
    await stage.pod.done(id, { output: 'first' });
    expect((await stage.pod.done(id, { status: 'IN_PROGRESS', output: 'late' })).status).toBe(404);
    expect((await stage.pod.done(id, { output: 'second' })).status).toBe(404);
    expect(await stage.status(id)).toMatchObject({ status: 'COMPLETED', output: 'first' });
  });

  it('shows progress where the edition shows it, and is no end', async () => {
    await serve({ edition: 'runpod' });
    const id = await stage.run();
    await stage.pod.take();
    expect((await stage.pod.done(id, { status: 'IN_PROGRESS', output: { done: 5 } })).status).toBe(200);
    expect(await stage.status(id)).toMatchObject({
      status: 'IN_PROGRESS',
      output: { done: 5 },
      workerId: 'pod',
    });
    await stage.pod.done(id, { output: 1 });
    expect(await stage.stateOf(id)).toBe('COMPLETED');
  });

  it('answers the call that waits for the job', async () => {
    const waiting = stage.api.post('/runsync', { input: { n: 1 } });
    const { id } = (await stage.pod.take()).json;
    await stage.pod.done(id, { output: 2 });
    expect((await waiting).json).toMatchObject({ id, status: 'COMPLETED', output: 2 });
  });

  it('larger than anything can be ends the job too: the worker would not try again', async () => {
    const id = await stage.run();
    await stage.pod.take();
    expect((await stage.pod.done(id, { output: 'x'.repeat(23_000_000) })).status).toBeOneOf([400, 413]);
    expect(await stage.stateOf(id)).toBe('FAILED');
  });
});

describe('job-stream', () => {
  it('chunks are read by /stream while the job runs, and the result ends it', async () => {
    const id = await stage.run();
    await stage.pod.take();
    for (const output of ['a', { b: 2 }, null]) {
      expect((await stage.pod.stream(id, { output })).status).toBe(200);
    }
    expect((await stage.api.get(`/stream/${id}`)).json).toEqual([
      { output: 'a' },
      { output: { b: 2 } },
      { output: null },
    ]);
    expect(await stage.stateOf(id)).toBe('IN_PROGRESS');
    await stage.pod.done(id, { output: ['a', { b: 2 }, null] }, true);
    expect(await stage.status(id)).toMatchObject({ status: 'COMPLETED', output: ['a', { b: 2 }, null] });
    expect((await stage.pod.stream(id, { output: 'late' })).status).toBe(404);
  });
});

describe('refusals', () => {
  it('a wrong key, and an endpoint that is not there', async () => {
    const id = await stage.run();
    const stranger = createPod(`${stage.server.url}/v2/nowhere`, 'pod', 'k');
    for (const [of, options, code] of [
      [stage.pod, { apiKey: 'wrong' }, 401],
      [stage.pod, { apiKey: '' }, 401],
      [stranger, {}, 404],
    ] as const) {
      expect((await of.take(options)).status).toBe(code);
      expect((await of.takeBatch(2, options)).status).toBe(code);
      expect((await of.stops(options)).status).toBe(code);
      expect((await of.ping(id, options)).status).toBe(code);
      expect((await of.stream(id, { output: 1 }, options)).status).toBe(code);
      expect((await of.done(id, { output: 1 }, false, options)).status).toBe(code);
    }
    expect(await stage.stateOf(id)).toBe('IN_QUEUE');
  });
});

describe('beside the rest of the server', () => {
  it('a worker that asks takes the place of the built-in one, not of those that were asked for', async () => {
    await stage.server.close();
    stage = await createStage();
    const taken = stage.pod.take();
    await sleep(50);
    const [mine, waiting] = [await stage.run(), await stage.run()];
    expect((await taken).json.id).toBe(mine);
    expect(await stage.stateOf(waiting)).toBe('IN_QUEUE');
    await serve({ workers: 1 });
    const also = stage.pod.take();
    await sleep(50);
    await stage.run({ plan: [{ hang: true }] });
    await stage.run({ plan: [{ hang: true }] });
    expect((await also).status).toBe(200);
    expect(await stage.workers()).toEqual({ idle: 0, running: 2 });
  });

  it('a held call keeps no advance of a controlled clock waiting, and is answered within it', async () => {
    await serve({ clock: 'controlled' });
    const taken = stage.pod.take();
    const stops = stage.pod.stops();
    await sleep(50);
    await stage.advance(3_600_000);
    expect(await stage.workers()).toEqual({ idle: 1, running: 0 });
    const id = await stage.run();
    await stage.advance(0);
    expect((await taken).json.id).toBe(id);
    await stage.server.close();
    expect((await stops).status).toBe(204);
  });

  it('an endpoint that is emptied leaves nobody waiting', async () => {
    await serve({ clock: 'controlled' });
    const taken = stage.pod.take();
    await sleep(50);
    await createCaller(stage.server.controlUrl!, 'k').send('PUT', '/endpoints/test', {
      body: { workers: 0 },
    });
    expect((await taken).status).toBe(204);
  });
});
