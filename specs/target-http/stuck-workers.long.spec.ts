/** Workers that never take a job, in real time: a script that waits for one does not delay others. */
import { describe, expect, it } from 'vitest';
import type { Step } from '../../src/scenario/script.js';
import type { InFlightRequest } from '../../src/target/session/http-client.js';
import { hasNoWorkers, NO_LATENCY, WITHOUT_WORKERS } from '../../src/schedule/latency.js';
import { ObservedWorkers } from '../../src/target/session/observed-workers.js';
import { StuckJobs } from '../../src/target/session/stuck-jobs.js';
import { KEY } from './fake-endpoint.js';
import { playOn, scriptOf, withFake } from './support.js';

const run: Step = { do: 'run', job: 'a', plan: [{ sleepMs: 0 }, { return: 1 }] };

describe.concurrent('a script', () => {
  it.each<readonly [string, (waitMs: number) => readonly Step[]]>([
    [
      'looks for',
      (timeoutMs) => [run, { do: 'await', job: 'a', until: ['COMPLETED'], everyMs: 500, timeoutMs }],
    ],
    [
      'waits for',
      (wait) => [{ do: 'runsync', job: 'a', plan: [{ return: 1 }], planOnRetry: [{ hang: true }], wait }],
    ],
  ])(
    'is not held up by workers that never take the job that it %s',
    { timeout: 60_000 },
    async (_, steps) => {
      await withFake({ neverStarts: true }, { workers: 1 }, async (target) => {
        const [long, short] = [scriptOf(steps(26_000)), scriptOf(steps(1_000))];
        const basic = scriptOf([{ do: 'health' }]);
        const { events } = await playOn(target, [long, short, short, basic]);
        const order = events.flatMap((event) =>
          event.kind === 'script' || event.kind === 'script-end' ? [`${event.kind} ${event.script}`] : [],
        );
        expect(order.indexOf('script-end 3')).toBeLessThan(order.indexOf('script 1'));
        // After 20 s the first has waited in vain, and the next need not wait for its end.
        expect(order.indexOf('script 1')).toBeLessThan(order.indexOf('script-end 0'));
        expect(order).toHaveLength(8);
      });
    },
  );

  it('gives up a call that waits for longer than the run does, plays on, and ends the job that it tells of later', async () => {
    await withFake({ neverStarts: true }, { workers: 2, maxWaitMs: 1_500 }, async (target, fake) => {
      const waits = scriptOf([
        { do: 'runsync', job: 'a', plan: [{ hang: true }], wait: 5_000 },
        { do: 'health' },
      ]);
      const other = scriptOf([{ do: 'health', at: { waitMs: 7_500 } }]);
      const { calls, ends } = await playOn(target, [waits, other]);
      const [held, after] = calls.filter(({ script }) => script === 0);
      expect(held).toMatchObject({ op: 'runsync', reply: null, lost: 'aborted' });
      expect(held!.gaveUpMs! - held!.sentMs).toBeLessThan(4_900);
      expect(after).toMatchObject({ op: 'health', reply: { status: 200 } });
      expect(ends.map(({ outcome }) => outcome)).toEqual(['played', 'played']);
      const headers = { authorization: KEY };
      const job = await fetch(`${fake.url}/v2/shared/status/job-1`, { headers });
      expect(await job.json()).toMatchObject({ status: 'CANCELLED' });
    });
  });
});

describe.concurrent('scripts that need a worker', () => {
  it(
    'look at their own jobs that may keep it, when none is taken and when they are given up',
    { timeout: 90_000 },
    async () => {
      await withFake({ neverStarts: true }, { workers: 1 }, async (target) => {
        const hangs: Step = { do: 'run', job: 'hangs', plan: [{ hang: true }] };
        const waits: Step = { do: 'await', job: 'a', until: ['COMPLETED'], everyMs: 500, timeoutMs: 50_000 };
        const scripts = [
          scriptOf([hangs, run, waits]),
          ...Array.from({ length: 4 }, () => scriptOf([run, waits])),
        ];
        const { calls, summary } = await playOn(target, scripts);
        expect(summary.aborted.length).toBeGreaterThan(2);
        const looks = calls.filter(({ op, label }) => op === 'status' && label === 'hangs');
        expect(looks.length).toBeGreaterThan(1);
        expect(looks.at(-1)!.sentMs - looks[0]!.sentMs).toBeGreaterThan(2_000);
      });
    },
  );

  it.each([
    ['no worker takes a job any more', { neverStarts: true }, [{ crash: true }]],
    ['workers do not end their jobs any more', { stuck: true }, [{ sleepMs: 4_000 }]],
  ] as const)('are not run once %s', { timeout: 120_000 }, async (why, fake, plan) => {
    await withFake(fake, { workers: 3 }, async (target) => {
      const waits = scriptOf([
        { ...run, plan } as Step,
        { do: 'await', job: 'a', until: ['COMPLETED'], everyMs: 500, timeoutMs: 50_000 },
      ]);
      const scripts = [...Array.from({ length: 30 }, () => waits), scriptOf([{ do: 'health' }])];
      const { summary, events } = await playOn(target, scripts);
      const reasons = summary.aborted.map(({ reason }) => reason);
      expect(reasons.length).toBeGreaterThan(10);
      expect(new Set(reasons)).toEqual(new Set([`it waits in vain: ${why}`]));
      expect(summary.finished + reasons.length).toBe(31);
      expect(events.filter(({ kind }) => kind === 'script').length).toBeLessThan(21);
    });
  });
});

describe.concurrent('a target', () => {
  it.each([
    [{ neverStarts: true, fromZero: 'and for good' as const }, {}, true],
    [{ neverStarts: true, fromZero: 'and for good' as const }, { workers: 2 }, false],
    [{ neverStarts: true }, {}, false],
    [{ fromZero: 'and for good' as const }, {}, false],
  ])('%j with %j: without workers is %s', async (fake, options, none) => {
    await withFake(fake, { worker: 'probe', probeMs: 300, ...options }, async ({ latency, notes }) => {
      expect(hasNoWorkers(latency)).toBe(none);
      expect(notes.some((note) => note.includes('no workers'))).toBe(none);
    });
  });
});

describe('a job that waits', () => {
  const waits = (retryMs: number): StuckJobs => {
    const jobs = new StuckJobs();
    jobs.submitted('a', 0);
    for (let atMs = 0; atMs <= 30_000; atMs += 5_000) {
      if (atMs === retryMs) jobs.retried();
      jobs.seen('a', 'IN_QUEUE', atMs);
    }
    return jobs;
  };

  it.each([
    [Infinity, true],
    [5_000, true],
    [10_000, false],
  ])('and was retried at %s ms waits for longer than it should: %s', (retryMs, isStuck) => {
    expect(waits(retryMs).any).toBe(isStuck);
  });

  it('is named if it would not keep a worker for long', () => {
    expect(waits(Infinity).waiting).toBe('a');
    expect(waits(5_000).waiting).toBeNull();
  });

  it('and was retried may run for as long as it likes', () => {
    const jobs = waits(5_000);
    for (let atMs = 40_000; atMs <= 100_000; atMs += 5_000) jobs.seen('a', 'IN_PROGRESS', atMs);
    expect(jobs.any).toBe(false);
  });
});

describe('a call of /runsync', () => {
  const flight = (input: object, wait?: number): InFlightRequest =>
    ({
      call: {
        op: 'runsync',
        mayWait: true,
        query: wait === undefined ? {} : { wait: String(wait) },
        bodyText: JSON.stringify({ input }),
      },
      sentMs: 1_000,
      result: null,
    }) as unknown as InFlightRequest;
  const seen = new ObservedWorkers({ latency: NO_LATENCY, maxWaitMs: 70_000 });

  it.each([
    [{ plan: [{ sleepMs: 500 }] }, 21_500],
    [{ plan: [{ sleepMs: 500 }], planOnRetry: [{ hang: true }] }, 21_500],
    [{ prompt: 'hi' }, 41_000],
    [{ plan: [{ hang: true }] }, Infinity],
  ])('with %j waits in vain from %s ms on', (input, fromMs) => {
    expect(seen.inVainFromMs(flight(input))).toBe(fromMs);
  });

  it('waits in vain after a while, whatever its plan, where there are no workers', () => {
    const none = new ObservedWorkers({ latency: WITHOUT_WORKERS, maxWaitMs: 70_000 });
    expect(none.inVainFromMs(flight({ plan: [{ hang: true }] }))).toBe(6_000);
  });

  it('may wait as long as the run wants to wait for anything', () => {
    expect(seen.tooLongFromMs(flight({}, 70_000))).toBe(Infinity);
    expect(seen.tooLongFromMs(flight({}))).toBe(71_000);
    expect(seen.tooLongFromMs(flight({}, 300_000))).toBe(71_000);
  });
});
