import { setTimeout as sleep } from 'node:timers/promises';
import { performance as hooked } from 'node:perf_hooks';
import { describe, expect, it, vi } from 'vitest';
import { processorMs } from '../support/processor-time.js';
import { checkTarget, fetchTarget, type FetchHandler, type Step } from '../../src/index.js';
import { callsOf, endingOf, failuresOf, plain, play, scriptOf } from './support.js';

const DAY_MS = 86_400_000;
const HEALTH: Step = { do: 'raw', method: 'GET', path: '/health', illegal: 'spec' };

/** A handler that answers with what the function says, after what it waits for. */
const saying =
  (say: () => unknown): (() => FetchHandler) =>
  () =>
  async () =>
    Response.json({ status: JSON.stringify(await say()) });

describe('time', () => {
  it('passes in days at once, for all that a program measures it by', async () => {
    const read = (): number[] => [
      Date.now(),
      performance.now(),
      hooked.now(),
      Number(process.hrtime.bigint() / 1_000_000n),
      new Date().getTime(),
    ];
    let first: number[] = [];
    const passed: number[] = [];
    const handler: FetchHandler = () => {
      if (first.length === 0) first = read();
      else passed.push(...read().map((now, index) => Math.round(now - (first[index] ?? 0))));
      return Response.json({});
    };
    const busyMs = processorMs();
    const result = await play(() => handler, [HEALTH, { ...HEALTH, at: { waitMs: 7 * DAY_MS } }], {
      apiKey: null,
    });
    expect(passed).toEqual(Array(5).fill(7 * DAY_MS));
    expect(callsOf(result)).toEqual([`health 0–0 200`, `health ${7 * DAY_MS}–${7 * DAY_MS} 200`]);
    expect(processorMs() - busyMs).toBeLessThan(5_000);
  });

  it.each<[string, () => unknown]>([
    ['setTimeout', () => new Promise((resolve) => setTimeout(resolve, 5_000))],
    ['node:timers/promises', () => sleep(5_000)],
    [
      'AbortSignal.timeout',
      () => new Promise((r) => AbortSignal.timeout(5_000).addEventListener('abort', r)),
    ],
    [
      'setInterval',
      () =>
        new Promise<void>((resolve) => {
          const timer = setInterval(() => (clearInterval(timer), resolve()), 5_000);
        }),
    ],
    [
      'timers one after the other',
      async () => {
        for (let left = 50; left > 0; left -= 1) await new Promise((resolve) => setTimeout(resolve, 100));
      },
    ],
  ])('a handler that waits by %s is answered when it is over', async (_, wait) => {
    const result = await play(saying(wait), [HEALTH], { apiKey: null });
    expect(callsOf(result)).toEqual([expect.stringMatching(/^health 0–5000 200/)]);
  });

  it.each<[string, () => unknown]>([
    ['setImmediate', () => new Promise((resolve) => setImmediate(resolve))],
    ['a timer of no length', () => new Promise((resolve) => setTimeout(resolve, 0))],
    ['a hash of its own thread', () => crypto.subtle.digest('SHA-512', new Uint8Array(5_000_000))],
    ['a file', async () => (await import('node:fs/promises')).readFile('package-lock.json')],
  ])('%s takes no time', async (_, work) => {
    const result = await play(
      saying(async () => void (await work())),
      [HEALTH, HEALTH],
      { apiKey: null },
    );
    expect(callsOf(result)).toEqual(Array(2).fill('health 0–0 200'));
  });

  it('stands still while real work goes on that the handler says to wait for', async () => {
    let open = 0;
    let over = 0;
    const handler: FetchHandler = async ({ method }) => {
      if (method === 'GET') return Response.json({ status: String(over) });
      open += 1;
      // As a database would: nothing of it is seen in this process.
      void crypto.subtle.digest('SHA-512', new Uint8Array(20_000_000)).then(() => {
        open -= 1;
        over += 1;
      });
      return Response.json({});
    };
    const settle = async (): Promise<void> => {
      while (open > 0) await new Promise((resolve) => setImmediate(resolve));
    };
    const steps: Step[] = [
      { do: 'raw', method: 'POST', path: '/work', illegal: 'spec' },
      { ...HEALTH, at: { waitMs: 1 } },
    ];
    const result = await play(() => handler, steps, { apiKey: null, settle });
    expect(callsOf(result)).toEqual(['null 0–0 200', 'health 1–1 200 1']);
  });
});

describe('a handler that looks after its jobs all the time', () => {
  it.each([
    ['an interval of no length', () => void setInterval(() => undefined, 0)],
    [
      'a chain of timers of no length',
      function again(): void {
        setTimeout(again, 0);
      },
    ],
    [
      'a sweep every second',
      () => void setInterval(() => void Promise.resolve().then(() => undefined), 1_000),
    ],
  ])('by %s does not hold the clock', async (_, begin) => {
    const fresh = (): FetchHandler => {
      begin();
      return () => Response.json({});
    };
    const result = await play(fresh, [HEALTH, { ...HEALTH, at: { waitMs: 60_000 } }], { apiKey: null });
    expect(callsOf(result)).toEqual(['health 0–0 200', 'health 60000–60000 200']);
  });
});

describe('the real timers', () => {
  const now = () => ({ setTimeout, setInterval, Date, performance, timeout: AbortSignal.timeout });
  const real = now();

  it('are back after a play', async () => {
    await play(plain, [{ do: 'run', job: 'a' }]);
    expect(now()).toEqual(real);
    await sleep(1);
  });

  it('are back after a factory that fails, and the script says why', async () => {
    const failing = (): never => {
      throw new Error('no database');
    };
    await expect(play(failing, [HEALTH])).rejects.toThrow('no database');
    expect(now()).toEqual(real);
  });

  it('are back after a timer that throws, and the next script is played', async () => {
    const throwing: FetchHandler = () => {
      setTimeout(() => {
        throw new Error('nobody caught this');
      }, 10);
      return Response.json({});
    };
    const target = fetchTarget({ fresh: () => throwing }, { apiKey: null });
    const { history } = await checkTarget(target, {
      scripts: [scriptOf(HEALTH, { ...HEALTH, at: { waitMs: 100 } }), scriptOf(HEALTH)],
    });
    await target.close();
    expect(history.filter((event) => event.kind === 'script-end').map(({ reason }) => reason)).toEqual([
      'the handler threw outside of any call: nobody caught this',
      null,
    ]);
    expect(now()).toEqual(real);
  });

  it('are wanted: a play under faked ones is refused', async () => {
    vi.useFakeTimers();
    try {
      await expect(play(plain, [HEALTH])).rejects.toThrow('vi.useRealTimers');
    } finally {
      vi.useRealTimers();
    }
  });

  it('are lent to one play at a time', async () => {
    const steps: Step[] = [
      { do: 'run', job: 'a', plan: [{ sleepMs: 60_000 }] },
      { do: 'status', job: 'a', at: { waitMs: 70_000 } },
    ];
    const results = await Promise.all([play(plain, steps), play(plain, steps)]);
    expect(results.flatMap(failuresOf)).toEqual([]);
    expect(results.map((result) => callsOf(result).at(-1))).toEqual(
      Array(2).fill('status 70000–70000 200 COMPLETED'),
    );
    expect(now()).toEqual(real);
  });
});

describe('a script that cannot go on', () => {
  it('is given up after its real time', async () => {
    const busy: FetchHandler = () => {
      const again = (): void => void setTimeout(again, 1);
      again();
      return Response.json({});
    };
    const result = await play(() => busy, [HEALTH, { ...HEALTH, at: { waitMs: 7 * DAY_MS } }], {
      apiKey: null,
      scriptTimeoutMs: 200,
    });
    expect(endingOf(result)).toBe('it took more than 200 ms of real time');
  });

  it('ends when it is told to', async () => {
    const target = fetchTarget({ fresh: plain }, { worker: 'scripted' });
    const stop = new AbortController();
    stop.abort();
    const { history } = await checkTarget(target, { scripts: [scriptOf(HEALTH)], signal: stop.signal });
    await target.close();
    expect(history).toHaveLength(1);
  });
});
