import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServer, type RunningServer } from '../../src/server/index.js';
import { createCaller, type Caller } from './caller.js';

let server: RunningServer;
let api: Caller;
let control: Caller;

beforeAll(async () => {
  server = await startServer({ clock: 'controlled', apiKeys: ['k'], endpoints: ['ops'], workers: 1 });
  api = createCaller(`${server.url}/v2/ops`, 'k');
  control = createCaller(server.controlUrl!, 'k');
});
afterAll(() => server.close());

const advance = (byMs: number) => control.post('/clock/advance', { byMs });
const run = async (plan: unknown[]): Promise<string> =>
  (await api.post('/run', { input: { plan } })).json.id as string;

it('POST /run answers with id and IN_QUEUE, as JSON', async () => {
  const answer = await api.post('/run', { input: {} });
  expect(answer).toMatchObject({ status: 200, contentType: expect.stringContaining('application/json') });
  expect(answer.json).toEqual({ id: expect.any(String), status: 'IN_QUEUE' });
});

it('POST /runsync answers a job that ends at once with its record', async () => {
  const answer = await api.post('/runsync', { input: { plan: [{ return: { a: 1 } }] } });
  expect(answer.status).toBe(200);
  expect(answer.json).toMatchObject({
    status: 'COMPLETED',
    output: { a: 1 },
    delayTime: 0,
    executionTime: 0,
  });
});

it('GET /status follows a job through its states', async () => {
  const id = await run([{ sleepMs: 100 }, { return: { done: true } }]);
  expect((await api.get(`/status/${id}`)).json).toMatchObject({ id, status: 'IN_PROGRESS' });
  await advance(100);
  expect((await api.get(`/status/${id}`)).json).toMatchObject({
    id,
    status: 'COMPLETED',
    output: { done: true },
  });
});

it('GET /stream is an array of chunks', async () => {
  const id = await run([{ stream: { t: 1 } }, { stream: { t: 2 } }, { return: null }]);
  const answer = await api.get(`/stream/${id}`);
  expect(answer.json).toEqual([{ output: { t: 1 } }, { output: { t: 2 } }]);
});

it('POST /cancel stops a running job and frees its worker', async () => {
  const id = await run([{ hang: true }]);
  const next = await run([{ return: 1 }]);
  expect((await api.post(`/cancel/${id}`)).json).toEqual({ id, status: 'CANCELLED' });
  expect((await api.get(`/status/${next}`)).json).toMatchObject({ status: 'COMPLETED' });
});

it('POST /retry follows planOnRetry the second time', async () => {
  const input = { plan: [{ fail: 'no' }], planOnRetry: [{ return: { second: true } }] };
  const id = (await api.post('/run', { input })).json.id as string;
  expect((await api.get(`/status/${id}`)).json).toMatchObject({ status: 'FAILED' });
  expect((await api.post(`/retry/${id}`)).json).toEqual({ id, status: 'IN_QUEUE' });
  expect((await api.get(`/status/${id}`)).json).toMatchObject({
    status: 'COMPLETED',
    output: { second: true },
  });
});

it('POST /purge-queue removes waiting jobs, GET /health counts running ones', async () => {
  const running = await run([{ hang: true }]);
  await run([{ return: 1 }]);
  await run([{ return: 1 }]);
  expect((await api.get('/health')).json).toMatchObject({
    jobs: { inProgress: 1, inQueue: 2 },
    workers: { idle: 0, running: 1 },
  });
  expect((await api.post('/purge-queue')).json).toEqual({ removed: 2, status: 'completed' });
  await api.post(`/cancel/${running}`);
});

it.each([
  ['no key', {}, 401],
  ['a wrong key', { authorization: 'nope' }, 401],
  ['the key after Bearer', { authorization: 'Bearer k' }, 200],
])('%s', async (_what, headers, status) => {
  expect((await api.send('GET', '/health', { headers })).status).toBe(status);
});

it('an unknown endpoint and an unknown job: 404', async () => {
  expect((await createCaller(`${server.url}/v2/other`, 'k').get('/health')).status).toBe(404);
  expect((await api.get('/status/nothing')).status).toBe(404);
});

it('an endpoint id may need percent-encoding', async () => {
  await control.send('PUT', '/endpoints/a%20b%2Bc', { body: { workers: 1 } });
  expect((await control.get('/endpoints/a%20b%2Bc')).json).toMatchObject({
    endpointId: 'a b+c',
    received: 0,
  });
  expect((await createCaller(`${server.url}/v2/a%20b%2Bc`, 'k').get('/health')).status).toBe(200);
  expect((await control.get('/endpoints/a%20b%2Bc')).json).toMatchObject({ received: 1 });
});

it('each of two keys is a separate user', async () => {
  const shared = await startServer({ clock: 'controlled', apiKeys: ['one', 'two'] });
  const statuses = [];
  for (const key of ['one', 'one', 'one', 'two']) {
    statuses.push((await createCaller(shared.url, key).post('/v2/test/purge-queue')).status);
  }
  expect(statuses).toEqual([200, 200, 429, 200]);
  await shared.close();
});
