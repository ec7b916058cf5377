import runpodSdk from 'runpod-sdk';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startServer, type RunningServer } from '../../src/server/index.js';

/** The official JavaScript client, unmodified, drives the server in the edition `runpod`. */

let server: RunningServer;
let endpoint: NonNullable<ReturnType<ReturnType<typeof runpodSdk>['endpoint']>>;

beforeAll(async () => {
  server = await startServer({
    edition: 'runpod',
    apiKeys: ['client-key'],
    endpoints: ['sdk'],
    workers: 3,
    control: true,
  });
});
afterAll(() => server.close());
beforeEach(async () => {
  await fetch(`${server.controlUrl}/endpoints/sdk`, {
    method: 'PUT',
    headers: { authorization: 'client-key' },
    body: JSON.stringify({ workers: 3 }),
  });
  endpoint = runpodSdk('client-key', { baseUrl: `${server.url}/v2` }).endpoint('sdk')!;
});

const until = async (id: string, status: string) => {
  while ((await endpoint.status(id)).status !== status)
    await new Promise((resolve) => setTimeout(resolve, 10));
};

it('run and status', async () => {
  const submitted = await endpoint.run({ input: { plan: [{ sleepMs: 30 }, { return: { answer: 42 } }] } });
  expect(submitted).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}-u1$/), status: 'IN_QUEUE' });
  await until(submitted.id, 'COMPLETED');
  expect(await endpoint.status(submitted.id)).toMatchObject({
    id: submitted.id,
    status: 'COMPLETED',
    output: { answer: 42 },
    delayTime: expect.any(Number),
    executionTime: expect.any(Number),
    started: true,
    completed: true,
    succeeded: true,
  });
});

it('runSync of a quick job', async () => {
  const result = await endpoint.runSync({ input: { plan: [{ sleepMs: 20 }, { return: { quick: true } }] } });
  expect(result).toMatchObject({
    id: expect.stringMatching(/^sync-/),
    status: 'COMPLETED',
    output: { quick: true },
    completed: true,
    succeeded: true,
  });
});

it('runSync goes on waiting by /status-sync after its wait is over', async () => {
  const result = await endpoint.runSync({ input: { plan: [{ sleepMs: 1_300 }, { return: 'late' }] } }, 1_000);
  expect(result).toMatchObject({ status: 'COMPLETED', output: 'late', completed: true });
});

it('runSync of a job that fails', async () => {
  const result = await endpoint.runSync({ input: { plan: [{ fail: 'no luck' }] } });
  expect(result).toMatchObject({ status: 'FAILED', error: 'no luck', completed: true, succeeded: false });
});

it('statusSync', async () => {
  const { id } = await endpoint.run({ input: { plan: [{ sleepMs: 100 }, { return: 1 }] } });
  expect(await endpoint.statusSync(id)).toMatchObject({ id, status: 'COMPLETED', output: 1 });
});

it('stream yields every chunk once, and ends', async () => {
  const plan = [
    { stream: 'a' },
    { sleepMs: 40 },
    { stream: 'b' },
    { sleepMs: 40 },
    { stream: { c: 3 } },
    { return: 'end' },
  ];
  const { id } = await endpoint.run({ input: { plan } });
  const chunks = [];
  for await (const chunk of endpoint.stream(id)) chunks.push((chunk as { output: unknown }).output);
  expect(chunks).toEqual(['a', 'b', { c: 3 }]);
});

it('cancel', async () => {
  const { id } = await endpoint.run({ input: { plan: [{ hang: true }] } });
  expect(await endpoint.cancel(id)).toEqual({ id, status: 'CANCELLED' });
  expect(await endpoint.status(id)).toMatchObject({ status: 'CANCELLED', completed: true, succeeded: false });
});

it('health', async () => {
  await endpoint.run({ input: { plan: [{ hang: true }] } });
  const { jobs, workers } = await endpoint.health();
  expect(jobs).toEqual({ completed: 0, failed: 0, inProgress: 1, inQueue: 0, retried: 0 });
  expect(workers).toMatchObject({
    idle: 2,
    running: 1,
    initializing: 0,
    ready: expect.any(Number),
    throttled: 0,
  });
});

it('purgeQueue', async () => {
  for (let job = 0; job < 5; job++) await endpoint.run({ input: { plan: [{ hang: true }] } });
  expect(await endpoint.purgeQueue()).toEqual({ removed: 2, status: 'completed' });
});

it('a wrong key', async () => {
  const stranger = runpodSdk('wrong', { baseUrl: `${server.url}/v2` }).endpoint('sdk')!;
  await expect(stranger.health()).rejects.toMatchObject({ response: { status: 401 } });
});
