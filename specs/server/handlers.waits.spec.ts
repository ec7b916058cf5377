import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadHandler } from '../../src/server/handlers/load-handler.js';
import { startServer, type HandlerFunction, type ServerOptions } from '../../src/server/index.js';
import { describeControlContract } from './clock/control-contract.js';
import { serveEndpoint } from '../support/servers.js';

const SCRIPTED = fileURLToPath(new URL('../../scenarios/worker/handler.mjs', import.meta.url));

async function serve(handler: HandlerFunction, options: ServerOptions = {}) {
  const { server, api, advance } = await serveEndpoint({ handler, ...options });
  return {
    server,
    api,
    advance,
    /** Submits a job and lets it come to rest at this instant. */
    async run(body: object = { input: { a: 1 } }): Promise<string> {
      const id = (await api.post('/run', body)).json.id as string;
      await advance(0);
      return id;
    },
    record: async (id: string) => (await api.get(`/status/${id}`)).json,
  };
}

/** A promise with its `resolve` outside. */
function gate() {
  let open: () => void = () => undefined;
  return { passed: new Promise<void>((resolve) => (open = resolve)), open: () => open() };
}

describe('a handler function', () => {
  it('gets the job, and what it returns is the output', async () => {
    const { run, record } = await serve((job) => ({ job }));
    const s3Config = { accessId: 'a', accessSecret: 'b', bucketName: 'c', endpointUrl: 'http://s3.local' };
    const id = await run({ input: { a: [1, null] }, s3Config });
    expect(await record(id)).toMatchObject({
      status: 'COMPLETED',
      output: { job: { id, input: { a: [1, null] }, s3Config, endpointId: 'test', ranBefore: false } },
    });
  });

  it.each<[string, HandlerFunction, unknown]>([
    ['nothing', () => undefined, null],
    ['a promise', () => Promise.resolve({ late: true }), { late: true }],
    ['an array', () => [1, 2], [1, 2]],
    ['a string', () => 'text', 'text'],
    ['a date', () => ({ at: new Date(0) }), { at: '1970-01-01T00:00:00.000Z' }],
    ['an object with an error, in the edition `document`', () => ({ error: 'soft' }), { error: 'soft' }],
  ])('that returns %s', async (_what, handler, output) => {
    const { run, record } = await serve(handler);
    expect(await record(await run())).toMatchObject({ status: 'COMPLETED', output });
  });

  it('that returns an error fails the job in the edition `runpod`', async () => {
    const { run, record } = await serve(() => ({ error: 'soft', rest: 1 }), { edition: 'runpod' });
    expect(await record(await run())).toMatchObject({ status: 'FAILED', error: 'soft', output: { rest: 1 } });
  });

  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  it.each<[string, HandlerFunction]>([
    [
      'throws',
      () => {
        throw new Error('broken');
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken'))],
    [
      'throws no error at all',
      () => {
        // oxlint-disable-next-line typescript/only-throw-error -- handlers may
        throw 'broken';
      },
    ],
    [
      'throws something that is not even a string',
      () => {
        throw Object.create(null);
      },
    ],
    ['returns what JSON cannot hold', () => cycle],
    ['returns a bigint', () => 1n],
  ])('that %s fails the job, not the server', async (_what, handler) => {
    const { run, record, api } = await serve(handler);
    expect(await record(await run())).toMatchObject({ status: 'FAILED' });
    expect((await api.get('/health')).json).toMatchObject({ jobs: { failed: 1 }, workers: { idle: 1 } });
  });

  it('sleeps on the controlled clock', async () => {
    const { run, record, advance } = await serve(async (_job, { sleep }) => {
      await sleep(300);
      await sleep(450);
      return 'rested';
    });
    const id = await run();
    await advance(749);
    expect(await record(id)).toMatchObject({ status: 'IN_PROGRESS' });
    await advance(1);
    expect(await record(id)).toMatchObject({ status: 'COMPLETED', output: 'rested', executionTime: 750 });
  });

  it('tells its progress, which the edition `runpod` shows', async () => {
    const { run, record } = await serve(
      async (_job, { progress, sleep }) => {
        progress({ percent: 50 });
        await sleep(1_000);
        return 'done';
      },
      { edition: 'runpod' },
    );
    expect(await record(await run())).toMatchObject({ status: 'IN_PROGRESS', output: { percent: 50 } });
  });

  it('crashes its worker, which is replaced', async () => {
    const { run, record, api } = await serve((_job, { crash }) => {
      crash();
      return 'unheard';
    });
    expect(await record(await run())).toMatchObject({ status: 'FAILED' });
    expect((await api.get('/health')).json.workers).toMatchObject({ idle: 1, running: 0 });
  });
});

describe('a generator', () => {
  it('streams its yields; what it returns is the output', async () => {
    const { run, record, api, advance } = await serve(async function* (_job, { sleep }) {
      yield { t: 1 };
      await sleep(10);
      yield { t: 2 };
      return { total: 2 };
    });
    const id = await run();
    expect((await api.get(`/stream/${id}`)).json).toEqual([{ output: { t: 1 } }]);
    await advance(10);
    expect(await record(id)).toMatchObject({ status: 'COMPLETED', output: { total: 2 } });
  });

  it('that returns nothing has the list of its yields as output', async () => {
    const { run, record } = await serve(function* () {
      yield 'a';
      yield 'b';
    });
    expect(await record(await run())).toMatchObject({ status: 'COMPLETED', output: ['a', 'b'] });
  });

  it('is closed when its job is cancelled', async () => {
    const closed = gate();
    const { run, api, advance } = await serve(async function* (_job, { sleep }) {
      try {
        yield 1;
        await sleep(60_000);
        yield 2;
      } finally {
        closed.open();
      }
    });
    const id = await run();
    await api.post(`/cancel/${id}`);
    await advance(0);
    await closed.passed;
  });
});

describe('the signal', () => {
  const policy = { executionTimeout: 5_000, ttl: 20_000 };
  it.each<[string, object, (id: string) => [string, string] | number]>([
    ['cancel', {}, (id) => ['POST', `/cancel/${id}`]],
    ['timeout', { policy: { executionTimeout: 5_000 } }, () => 5_000],
    ['ttl', { policy: { ttl: 10_000 } }, () => 10_000],
  ])('aborts on %s, and the worker is free at once', async (_what, body, bring) => {
    const aborted = gate();
    const { run, api, advance, record } = await serve((job, { signal }) => {
      if ((job.input as { quick?: boolean }).quick) return 'quick';
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          aborted.open();
          reject(signal.reason as Error);
        });
      });
    });
    const id = await run({ input: {}, ...body });
    const next = await run({ input: { quick: true }, policy });
    expect(await record(next)).toMatchObject({ status: 'IN_QUEUE' });
    const how = bring(id);
    if (typeof how === 'number') await advance(how);
    else await api.send(how[0], how[1]);
    await advance(0);
    await aborted.passed;
    expect(await record(next)).toMatchObject({ status: 'COMPLETED', output: 'quick' });
  });

  it('may be ignored: what the handler does afterwards has no effect', async () => {
    const goOn = gate();
    const finished = gate();
    let runs = 0;
    const { run, api, advance, record } = await serve(async function* (_job, { progress, crash }) {
      if (++runs > 1) return { run: 2 };
      await goOn.passed;
      try {
        progress('late');
        crash();
        yield 'late';
        return { run: 1 };
      } finally {
        finished.open();
      }
    });
    const id = await run();
    await api.post(`/cancel/${id}`);
    const second = await run();
    goOn.open();
    await finished.passed;
    await advance(10);
    expect(await record(id)).toMatchObject({ status: 'CANCELLED' });
    expect(await record(second)).toMatchObject({ status: 'COMPLETED', output: { run: 2 } });
    expect((await api.get('/health')).json.workers).toMatchObject({ idle: 1, running: 0 });
  });

  it('aborts when the server closes', async () => {
    const aborted = gate();
    const { server, run } = await serve((_job, { signal }) => {
      signal.addEventListener('abort', aborted.open);
      return new Promise(() => undefined);
    });
    await run();
    await server.close();
    await aborted.passed;
  });
});

describe('a handler file', () => {
  it('is the default export of a module', async () => {
    expect(await loadHandler(SCRIPTED)).toBeTypeOf('function');
  });

  it.each([
    ['does not exist', 'nowhere/handler.mjs', /nowhere\/handler\.mjs cannot be loaded/],
    [
      'has no default export',
      fileURLToPath(new URL('./caller.ts', import.meta.url)),
      /no function as its default/,
    ],
  ])('that %s is an error that names it', async (_what, file, message) => {
    await expect(startServer({ handler: file })).rejects.toThrow(message);
  });
});

describeControlContract('the server with the deployable scripted worker', async () => {
  const running = await startServer({ clock: 'controlled', apiKeys: ['k'], handler: SCRIPTED });
  return { baseUrl: running.url, controlUrl: running.controlUrl!, apiKey: 'k', close: running.close };
});
