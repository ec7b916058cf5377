/** Nothing leaves before it is on disk, and what could not be written has not happened. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createApp, type App, type AppOptions } from '../../../src/server/index.js';
import { startMs } from '../../../src/server/store/store.js';
import { WriterEnded } from '../../../src/server/store/store.js';
import { createMemoryStore, type MemoryStore } from './memory-store.js';

const KEY = 'runproof-local';
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

function serve(store: MemoryStore, options: AppOptions = {}): App {
  const app = createApp({ onError: () => undefined, ...options }, { store });
  open.push(app);
  return app;
}

async function call(app: App, method: string, path: string, body?: unknown): Promise<Response> {
  const headers = { authorization: KEY, 'content-type': 'application/json' };
  const text = body === undefined ? null : JSON.stringify(body);
  return app.fetch(new Request(`http://in.process${path}`, { method, headers, body: text }));
}

const run = (app: App, more: object = {}): Promise<Response> =>
  call(app, 'POST', '/v2/test/run', { input: {}, ...more });

async function record(app: App, id: string): Promise<unknown> {
  const response = await call(app, 'GET', `/v2/test/status/${id}`);
  return response.status === 200 ? response.json() : response.status;
}

const idIn = async (response: Promise<Response>): Promise<string> =>
  ((await (await response).json()) as { id: string }).id;

/** A gate that is closed until it is opened. */
function shut(store: MemoryStore): { open(): void; fail(): void } {
  let settle: { resolve: () => void; reject: (error: Error) => void };
  const gate = new Promise<void>((resolve, reject) => (settle = { resolve, reject }));
  gate.catch(() => undefined);
  store.gate = () => gate;
  return {
    open() {
      store.gate = async () => {};
      settle.resolve();
    },
    fail: () => settle.reject(new Error('no space left')),
  };
}

const turns = (ms = 30): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const pending = async (promise: Promise<unknown>): Promise<boolean> =>
  Promise.race([promise.then(() => false), turns().then(() => true)]);

describe('while a write is in progress', () => {
  it('no answer leaves, no handler starts, and a read of unsaved state waits, too', async () => {
    const store = createMemoryStore();
    const handler = vi.fn(async () => 'done');
    const app = serve(store, { handler });
    await turns();
    const gate = shut(store);
    const accepted = run(app);
    expect(await pending(accepted)).toBe(true);
    const health = call(app, 'GET', '/v2/test/health');
    expect(await pending(health)).toBe(true);
    expect(handler).not.toHaveBeenCalled();
    gate.open();
    expect((await accepted).status).toBe(200);
    expect(await (await health).json()).toMatchObject({ jobs: { inProgress: 1 } });
    await vi.waitFor(() => expect(handler).toHaveBeenCalledOnce());
  });

  it('no result is shown, and no webhook called', async () => {
    const called = vi.fn();
    const receiver = await listen((_, answer) => {
      called();
      answer.end();
    });
    const store = createMemoryStore();
    let finish: (output: string) => void = () => undefined;
    const app = serve(store, { handler: () => new Promise((resolve) => (finish = resolve)) });
    const id = await idIn(run(app, { webhook: receiver }));
    await turns();
    const gate = shut(store);
    finish('the result');
    await turns();
    const shown = record(app, id);
    expect(await pending(shown)).toBe(true);
    expect(called).not.toHaveBeenCalled();
    gate.open();
    expect(await shown).toMatchObject({ status: 'COMPLETED', output: 'the result' });
    await vi.waitFor(() => expect(called).toHaveBeenCalledOnce());
  });

  it('further calls share the next one', async () => {
    const store = createMemoryStore();
    const app = serve(store, { workers: 0 });
    await turns();
    const before = store.writes;
    const answers = await Promise.all(Array.from({ length: 100 }, () => run(app)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(store.writes - before).toBeLessThan(10);
  });

  it('a read without pending changes writes nothing', async () => {
    const store = createMemoryStore();
    const app = serve(store, { workers: 0 });
    const id = await idIn(run(app));
    const before = store.writes;
    expect(await record(app, id)).toMatchObject({ status: 'IN_QUEUE' });
    expect(store.writes).toBe(before);
  });
});

describe('when a write fails', () => {
  it('the call gets 500 and its job does not exist; the server continues once it can write again', async () => {
    const store = createMemoryStore();
    const errors: unknown[] = [];
    const handler = vi.fn(async (_job: unknown, { sleep }: { sleep(ms: number): Promise<void> }) =>
      sleep(60_000),
    );
    const app = serve(store, { handler, onError: (error) => errors.push(error) });
    const kept = await idIn(run(app));
    const waiting = call(app, 'POST', '/v2/test/runsync', { input: {} });
    await vi.waitFor(() => expect(handler).toHaveBeenCalledOnce(), { timeout: 10_000 });
    const rows = [...store.rows.keys()];

    const gate = shut(store);
    const lost = run(app);
    await turns();
    gate.fail();
    expect((await lost).status).toBe(500);
    expect((await waiting).status).toBe(500);
    expect(errors.join()).toContain('cannot be written: no space left');
    // Nothing is done while nothing can be kept.
    expect((await run(app)).status).toBe(500);
    expect(await record(app, kept)).toBe(500);
    expect([...store.rows.keys()]).toEqual(rows);
    const ready = await call(app, 'GET', '/_ready');
    expect([ready.status, await ready.json()]).toMatchObject([503, { ready: false }]);

    gate.open();
    await vi.waitFor(async () => expect(await record(app, kept)).toMatchObject({ status: 'IN_PROGRESS' }), {
      timeout: 10_000,
      interval: 100,
    });
    await vi.waitFor(() => expect(handler).toHaveBeenCalledTimes(2), { timeout: 10_000 });
    const health = (await (await call(app, 'GET', '/v2/test/health')).json()) as object;
    // The job of the waiting call had been accepted before: it waits on.
    expect(health).toMatchObject({ jobs: { inProgress: 1, inQueue: 1 } });
    expect((await run(app)).status).toBe(200);
    expect((await call(app, 'GET', '/_ready')).status).toBe(200);
  });

  it('of a write whose thread has ended nothing is promised', async () => {
    const store = createMemoryStore();
    const errors: unknown[] = [];
    const app = serve(store, { onError: (error) => errors.push(error) });
    store.gate = () => Promise.reject(new WriterEnded('the thread that writes ended with 1'));
    const lost = await run(app);
    expect([lost.status, await lost.text()]).toEqual([
      500,
      expect.stringContaining('may have had its effect'),
    ]);
    expect(errors.join()).toContain('the thread that writes ended with 1; all calls are answered with 500');
  });
});

describe('another server on the same data', () => {
  it('continues in controlled time where the first one stopped, and gives no id twice', async () => {
    const store = createMemoryStore();
    const first = createApp({ clock: 'controlled', workers: 0 }, { store });
    const one = await idIn(run(first, { policy: { ttl: 60_000 } }));
    await call(first, 'POST', '/_control/clock/advance', { byMs: 59_000 });
    await first.close();
    const second = serve(Object.assign(createMemoryStore(), { ...keptAs(store) }), {
      clock: 'controlled',
      workers: 0,
    });
    await call(second, 'POST', '/_control/clock/advance', { byMs: 0 });
    const clock = await (await call(second, 'GET', '/_control/clock')).json();
    expect(clock).toEqual({ nowMs: 59_000, nextEventAtMs: 60_000 });
    const two = await idIn(run(second));
    expect(two).not.toBe(one);
    await call(second, 'POST', '/_control/clock/advance', { byMs: 999 });
    expect(await record(second, one)).toMatchObject({ status: 'IN_QUEUE' });
    await call(second, 'POST', '/_control/clock/advance', { byMs: 1 });
    expect(await record(second, one)).toBe(404);
    expect(await record(second, two)).toMatchObject({ status: 'IN_QUEUE' });
  });

  it('has the stored endpoints, with the configured number of workers', async () => {
    const store = createMemoryStore();
    const first = createApp({ control: true, workers: 0 }, { store });
    await call(first, 'PUT', '/_control/endpoints/mine', { workers: 3 });
    const id = await idIn(run(first));
    await first.close();
    const app = serve(Object.assign(createMemoryStore(), keptAs(store)), { control: true, workers: 2 });
    expect(await (await call(app, 'GET', '/_control/endpoints/mine')).json()).toMatchObject({ workers: 3 });
    expect(await (await call(app, 'GET', '/_control/endpoints/test')).json()).toMatchObject({ workers: 2 });
    await vi.waitFor(async () => expect(await record(app, id)).toMatchObject({ status: 'COMPLETED' }));
  });

  it('time never goes back, whatever the wall clock says', () => {
    const store = { latestMs: () => 5_000 } as MemoryStore;
    expect(startMs(store, 'real', 1, 9_000)).toBe(9_000);
    expect(startMs(store, 'real', 1, 1_000)).toBe(5_000);
    expect(startMs(store, 'controlled', 1, 9_000)).toBe(5_000);
  });

  it('time that runs at a speed continues where it stopped, and begins at the wall clock', () => {
    const store = { latestMs: () => 5_000 } as MemoryStore;
    expect(startMs(store, 'real', 60, 9_000)).toBe(5_000);
    expect(startMs(store, 'real', 0.5, 1_000)).toBe(5_000);
    expect(startMs({ latestMs: () => 0 } as MemoryStore, 'real', 60, 9_000)).toBe(9_000);
  });
});

/** What a store holds, for another one that is not closed. */
function keptAs(store: MemoryStore): Pick<MemoryStore, 'read' | 'latestMs' | 'write'> {
  return {
    read: () => store.read(),
    latestMs: () => store.latestMs(),
    write: (changes) => store.write(changes),
  };
}

async function listen(handle: Parameters<typeof createServer>[1]): Promise<string> {
  const server: Server = createServer(handle);
  open.push({ close: () => server.closeAllConnections() ?? server.close() });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
