/** The pull protocol, driven as a deployed worker drives it. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerOptions } from '../../../src/server/index.js';
import { createCaller } from '../caller.js';
import { createSdkWorker } from './sdk-worker.js';
import { until } from '../../support/until.js';
import { startPullServer, type PullServer } from './pull-server.js';

let pullServer: PullServer;
async function serve(options: ServerOptions = {}): Promise<void> {
  await pullServer?.server.close();
  pullServer = await startPullServer({ workers: 0, ...options });
}
beforeEach(() => serve());
afterEach(() => pullServer.server.close());

describe('job-take', () => {
  it('gives a job that waits: id and input, as JSON and nothing else', async () => {
    const id = await pullServer.run({ prompt: 'é "x"', n: [1, null] });
    const answer = await pullServer.worker.take();
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(answer.json).toEqual({ id, input: { prompt: 'é "x"', n: [1, null] } });
    expect(await pullServer.stateOf(id)).toBe('IN_PROGRESS');
    expect(await pullServer.workers()).toEqual({ idle: 0, running: 1 });
  });

  it('passes s3Config along', async () => {
    const s3Config = { accessId: 'a', accessSecret: 'b', bucketName: 'c', endpointUrl: 'https://s3.test' };
    const id = await pullServer.run({}, { s3Config });
    expect((await pullServer.worker.take()).json).toEqual({ id, input: {}, s3Config });
  });

  it('holds the call until a job comes', async () => {
    const taken = pullServer.worker.take();
    await until(async () => ((await pullServer.workers()) as { idle: number }).idle === 1);
    const id = await pullServer.run();
    expect((await taken).json).toEqual({ id, input: {} });
  });

  it('answers 204 when none comes in time', async () => {
    await serve({ pollMs: 50 });
    const answer = await pullServer.worker.take();
    expect([answer.status, answer.text, answer.headers['content-length']]).toEqual([204, '', undefined]);
    expect((await pullServer.worker.takeBatch(3)).status).toBe(204);
    expect((await pullServer.worker.stops()).status).toBe(204);
    expect(await pullServer.stateOf(await pullServer.run())).toBe('IN_QUEUE');
  });

  it('gives a batch as a list, no longer than asked for', async () => {
    const ids = [await pullServer.run(), await pullServer.run(), await pullServer.run()];
    expect((await pullServer.worker.takeBatch(2)).json).toEqual(
      ids.slice(0, 2).map((id) => ({ id, input: {} })),
    );
    expect((await pullServer.worker.takeBatch(5)).json).toEqual([{ id: ids[2], input: {} }]);
    await pullServer.run();
    expect((await pullServer.worker.takeBatch('nonsense')).json).toHaveLength(1);
  });

  it('serves every open call of a worker, one job each', async () => {
    const taken = [pullServer.worker.take(), pullServer.worker.take(), pullServer.worker.take()];
    await pullServer.pollsArrived(3);
    const ids = [await pullServer.run(), await pullServer.run(), await pullServer.run()];
    const given = (await Promise.all(taken)).map(({ json }) => json.id as string);
    expect(given.toSorted()).toEqual(ids.toSorted());
  });

  it('is withdrawn by a worker that disconnects', async () => {
    const controller = new AbortController();
    const taken = pullServer.worker.take({ signal: controller.signal }).catch(() => null);
    await until(async () => ((await pullServer.workers()) as { idle: number }).idle === 1);
    controller.abort();
    await taken;
    await pullServer.noPollsOpen();
    const id = await pullServer.run();
    expect(await pullServer.stateOf(id)).toBe('IN_QUEUE');
    expect((await pullServer.other.take()).json.id).toBe(id);
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
    const id = await pullServer.run();
    await pullServer.worker.take();
    expect((await pullServer.worker.done(id, body)).status).toBe(200);
    expect(await pullServer.status(id)).toMatchObject(expected);
    expect((await pullServer.status(id)).status).toBe((expected as { status: string }).status);
  });

  it('an error and a partial output are both shown, where the edition shows them', async () => {
    await serve({ edition: 'runpod' });
    const id = await pullServer.run();
    await pullServer.worker.take();
    await pullServer.worker.done(id, { error: 'no luck', output: { half: 1 } });
    expect(await pullServer.status(id)).toMatchObject({
      status: 'FAILED',
      error: 'no luck',
      output: { half: 1 },
    });
  });

  it.each(['', 'x', '[]', '"x"', '{"output":', 'null'])(
    '%j is malformed and changes nothing',
    async (body) => {
      const id = await pullServer.run();
      await pullServer.worker.take();
      expect((await pullServer.worker.done(id, body)).status).toBe(400);
      expect((await pullServer.worker.stream(id, body)).status).toBe(400);
      expect(await pullServer.stateOf(id)).toBe('IN_PROGRESS');
    },
  );

  it('accepts no second result, and no progress after the result', async () => {
    const id = await pullServer.run();
    await pullServer.worker.take();
    await pullServer.worker.done(id, { output: 'first' });
    expect((await pullServer.worker.done(id, { status: 'IN_PROGRESS', output: 'late' })).status).toBe(404);
    expect((await pullServer.worker.done(id, { output: 'second' })).status).toBe(404);
    expect(await pullServer.status(id)).toMatchObject({ status: 'COMPLETED', output: 'first' });
  });

  it('shows progress where the edition shows it, and is no end', async () => {
    await serve({ edition: 'runpod' });
    const id = await pullServer.run();
    await pullServer.worker.take();
    expect((await pullServer.worker.done(id, { status: 'IN_PROGRESS', output: { done: 5 } })).status).toBe(
      200,
    );
    expect(await pullServer.status(id)).toMatchObject({
      status: 'IN_PROGRESS',
      output: { done: 5 },
      workerId: 'pod',
    });
    await pullServer.worker.done(id, { output: 1 });
    expect(await pullServer.stateOf(id)).toBe('COMPLETED');
  });

  it('answers the call that waits for the job', async () => {
    const waiting = pullServer.api.post('/runsync', { input: { n: 1 } });
    const { id } = (await pullServer.worker.take()).json;
    await pullServer.worker.done(id, { output: 2 });
    expect((await waiting).json).toMatchObject({ id, status: 'COMPLETED', output: 2 });
  });

  it('above the largest size fails the job: the worker would not send it again', async () => {
    const id = await pullServer.run();
    await pullServer.worker.take();
    expect((await pullServer.worker.done(id, { output: 'x'.repeat(23_000_000) })).status).toBeOneOf([
      400, 413,
    ]);
    expect(await pullServer.stateOf(id)).toBe('FAILED');
  });
});

describe('job-stream', () => {
  it('chunks are read by /stream while the job runs, and the result ends it', async () => {
    const id = await pullServer.run();
    await pullServer.worker.take();
    for (const output of ['a', { b: 2 }, null]) {
      expect((await pullServer.worker.stream(id, { output })).status).toBe(200);
    }
    expect((await pullServer.api.get(`/stream/${id}`)).json).toEqual([
      { output: 'a' },
      { output: { b: 2 } },
      { output: null },
    ]);
    expect(await pullServer.stateOf(id)).toBe('IN_PROGRESS');
    await pullServer.worker.done(id, { output: ['a', { b: 2 }, null] }, true);
    expect(await pullServer.status(id)).toMatchObject({ status: 'COMPLETED', output: ['a', { b: 2 }, null] });
    expect((await pullServer.worker.stream(id, { output: 'late' })).status).toBe(404);
  });
});

describe('refusals', () => {
  it('a wrong key, and an endpoint that is not there', async () => {
    const id = await pullServer.run();
    const stranger = createSdkWorker(`${pullServer.server.url}/v2/nowhere`, 'pod', 'k');
    for (const [of, options, code] of [
      [pullServer.worker, { apiKey: 'wrong' }, 401],
      [pullServer.worker, { apiKey: '' }, 401],
      [stranger, {}, 404],
    ] as const) {
      expect((await of.take(options)).status).toBe(code);
      expect((await of.takeBatch(2, options)).status).toBe(code);
      expect((await of.stops(options)).status).toBe(code);
      expect((await of.ping(id, options)).status).toBe(code);
      expect((await of.stream(id, { output: 1 }, options)).status).toBe(code);
      expect((await of.done(id, { output: 1 }, false, options)).status).toBe(code);
    }
    expect(await pullServer.stateOf(id)).toBe('IN_QUEUE');
  });
});

describe('beside the rest of the server', () => {
  it('a remote worker replaces the default worker, but not explicitly configured ones', async () => {
    await pullServer.server.close();
    pullServer = await startPullServer();
    const taken = pullServer.worker.take();
    await pullServer.pollsArrived(1);
    const [mine, waiting] = [await pullServer.run(), await pullServer.run()];
    expect((await taken).json.id).toBe(mine);
    expect(await pullServer.stateOf(waiting)).toBe('IN_QUEUE');
    await serve({ workers: 1 });
    const also = pullServer.worker.take();
    await pullServer.pollsArrived(1);
    await pullServer.run({ plan: [{ hang: true }] });
    await pullServer.run({ plan: [{ hang: true }] });
    expect((await also).status).toBe(200);
    expect(await pullServer.workers()).toEqual({ idle: 0, running: 2 });
  });

  it('an open poll does not delay an advance of a controlled clock, and is answered within it', async () => {
    await serve({ clock: 'controlled' });
    const taken = pullServer.worker.take();
    const stops = pullServer.worker.stops();
    await pullServer.pollsArrived(2);
    await pullServer.advance(3_600_000);
    expect(await pullServer.workers()).toEqual({ idle: 1, running: 0 });
    const id = await pullServer.run();
    await pullServer.advance(0);
    expect((await taken).json.id).toBe(id);
    await pullServer.server.close();
    expect((await stops).status).toBe(204);
  });

  it('emptying an endpoint answers all waiting calls', async () => {
    await serve({ clock: 'controlled' });
    const taken = pullServer.worker.take();
    await pullServer.pollsArrived(1);
    await createCaller(pullServer.server.controlUrl!, 'k').send('PUT', '/endpoints/test', {
      body: { workers: 0 },
    });
    expect((await taken).status).toBe(204);
  });
});
