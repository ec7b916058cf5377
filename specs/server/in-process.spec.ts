import { afterEach, expect, it } from 'vitest';
import { createApp, LOCAL_API_KEY, type App, type AppOptions } from '../../src/server/index.js';

let app: App;
afterEach(() => app.close());

function open(options: AppOptions = {}) {
  app = createApp({ clock: 'controlled', ...options });
  return async (method: string, path: string, body?: unknown, more: RequestInit = {}) => {
    const reply = await app.fetch(
      new Request(`http://in.process${path}`, {
        method,
        headers: { authorization: LOCAL_API_KEY },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        ...more,
      }),
    );
    const text = await reply.text();
    return { status: reply.status, json: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> };
  };
}

it('answers without a socket', async () => {
  const call = open();
  const { json } = await call('POST', '/v2/test/run', { input: { plan: [{ sleepMs: 10 }] } });
  expect(json).toMatchObject({ status: 'IN_QUEUE' });
  await call('POST', '/_control/clock/advance', { byMs: 10 });
  expect((await call('GET', `/v2/test/status/${String(json.id)}?x=1`)).json).toMatchObject({
    status: 'COMPLETED',
  });
});

it('keeps waiting calls open', async () => {
  const call = open();
  const waiting = call('POST', '/v2/test/runsync', { input: { plan: [{ sleepMs: 10 }] } });
  await call('GET', '/v2/test/health');
  await call('POST', '/_control/clock/advance', { byMs: 10 });
  expect((await waiting).json).toMatchObject({ status: 'COMPLETED' });
});

it('an aborted request counts as a disconnected client', async () => {
  const call = open({ rules: { concurrencyLimit: (op) => (op === 'runsync' ? 1 : Infinity) } });
  const client = new AbortController();
  const hanging = { input: { plan: [{ hang: true }] } };
  const first = call('POST', '/v2/test/runsync', hanging, { signal: client.signal });
  await call('GET', '/v2/test/health');
  expect((await call('POST', '/v2/test/runsync', hanging)).status).toBe(429);
  client.abort();
  const settled = await Promise.race([
    first,
    new Promise((resolve) => setTimeout(resolve, 500, 'still waiting')),
  ]);
  expect(settled).not.toBe('still waiting');
  const quick = call('POST', '/v2/test/runsync?wait=1000', { input: {} });
  await call('GET', '/v2/test/health');
  await call('POST', '/_control/clock/advance', { byMs: 1_000 });
  expect((await quick).status).toBe(200);
});

it('refuses oversize and malformed bodies', async () => {
  const call = open();
  expect([400, 413]).toContain((await call('POST', '/v2/test/run', 'x'.repeat(30_000_000))).status);
  expect((await call('POST', '/v2/test/run', '{')).status).toBe(400);
  expect((await call('GET', '/v2/test/status/%zz')).status).toBe(400);
});

it('an internal error is a 500 and is reported to onError', async () => {
  const errors: unknown[] = [];
  const call = open({
    onError: (error) => errors.push(error),
    rules: {
      healthOf: () => {
        throw new Error('a bug');
      },
    },
  });
  expect(await call('GET', '/v2/test/health')).toEqual({ status: 500, json: { error: 'internal error' } });
  expect(errors).toEqual([new Error('a bug')]);
});
