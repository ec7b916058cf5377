import { describe, expect, it } from 'vitest';
import { type ServerOptions } from '../../../src/server/index.js';
import { burst, counted, type Calls } from '../load/burst.js';
import { serveEndpoint } from '../../support/servers.js';
import { WHOLE } from '../../support/whole.js';

/** Section 8, over real sockets. `WHOLE=1` takes everything; otherwise each run of the table takes its share. */
const MINUTES_MS = 600_000;

const BODY = '{"input":{"n":1}}';
interface Row {
  readonly op: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly limit: number;
  readonly body?: string;
}

/** The table of section 8, from the document. */
const TABLE: readonly Row[] = [
  { op: 'run', method: 'POST', path: '/run', limit: 1000, body: BODY },
  { op: 'cancel', method: 'POST', path: '/cancel/x', limit: 100 },
  { op: 'purge-queue', method: 'POST', path: '/purge-queue', limit: 2 },
  { op: 'requests', method: 'GET', path: '/requests', limit: 10 },
  { op: 'runsync', method: 'POST', path: '/runsync', limit: 2000, body: BODY },
  { op: 'status', method: 'GET', path: '/status/x', limit: 2000 },
  { op: 'stream', method: 'GET', path: '/stream/x', limit: 2000 },
  { op: 'openai', method: 'POST', path: '/openai/v1/models', limit: 2000, body: '{}' },
];
const LARGE = 2000;

const ALGORITHMS = ['sliding-window', 'fixed-window', 'token-bucket'] as const;
const EDITIONS = ['document', 'runpod'] as const;
const CONFIGURATIONS = EDITIONS.flatMap((edition) => ALGORITHMS.map((algorithm) => ({ edition, algorithm })));

async function serve(options: ServerOptions) {
  const endpoint = await serveEndpoint({ apiKeys: ['k', 'l'], endpoints: ['a', 'b'], ...options });
  const { port } = endpoint.server;
  return {
    ...endpoint,
    /** `served+refused` of this many calls at one instant. */
    send: async (calls: Calls, times: number) => {
      const { served, refused } = counted(await burst(port, calls, times));
      return `${served} served, ${refused} refused`;
    },
    later: (calls: Calls, times: number) => burst(port, calls, times),
    arrived: (calls: number) => endpoint.arrived(calls, 'a'),
  };
}

describe.each(CONFIGURATIONS)('edition $edition, $algorithm', ({ edition, algorithm }) => {
  const share = CONFIGURATIONS.findIndex((c) => c.edition === edition && c.algorithm === algorithm);
  const large = TABLE.filter(({ limit }) => limit === LARGE);
  const rows = TABLE.filter((row) => WHOLE || row.limit < LARGE || row === large[share % large.length]);

  it.each(rows)(
    '%s: all below the limit, none above',
    { timeout: MINUTES_MS },
    async ({ method, path, limit, body }) => {
      const { send, advance } = await serve({ edition, dialect: { '8/rate-algorithm': algorithm } });
      const calls: Calls = { method, path: `/v2/a${path}`, key: 'k', ...(body !== undefined && { body }) };
      // In the midst of a fixed window.
      await advance(5_000);
      expect(await send(calls, limit)).toBe(`${limit} served, 0 refused`);
      expect(await send(calls, 5)).toBe('0 served, 5 refused');
      // Neither another key nor another endpoint has used up anything.
      expect(await send({ ...calls, key: 'l' }, 1)).toBe('1 served, 0 refused');
      expect(await send({ ...calls, path: `/v2/b${path}` }, 1)).toBe('1 served, 0 refused');
      await advance(4_999);
      if (algorithm !== 'token-bucket') expect(await send(calls, 2)).toBe('0 served, 2 refused');
      await advance(1);
      if (algorithm === 'sliding-window') {
        expect(await send(calls, 2)).toBe('0 served, 2 refused');
        await advance(4_999);
        expect(await send(calls, 2)).toBe('0 served, 2 refused');
        await advance(1);
      }
      const again = algorithm === 'token-bucket' ? limit / 2 : limit;
      expect(await send(calls, again + 5)).toBe(`${again} served, 5 refused`);
    },
  );

  it(
    'the dynamic rule: what running workers carry, where that is more',
    { timeout: MINUTES_MS },
    async () => {
      const dialect = { '8/rate-algorithm': algorithm, '8/requests-per-worker': '50' };
      const { send, control } = await serve({ edition, dialect, workers: 10 });
      const hang = {
        method: 'POST',
        path: '/v2/a/run',
        key: 'k',
        body: '{"input":{"plan":[{"hang":true}]}}',
      } as const;
      const purge = { method: 'POST', path: '/v2/a/purge-queue', key: 'k' } as const;
      const cancel = { method: 'POST', path: '/v2/a/cancel/x', key: 'k' } as const;
      expect(await send(hang, 10)).toBe('10 served, 0 refused');
      expect(await send(purge, 505)).toBe('500 served, 5 refused');
      expect(await send(cancel, 505)).toBe('500 served, 5 refused');
      // On another endpoint no worker runs.
      expect(await send({ ...purge, path: '/v2/b/purge-queue' }, 5)).toBe('2 served, 3 refused');
      // One worker carries fewer calls of `/cancel` than the base limit, but more of `/purge-queue`.
      await control.send('PUT', '/endpoints/a', { body: { workers: 1 } });
      expect(await send(hang, 1)).toBe('1 served, 0 refused');
      expect(await send(purge, 55)).toBe('50 served, 5 refused');
      expect(await send(cancel, 105)).toBe('100 served, 5 refused');
    },
  );

  it('/health and /retry have no limit', { timeout: MINUTES_MS }, async () => {
    const { send } = await serve({ edition, dialect: { '8/rate-algorithm': algorithm } });
    const times = WHOLE ? 10_000 : 1_000;
    for (const calls of [
      { method: 'GET', path: '/v2/a/health', key: 'k' },
      { method: 'POST', path: '/v2/a/retry/x', key: 'k' },
    ] as const)
      expect(await send(calls, times)).toBe(`${times} served, 0 refused`);
  });
});

describe.each(EDITIONS)('concurrent calls, edition %s', (edition) => {
  const minute = '{"input":{"plan":[{"sleepMs":60000}]}}';
  const call = (path: string, body: string): Calls => ({
    method: 'POST',
    path: `/v2/a${path}`,
    key: 'k',
    body,
  });

  it.each([
    ['runsync', call('/runsync', BODY)],
    ['openai', call('/openai/v1/models', '{}')],
  ])('%s: 400, and the next when they are over', { timeout: MINUTES_MS }, async (_op, calls) => {
    const { send, later, advance, arrived } = await serve({
      edition,
      dialect: { '4.9/openai-answer': 'worker-decides' },
    });
    // The only worker is busy for a minute, so all the others wait.
    expect(await send(call('/run', minute), 1)).toBe('1 served, 0 refused');
    const first = later(calls, 399);
    await arrived(400);
    const last = later(calls, 1);
    await arrived(401);
    expect(await send(calls, 5)).toBe('0 served, 5 refused');
    // Another key, another endpoint and another operation have room.
    const foreign = later({ ...calls, key: 'l' }, 1);
    await arrived(407);
    expect(await send({ ...calls, path: calls.path.replace('/a/', '/b/') }, 1)).toBe('1 served, 0 refused');
    expect(await send(call('/run', BODY), 1)).toBe('1 served, 0 refused');
    await advance(60_000);
    for (const [waiting, served] of [
      [first, 399],
      [last, 1],
      [foreign, 1],
    ] as const)
      expect(counted(await waiting)).toEqual({ served, refused: 0 });
    expect(await send(calls, 400)).toBe('400 served, 0 refused');
  });

  it(
    'calls that are answered at once are never too many at the same time',
    { timeout: MINUTES_MS },
    async () => {
      const { send } = await serve({ edition });
      expect(await send(call('/run', BODY), 900)).toBe('900 served, 0 refused');
      expect(await send(call('/cancel/x', ''), 90)).toBe('90 served, 0 refused');
    },
  );
});
