import { afterAll, beforeAll, expect, it } from 'vitest';
import { startServer, type RunningServer } from '../../../src/server/index.js';
import { createCaller, type Caller } from '../caller.js';

let server: RunningServer;
let api: Caller;

beforeAll(async () => {
  server = await startServer({ apiKeys: ['k'], workers: 2 });
  api = createCaller(`${server.url}/v2/test`, 'k');
});
afterAll(() => server.close());

it('offers no test control unless told to', async () => {
  expect(server.controlUrl).toBeNull();
  expect((await createCaller(server.url, 'k').get('/_control')).status).toBe(404);
});

it('with real time, test control has endpoints and no clock', async () => {
  const other = await startServer({ apiKeys: ['k'], control: true });
  const control = createCaller(other.controlUrl!, 'k');
  expect((await control.get('')).json).toEqual({
    protocol: 'test-control/1',
    features: ['endpoints', 'keys'],
  });
  expect((await control.get('/clock')).status).toBe(404);
  expect((await control.post('/clock/advance', { byMs: 1 })).status).toBe(404);
  expect((await control.send('PUT', '/endpoints/new', { body: { workers: 1 } })).status).toBe(200);
  await other.close();
});

it('a sleeping job ends by itself, about then', async () => {
  const startMs = performance.now();
  const answer = await api.post('/runsync', { input: { plan: [{ sleepMs: 200 }, { return: { ok: 1 } }] } });
  expect(answer.json).toMatchObject({ status: 'COMPLETED', output: { ok: 1 }, executionTime: 200 });
  expect(performance.now() - startMs).toBeGreaterThanOrEqual(199);
});

it('a job ends without further calls', async () => {
  const { id } = (await api.post('/run', { input: { plan: [{ sleepMs: 400 }] } })).json;
  expect((await api.get(`/status/${id}`)).json.status).toBe('IN_PROGRESS');
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect((await api.get(`/status/${id}`)).json).toMatchObject({ status: 'COMPLETED', executionTime: 400 });
});

it('wait ends a waiting call', async () => {
  const startMs = performance.now();
  const answer = await api.post('/runsync?wait=1000', { input: { plan: [{ hang: true }] } });
  const tookMs = performance.now() - startMs;
  expect(answer.json.status).toBe('IN_PROGRESS');
  expect(tookMs).toBeGreaterThanOrEqual(998);
  expect(tookMs).toBeLessThan(5_000);
});

it('ids of one server are not those of the next', async () => {
  const other = await startServer({ apiKeys: ['k'] });
  const id = (await createCaller(`${other.url}/v2/test`, 'k').post('/run', { input: {} })).json.id as string;
  expect((await api.get(`/status/${id}`)).status).toBe(404);
  await other.close();
});
