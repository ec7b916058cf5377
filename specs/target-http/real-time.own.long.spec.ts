import { describe, expect, it, vi } from 'vitest';
import type { HistoryEvent } from '../../src/history/events.js';
import type { Script, Step } from '../../src/scenario/script.js';
import { saturatedOperations, ClientRateLimiter } from '../../src/schedule/rate-limiter.js';
import { WorkerSlots } from '../../src/schedule/worker-slots.js';
import { playOn, scriptOf, withFake } from './support.js';

const run = (sleepMs: number): Step => ({ do: 'run', job: 'a', plan: [{ sleepMs }, { return: 1 }] });
const status = (waitMs: number): Step => ({ do: 'status', job: 'a', at: { waitMs } });

/** How scripts began and ended. */
const orderOf = (events: readonly HistoryEvent[]): readonly string[] =>
  events.flatMap((event) =>
    event.kind === 'script' || event.kind === 'script-end' ? [`${event.kind} ${event.script}`] : [],
  );

describe('in real time', () => {
  it('lets the waits of all scripts overlap, the longest first', async () => {
    await withFake({}, {}, async (target) => {
      const short = scriptOf([run(0), status(100)], { workers: 0, expectedMs: 100 });
      const long = scriptOf([run(0), status(400)], { workers: 0, expectedMs: 400 });
      const { summary, events, calls } = await playOn(target, [short, short, long, short]);
      expect(summary).toMatchObject({ finished: 4, calls: 8, leftBehind: [] });
      expect(summary.harnessLagMs).toBeGreaterThanOrEqual(0);
      expect(events[0]).toMatchObject({ kind: 'script', script: 2, endpoint: 'shared', fresh: false });
      // All begin before one ends, however slow the machine is.
      expect(orderOf(events).slice(0, 4).sort()).toEqual(['script 0', 'script 1', 'script 2', 'script 3']);
      for (const call of calls) {
        expect(call.arrivedByMs).toBeNull();
        expect(call.receivedMs).toBeGreaterThan(call.sentMs);
      }
    });
  });

  it('plays a script that purges apart from those whose jobs wait, and beside the others', async () => {
    await withFake({}, { dedicated: true, workers: 1 }, async (target) => {
      const purge = scriptOf([{ do: 'purge-queue' }, { do: 'health', at: { waitMs: 100 } }], {
        exclusive: true,
      });
      const crowd = scriptOf([
        { do: 'burst', op: 'run', count: 3, plan: [{ sleepMs: 1 }] },
        { do: 'health', at: { waitMs: 150 } },
      ]);
      const other = scriptOf([{ do: 'health' }, { do: 'health', at: { waitMs: 200 } }]);
      const order = orderOf((await playOn(target, [purge, crowd, other])).events);
      expect(order).toHaveLength(6);
      const [purgeEnds, crowdBegins] = [order.indexOf('script-end 0'), order.indexOf('script 1')];
      const [crowdEnds, purgeBegins] = [order.indexOf('script-end 1'), order.indexOf('script 0')];
      expect(crowdBegins > purgeEnds || purgeBegins > crowdEnds).toBe(true);
      expect(order.slice(0, 2)).toContain('script 2');
    });
  });

  it('holds scripts off an operation whose limit another drives to its end, and no others', async () => {
    await withFake({}, { dedicated: true, workers: 4 }, async (target) => {
      const drives = scriptOf([{ do: 'burst', op: 'cancel', count: 90 }], { exclusive: true });
      const cancels = scriptOf([run(0), { do: 'cancel', job: 'a' }]);
      const reads = scriptOf([run(0), status(0)]);
      const stop = new AbortController();
      const { events } = await playOn(target, [cancels, reads, drives], {
        signal: stop.signal,
        // The limit is whole again after 11 s, of which a busy machine may take some for the way here.
        onProgress: ({ kind, script }) => {
          if (kind === 'script-ended' && script === 1) setTimeout(() => stop.abort(), 600);
        },
      });
      const begun = events.flatMap((event) => (event.kind === 'script' ? [event.script] : []));
      // What needs no worker comes first.
      expect(begun).toEqual([1, 2]);
    });
  });

  it('listens to its signal for all scripts without a warning', async () => {
    const warnings: Error[] = [];
    const warn = (warning: Error): void => void warnings.push(warning);
    process.on('warning', warn);
    await withFake({}, {}, async (target) => {
      const script = scriptOf([status(0), { do: 'health', at: { waitMs: 30 } }], { workers: 0 });
      await playOn(
        target,
        Array.from({ length: 30 }, () => script),
        {
          signal: new AbortController().signal,
        },
      );
    });
    process.off('warning', warn);
    expect(warnings).toEqual([]);
  });

  it('admits scripts only while the workers they want are free', async () => {
    await withFake({}, { workers: 2 }, async (target, fake) => {
      const script = scriptOf([{ do: 'runsync', job: 'a', plan: [{ sleepMs: 120 }] }]);
      const { summary } = await playOn(target, [script, script, script, script, script]);
      expect(summary.finished).toBe(5);
      expect(fake.openCallsMax).toBe(2);
    });
  });

  it('gives the workers of a script to others when its jobs have ended', async () => {
    await withFake({}, { workers: 1 }, async (target) => {
      const waits = scriptOf([run(10), status(20), { do: 'health', at: { waitMs: 2_500 } }], {
        expectedMs: 2_500,
      });
      const { events } = await playOn(target, [waits, scriptOf([run(20), status(30)])]);
      expect(orderOf(events).slice(0, 3)).toEqual(['script 0', 'script 1', 'script-end 1']);
    });
  });

  it('does not wait to see the end of jobs whose plan says it, save those that run again', async () => {
    await withFake({}, { workers: 1 }, async (target) => {
      const unseen = scriptOf([run(10), { do: 'health', at: { waitMs: 5_000 } }]);
      // Still running when it is retried, and by its plan over when the script ends.
      const again = scriptOf([run(900), { do: 'retry', job: 'a' }, { do: 'health', at: { waitMs: 3_000 } }]);
      const secondEventOf = async (first: Script): Promise<string | undefined> =>
        orderOf((await playOn(target, [first, scriptOf([run(20), status(30)])])).events)[1];
      expect(await secondEventOf(unseen)).toBe('script 1');
      expect(await secondEventOf(again)).toBe('script-end 0');
    });
  });

  it('takes a webhook for the end of its job', async () => {
    await withFake({}, { workers: 1 }, async (target) => {
      const webhook = [{ status: 200 }];
      const waits = scriptOf(
        [
          { do: 'run', job: 'a', plan: [{ sleepMs: 30 }], webhook },
          { do: 'pause', at: { waitMs: 1_400 } },
        ],
        { expectedMs: 1_400 },
      );
      const { events } = await playOn(target, [waits, scriptOf([run(20), status(30)])]);
      expect(orderOf(events)[1]).toBe('script 1');
    });
  });

  it('plays every script on an endpoint of its own where control makes them', async () => {
    await withFake({ features: ['endpoints'] }, {}, async (target, fake) => {
      const script = scriptOf(
        [{ do: 'health' }, { do: 'workers', count: 3 }, { do: 'health', at: { waitMs: 1_000 } }],
        {
          exclusive: true,
          workers: 2,
        },
      );
      const { events, summary } = await playOn(target, [script, script, script]);
      expect(orderOf(events).slice(0, 3)).toEqual(['script 0', 'script 1', 'script 2']);
      expect(summary.finished).toBe(3);
      expect(events[0]).toMatchObject({ endpoint: 'runproof-0', fresh: true, workers: 2 });
      expect(events.filter((event) => event.kind === 'workers')).toHaveLength(3);
      expect(fake.log).toContain('DELETE /_control/endpoints/runproof-2');
    });
  });

  it('aborts a script that wants what the target cannot do, and says why', async () => {
    await withFake({}, {}, async (target) => {
      const { summary } = await playOn(target, [scriptOf([{ do: 'workers', count: 3 }])]);
      expect(summary.aborted).toEqual([
        { script: 0, reason: 'the number of workers cannot be changed here' },
      ]);
    });
  });

  it('gives the run up when nobody answers any more', async () => {
    await withFake({}, {}, async (target, fake) => {
      await fake.stop();
      const script = scriptOf([{ do: 'burst', op: 'status', count: 30 }, { do: 'health' }]);
      const { summary, calls } = await playOn(target, [script, script]);
      const reason = 'the target does not answer any more';
      expect(summary.aborted.toSorted((left, right) => left.script - right.script)).toEqual([
        { script: 0, reason },
        { script: 1, reason },
      ]);
      expect(calls.filter((call) => call.lost === 'refused').length).toBeGreaterThanOrEqual(25);
    });
  });

  it('writes down and cancels what a script leaves alive, also when it is interrupted', async () => {
    const createdJobs: string[] = [];
    const written = {
      created: (endpoint: string, id: string) => void createdJobs.push(`+${endpoint}/${id}`),
      ended: (endpoint: string, id: string) => void createdJobs.push(`-${endpoint}/${id}`),
      unanswered: () => undefined,
    };
    await withFake({}, { createdJobs: written }, async (target, fake) => {
      const stop = new AbortController();
      const hanging: Step = { do: 'run', job: 'a', plan: [{ hang: true }] };
      const playing = playOn(
        target,
        [
          scriptOf([
            hanging,
            { do: 'runsync', job: 'b', plan: [{ hang: true }], wait: 1_000 },
            { do: 'health' },
          ]),
        ],
        { signal: stop.signal },
      );
      await vi.waitFor(() => expect(fake.log).toContain('POST /v2/shared/runsync'), 10_000);
      stop.abort();
      const { summary, calls, ends } = await playing;
      // The id of the second job comes when its wait is over: only then it can be ended.
      expect(createdJobs).toEqual(['+shared/job-1', '+shared/job-2', '-shared/job-1', '-shared/job-2']);
      expect(fake.log.slice(-2).sort()).toEqual([
        'POST /v2/shared/cancel/job-1',
        'POST /v2/shared/cancel/job-2',
      ]);
      expect(calls[1]).toMatchObject({ op: 'runsync', lost: null });
      expect(ends).toMatchObject([{ outcome: 'aborted', reason: 'interrupted', leaves: ['job-1', 'job-2'] }]);
      expect(summary.leftBehind).toEqual([]);
    });
  });

  it('records webhooks at the time of their arrival', async () => {
    await withFake({}, {}, async (target) => {
      const { webhooks, calls } = await playOn(target, [
        scriptOf([
          { do: 'run', job: 'a', plan: [{ sleepMs: 100 }, { return: 1 }], webhook: [{ status: 204 }] },
          { do: 'pause', at: { waitMs: 300 } },
        ]),
      ]);
      expect(webhooks).toHaveLength(1);
      expect(webhooks[0]?.answered).toBe(204);
      expect(webhooks[0]?.arrivedMs).toBeGreaterThanOrEqual((calls[0]?.sentMs ?? 0) + 99);
    });
  });
});

describe('the rate allowance', () => {
  it('keeps every operation below its documented limit', () => {
    let nowMs = 0;
    const allowance = new ClientRateLimiter(() => nowMs);
    const admitted: number[] = [];
    for (; nowMs < 40_000; nowMs += 100) {
      if (allowance.waitMs('purge-queue') !== 0) continue;
      allowance.begin('purge-queue');
      allowance.end('purge-queue');
      admitted.push(nowMs);
    }
    expect(admitted).toEqual([0, 100, 11_000, 11_100, 22_000, 22_100, 33_000, 33_100]);
  });

  it('keeps below the concurrency, and lets through what has no limit', () => {
    const allowance = new ClientRateLimiter(() => 0);
    let open = 0;
    for (; allowance.waitMs('cancel') === 0; open += 1) allowance.begin('cancel');
    expect(open).toBe(16);
    expect(allowance.waitMs('cancel')).toBeNull();
    allowance.end('cancel');
    expect(allowance.waitMs('cancel')).toBe(0);
    for (let i = 0; i < 5_000; i += 1) allowance.begin('health');
    expect(allowance.waitMs('health')).toBe(0);
    expect(allowance.waitMs(null)).toBe(0);
  });

  it.each<[string, Step[], string[]]>([
    ['three purges', [{ do: 'purge-queue' }, { do: 'purge-queue' }, { do: 'purge-queue' }], ['purge-queue']],
    ['a purge', [{ do: 'purge-queue' }, { do: 'health' }], []],
    ['a large burst', [{ do: 'burst', op: 'status', count: 401 }, { do: 'health' }], ['status']],
    ['a small burst', [{ do: 'burst', op: 'run', count: 5 }], []],
  ])('is not for limits that a script drives to their end: %s', (_, steps, driven) => {
    expect(saturatedOperations(scriptOf(steps, { exclusive: true }))).toEqual(driven);
    expect(saturatedOperations(scriptOf(steps))).toEqual([]);
  });

  it('tells when a limit is whole again', () => {
    let nowMs = 5_000;
    const allowance = new ClientRateLimiter(() => nowMs);
    expect(allowance.quietInMs(['run'])).toBe(0);
    allowance.begin('run');
    allowance.begin('health');
    nowMs = 8_000;
    expect(allowance.quietInMs(['run', 'status'])).toBe(8_000);
    expect(allowance.quietInMs(['status', 'health'])).toBe(0);
  });
});

describe('worker slots', () => {
  it('are given out while there are enough, and a script that wants too many gets all of them', () => {
    let told = 0;
    const slots = new WorkerSlots(2, () => (told += 1));
    const one = slots.tryAdmit(1);
    expect(slots.tryAdmit(5)).toBeNull();
    expect(slots.tryAdmit(0)).not.toBeNull();
    one?.release();
    one?.release();
    expect(told).toBe(1);
    const all = slots.tryAdmit(5);
    expect(all).not.toBeNull();
    expect(slots.tryAdmit(1)).toBeNull();
    all?.release();
    one?.hold();
    expect(slots.tryAdmit(2)).toBeNull();
  });
});
