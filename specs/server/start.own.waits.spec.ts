import { describe, expect, it, vi } from 'vitest';
import { createApp, LOCAL_API_KEY, OptionsError, startServer } from '../../src/server/index.js';
import { createCaller } from './caller.js';

describe('the address that it listens on', () => {
  it.each(['0.0.0.0', '::', '192.0.2.1', 'example.org'])(
    'refuses %s without an explicit key',
    async (host) => {
      await expect(startServer({ host })).rejects.toThrow(OptionsError);
    },
  );

  it('listens on every address when it was given a key', async () => {
    const server = await startServer({ host: '0.0.0.0', apiKeys: ['explicit'] });
    expect((await createCaller(server.url, 'explicit').get('/v2/test/health')).status).toBe(200);
    await server.close();
  });

  it('listens on loopback with the local key', async () => {
    const server = await startServer({ host: 'localhost' });
    expect(server.apiKeys).toEqual([LOCAL_API_KEY]);
    expect((await createCaller(server.url, LOCAL_API_KEY).get('/v2/test/health')).status).toBe(200);
    await server.close();
  });

  it('says when the port is taken', async () => {
    const server = await startServer();
    await expect(startServer({ port: server.port })).rejects.toThrow(/EADDRINUSE/);
    await server.close();
  });
});

const SCALING = { min: 0, max: 3, coldStartMs: 0, idleTimeoutMs: 5_000, scaler: null };

describe('options that cannot be served', () => {
  it.each([
    ['a port', { port: 70_000 }],
    ['a fraction of a port', { port: 1.5 }],
    ['workers', { workers: -1 }],
    ['more workers at least than at most', { workers: { ...SCALING, min: 4 } }],
    ['a cold start that is over before it begins', { workers: { ...SCALING, coldStartMs: -1 } }],
    ['an idle time of no length', { workers: { ...SCALING, idleTimeoutMs: Number.NaN } }],
    [
      'a worker for no jobs',
      { workers: { ...SCALING, scaler: { kind: 'request-count', jobsPerWorker: 0 } } },
    ],
    ['a delay that is no number', { workers: { ...SCALING, scaler: { kind: 'queue-delay', delayMs: 0.5 } } }],
    ['workers without a slot', { jobsPerWorker: 0 }],
    ['no key at all', { apiKeys: [] }],
    ['an empty key', { apiKeys: ['a', ' '] }],
    ['an endpoint id with a slash', { endpoints: ['a/b'] }],
    ['an open question that is none', { dialect: { '9/moon-phase': 'full' } }],
    ['a reading that is none', { dialect: { '8/megabyte': 'roughly' } }],
    ['a controlled clock that nothing can move', { clock: 'controlled', control: false }],
  ] as const)('%s', async (_what, options) => {
    await expect(startServer(options)).rejects.toThrow(OptionsError);
  });

  it('createApp refuses them, too', () => {
    expect(() => createApp({ workers: 0.5 })).toThrow(OptionsError);
  });
});

it('writes nothing to the terminal, above all no key', async () => {
  const writes = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')];
  const server = await startServer({ apiKeys: ['secret-key'] });
  const caller = createCaller(server.url, 'secret-key');
  await caller.get('/v2/test/health');
  await caller.get('/v2/test/none');
  await server.close();
  const written = writes.flatMap((spy) => spy.mock.calls.map(([text]) => String(text))).join('');
  vi.restoreAllMocks();
  expect(written).not.toContain('secret-key');
});

it('leaves the global Request and Response alone', async () => {
  const before = [globalThis.Request, globalThis.Response];
  const server = await startServer();
  expect([globalThis.Request, globalThis.Response]).toEqual(before);
  expect(globalThis.Request).toBe(before[0]);
  await server.close();
});
