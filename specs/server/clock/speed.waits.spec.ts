/** Scaled real time: the clock of the service runs faster or slower than the machine's. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createApp } from '../../../src/server/index.js';
import { serve } from '../../support/servers.js';
import { until } from '../../support/until.js';
import { createCaller } from '../caller.js';
import { askPage } from '../page/page-caller.js';

it('a ttl of 10 minutes expires after a second at speed 600, without a call, and not before', async () => {
  const server = await serve({ clock: 'real', workers: 0, speed: 600 });
  const api = createCaller(`${server.url}/v2/test`, 'k');
  const sentMs = performance.now();
  const { id } = (await api.post('/run', { input: {}, policy: { ttl: 600_000 } })).json;
  let status = 200;
  let lastThereMs = 0;
  await until(async () => {
    lastThereMs = performance.now();
    ({ status } = await api.get(`/status/${id}`));
    return status === 404;
  });
  expect(performance.now() - sentMs).toBeGreaterThan(990);
  expect(performance.now() - lastThereMs).toBeLessThan(10_000);
});

it('what the API reports is service time', async () => {
  const server = await serve({ clock: 'real', speed: 600 });
  const api = createCaller(`${server.url}/v2/test`, 'k');
  const sentMs = performance.now();
  const reply = await api.post('/runsync?wait=300000', { input: { plan: [{ sleepMs: 60_000 }] } });
  const tookMs = performance.now() - sentMs;
  expect(reply.json).toMatchObject({ status: 'COMPLETED', executionTime: 60_000 });
  expect(tookMs).toBeGreaterThan(98);
  expect(tookMs).toBeLessThan(30_000);
});

it('a slow service takes longer than its plan says', async () => {
  const server = await serve({ clock: 'real', speed: 0.5 });
  const api = createCaller(`${server.url}/v2/test`, 'k');
  const sentMs = performance.now();
  const reply = await api.post('/runsync', { input: { plan: [{ sleepMs: 150 }] } });
  expect(reply.json).toMatchObject({ status: 'COMPLETED', executionTime: 150 });
  expect(performance.now() - sentMs).toBeGreaterThan(298);
});

it('what falls due within one real ms happens in the order of service time, each at its own instant', async () => {
  const server = await serve({ clock: 'real', workers: 0, speed: 10_000, control: true });
  const api = createCaller(`${server.url}/v2/test`, 'k');
  for (const sleepMs of [3, 1, 4, 1, 5])
    await api.post('/run', { input: { plan: [{ sleepMs }] }, policy: { ttl: 604_800_000 } });
  const control = createCaller(server.controlUrl!, 'k');
  await control.send('PATCH', '/endpoints/test', { body: { workers: 1 } });
  await until(() => server.jobs().every(({ status }) => status === 'COMPLETED'));
  const jobs = server.jobs();
  expect(jobs.map(({ startedMs, endedMs }) => endedMs! - startedMs!)).toEqual([3, 1, 4, 1, 5]);
  expect(jobs.slice(1).map(({ startedMs }) => startedMs)).toEqual(
    jobs.slice(0, -1).map(({ endedMs }) => endedMs),
  );
});

it('pauses between webhook attempts are of service time', async () => {
  const arrivals: number[] = [];
  const receiver = createServer((_request, response) => {
    arrivals.push(performance.now());
    response.writeHead(500).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const server = await serve({ clock: 'real', speed: 60 });
  const { port } = receiver.address() as AddressInfo;
  const api = createCaller(`${server.url}/v2/test`, 'k');
  await api.post('/run', { input: { plan: [] }, webhook: `http://127.0.0.1:${port}/hook` });
  await until(() => arrivals.length === 3);
  expect(arrivals[2]! - arrivals[0]!).toBeGreaterThan(2 * (10_000 / 60) - 20);
  expect(arrivals[2]! - arrivals[0]!).toBeLessThan(20_000);
  receiver.close();
});

it('a remote worker has as long between its signs of life as ever', async () => {
  const app = createApp({ apiKeys: ['k'], workers: 0, speed: 1_000, pollMs: 100 });
  const call = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: 'k' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    return app.fetch(new Request(`http://app.test/v2/test${path}`, { method, headers, ...sent }));
  };
  const taken = call('GET', '/job-take/pod?gpu=SIM');
  const policy = { executionTimeout: 86_400_000, ttl: 604_800_000 };
  const { id } = (await (await call('POST', '/run', { input: {}, policy })).json()) as { id: string };
  await taken;
  // More than the 44 s of service time after which a worker is lost in real time.
  await sleep(150);
  expect((await call('POST', `/job-done/pod/${id}?gpu=SIM`, { output: 1 })).status).toBe(200);
  await app.close();
});

it('test control and the page tell the speed', async () => {
  const server = await serve({ clock: 'real', speed: 60, control: true });
  expect((await createCaller(server.controlUrl!, 'k').get('')).json).toEqual({
    protocol: 'test-control/1',
    features: ['endpoints', 'keys'],
    speed: 60,
  });
  expect(JSON.parse((await askPage(server.port, '/_page/state', {})).text)).toMatchObject({
    clock: 'real',
    speed: 60,
  });
});

it.each([
  [{ speed: 0.05 }, 'the speed of time is a number from 0.1 to 10000, such as 60, not 0.05'],
  [{ speed: 10_001 }, 'not 10001'],
  [{ speed: NaN }, 'not NaN'],
  [{ speed: 2, clock: 'controlled' as const }, 'a controlled clock has no speed'],
])('refuses %j', (options, message) => {
  expect(() => createApp(options)).toThrow(message);
});
