import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { expect, it } from 'vitest';
import { serve, serveEndpoint } from '../support/servers.js';

const hanging = { input: { plan: [{ hang: true }] } };

it('a client that disconnects no longer counts as a concurrent call, and its job continues', async () => {
  const { api, arrived } = await serveEndpoint({
    rules: { concurrencyLimit: (op) => (op === 'runsync' ? 1 : Infinity) },
  });
  const client = new AbortController();
  const waiting = api
    .send('POST', '/runsync', { body: hanging, signal: client.signal })
    .catch(() => 'aborted');
  await arrived(1);
  expect((await api.post('/runsync', hanging)).status).toBe(429);
  client.abort();
  expect(await waiting).toBe('aborted');
  const quick = { input: { plan: [{ return: 1 }] } };
  let status = 429;
  for (let tries = 0; tries < 100 && status === 429; tries++) {
    await pause(10);
    const second = new AbortController();
    setTimeout(() => second.abort(), 20);
    status = await api.send('POST', '/runsync', { body: quick, signal: second.signal }).then(
      (answer) => answer.status,
      () => 0, // It waits behind the hanging job: it has got a place.
    );
  }
  expect(status).toBe(0);
  expect((await api.get('/health')).json.jobs.inProgress).toBe(1);
});

it('a client that disconnects at the instant of its answer does not stop the clock', async () => {
  const { server, arrived } = await serveEndpoint({ workers: 0 });
  // Unlike `fetch`, these send at once: the clock is to move before the server knows that its clients are gone.
  const [calls, control] = [new Agent(), new Agent()];
  const post = (dispatcher: Agent, url: string, body: unknown, signal?: AbortSignal) =>
    request(url, {
      dispatcher,
      method: 'POST',
      headers: { authorization: 'k', 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    });
  const advance = (byMs: number) => post(control, `${server.controlUrl}/clock/advance`, { byMs });
  await advance(0);
  const client = new AbortController();
  const wait = () => post(calls, `${server.url}/v2/test/runsync?wait=5000`, hanging, client.signal);
  const waiting = Array.from({ length: 5 }, () => wait().catch(() => 'aborted'));
  await arrived(5);
  client.abort();
  expect((await advance(5_000)).statusCode).toBe(200);
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => 'aborted'));
  await Promise.all([calls.destroy(), control.destroy()]);
});

it('many calls wait at the same time, and each gets its own answer', async () => {
  const { api, advance, arrived } = await serveEndpoint({ workers: 50 });
  const calls = Array.from({ length: 50 }, (_, n) =>
    api.post('/runsync', { input: { plan: [{ sleepMs: 100 + n }, { return: { n } }] } }),
  );
  await arrived(50);
  await advance(1_000);
  const answers = await Promise.all(calls);
  expect(answers.map((answer) => answer.json.output.n as number)).toEqual(
    Array.from({ length: 50 }, (_, n) => n),
  );
  expect(answers.map((answer) => answer.json.executionTime as number)).toEqual(
    Array.from({ length: 50 }, (_, n) => 100 + n),
  );
});

it('a large late answer is handed over before advance answers', async () => {
  const { api, advance, arrived } = await serveEndpoint();
  const call = api.post('/runsync', { input: { plan: [{ sleepMs: 5 }, { returnBytes: 8_000_000 }] } });
  await arrived(1);
  await advance(5);
  expect((await call).json.output.data).toHaveLength(8_000_000);
});

it('a client that is gone does not delay advance', async () => {
  const { api, advance, arrived } = await serveEndpoint();
  const client = new AbortController();
  const body = { input: { plan: [{ sleepMs: 50 }] } };
  const call = api.send('POST', '/runsync', { body, signal: client.signal }).catch(() => undefined);
  await arrived(1);
  client.abort();
  await call;
  const startMs = performance.now();
  expect((await advance(1_000)).status).toBe(200);
  expect(performance.now() - startMs).toBeLessThan(1_000);
});

it('closing answers waiting calls with the present record, and frees the port', async () => {
  const { server, api, arrived } = await serveEndpoint();
  const calls = [api.post('/runsync', hanging), api.post('/runsync', hanging)];
  await arrived(2);
  const startMs = performance.now();
  await server.close();
  const answers = await Promise.all(calls);
  expect(answers.map(({ status, json }) => `${status} ${json.status as string}`)).toEqual([
    '200 IN_PROGRESS',
    '200 IN_QUEUE',
  ]);
  expect(answers[0]!.json.id).toEqual(expect.any(String));
  expect(performance.now() - startMs).toBeLessThan(3_000);
  await serve({ port: server.port });
});
