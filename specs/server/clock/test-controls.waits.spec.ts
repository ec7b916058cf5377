/** What a test of a client does to the endpoint, and sees of it. */
import { expect, test } from 'vitest';
import { createApp, LOCAL_API_KEY, startServer, type RunningServer } from '../../../src/index.js';

const headers = { authorization: LOCAL_API_KEY, 'content-type': 'application/json' };
const submit = (url: string, sleepMs: number): Promise<Response> =>
  fetch(`${url}/v2/test/run`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ input: { plan: [{ sleepMs }, { return: 1 }] }, policy: { ttl: 60_000 } }),
  });

const controlled = (): Promise<RunningServer> => startServer({ clock: 'controlled', workers: 1 });

test('the clock moves by durations, and from event to event', async () => {
  const server = await controlled();
  expect(server.nowMs()).toBe(0);
  expect(await server.advanceToNext()).toBe(null);
  await submit(server.url, 5_000);
  expect(await server.advanceToNext()).toBe(5_000);
  expect(server.jobs()).toMatchObject([{ status: 'COMPLETED', output: 1, submittedMs: 0, endedMs: 5_000 }]);
  expect(await server.advance('1m 1.5s')).toBe(66_500);
  expect(server.jobs()).toEqual([]);
  expect(await server.advance(10)).toBe(66_510);
  await server.close();
});

test('anything but a duration is refused, and real time is not advanced', async () => {
  const server = await controlled();
  for (const by of ['soon', '', -1, 0.5, Infinity, '9007199254740992ms'])
    await expect(server.advance(by)).rejects.toThrow('advance wants ms, or a duration');
  expect(server.nowMs()).toBe(0);
  await server.close();
  const real = await startServer();
  await expect(real.advance(1)).rejects.toThrow("start the endpoint with clock: 'controlled'");
  await expect(real.advanceToNext()).rejects.toThrow("start the endpoint with clock: 'controlled'");
  await real.close();
});

test('calls and jobs are listed in their order, with what clients sent', async () => {
  const server = await controlled();
  for (const sleepMs of [10_000, 20, 30]) await submit(server.url, sleepMs);
  await fetch(`${server.url}/v2/test/status/none?ttl=6000&secret=x`, { headers });
  expect(server.calls()).toMatchObject([
    ...[1, 2, 3].map((number) => ({ number, method: 'POST', path: '/v2/test/run', status: 200 })),
    { number: 4, method: 'GET', path: '/v2/test/status/none?ttl=6000', status: 404 },
  ]);
  expect(server.jobs().map(({ status }) => status)).toEqual(['IN_PROGRESS', 'IN_QUEUE', 'IN_QUEUE']);
  expect(server.jobs()[1]).toMatchObject({
    input: { plan: [{ sleepMs: 20 }, { return: 1 }] },
    policy: { ttlMs: 60_000 },
  });
  await server.close();
});

test('a fault is added and removed', async () => {
  const server = await controlled();
  const remove = server.addFault('run=503');
  expect((await submit(server.url, 1)).status).toBe(503);
  remove();
  expect((await submit(server.url, 1)).status).toBe(200);
  expect(() => server.addFault('run')).toThrow('must have the form WHAT:SHARE=EFFECT');
  await server.close();
});

test('both end with the block that uses them', async () => {
  let url = '';
  {
    await using server = await startServer();
    await using app = createApp({ clock: 'controlled' });
    expect(await app.advance('7d')).toBe(604_800_000);
    url = server.url;
  }
  await expect(fetch(url)).rejects.toThrow();
});
