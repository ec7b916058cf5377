/** How late a timer was: at the least while it had not struck, at the most when it had; the grace is the ceiling of all. */
import { describe, expect, test } from 'vitest';
import type { CallEvent } from '../../../src/history/events.js';
import { judge } from '../../../src/oracle/index.js';
import { Lateness } from '../../../src/oracle/ledger/lateness.js';
import { failed, TraceBuilder, verdictOf } from '../support/trace-builder.js';

const END = 2_000_000;
const purged = { removed: 0, status: 'completed' };
const purge = (trace: TraceBuilder, atMs: number, code: number): TraceBuilder =>
  trace.call(atMs, 'purge-queue', null, code, code === 200 ? purged : { error: 'too many' });

describe('the rate window is a timer like any other', () => {
  const full = (): TraceBuilder => purge(purge(purge(new TraceBuilder(0), 0, 200), 0, 200), 0, 429);

  test('within the tolerance it may be late, and its lateness is measured', () => {
    const findings = purge(purge(full(), 10_080, 429), 10_110, 200).judged(END);
    expect(failed(findings)).toEqual([]);
    expect(findings.lateness['rateWindow']).toMatchObject({ maxMs: 80, samples: 1 });
  });

  test('beyond the tolerance the refusal is wrong', () => {
    expect(failed(purge(full(), 10_150, 429).judged(END))).toEqual(['8/rate-purge-queue-recovers']);
  });
});

test('the lateness of a ttl has a lower bound while the job exists, and an upper bound once it is deleted', () => {
  const hang = [{ hang: true }];
  const trace = new TraceBuilder(2)
    .submitted(0, 'a', hang, { ttl: 10_000 })
    .submitted(0, 'b', hang, { ttl: 10_000 })
    .seen(10_060, 'a', 'IN_PROGRESS')
    .seen(10_070, 'b', 'GONE');
  const findings = trace.judged(END);
  expect(findings.lateness['ttl']).toEqual({
    ...{ maxMs: 60, samples: 2, strikes: 1, usualMs: 70 },
    spread: [[100, 1]],
  });
  expect(findings.graceMs).toBe(100);
});

describe('a worker that sleeps often', () => {
  const seenAt = (atMs: number, sleeps: number, clock: 'real' | 'controlled') => {
    const plan = Array.from({ length: sleeps }, () => [
      { stream: 'word' },
      { sleepMs: 2_800 / sleeps },
    ]).flat();
    return new TraceBuilder(1, { clock, graceMs: 2_000, earlyMs: clock === 'real' ? 50 : 0 })
      .submitted(0, 'a', plan)
      .seen(0, 'a', 'IN_PROGRESS')
      .seen(atMs, 'a', 'IN_PROGRESS');
  };

  test('may be late at each sleep in real time', () => {
    expect(failed(seenAt(5_400, 14, 'real').judged(END))).toEqual([]);
    expect(failed(seenAt(31_000, 14, 'real').judged(END))).toEqual(['3/success-completes-run']);
  });

  test('may be late once where it sleeps once, or where the clock is controlled', () => {
    expect(failed(seenAt(5_400, 1, 'real').judged(END))).toEqual(['3/success-completes-run']);
    expect(failed(seenAt(5_400, 14, 'controlled').judged(END))).toEqual(['3/success-completes-run']);
  });
});

describe('a timer that is late once and punctual otherwise', () => {
  const lateOnce = (lateMs: number, allowedMs: number): Lateness => {
    const timer = new Lateness();
    for (let strike = 0; strike < 12; strike += 1) timer.add(0, 40, 2_000);
    expect(timer.outlierWarning('ttl', 2_000)).toBeNull();
    timer.add(lateMs, null, allowedMs);
    return timer;
  };

  test('causes a warning, not a failure', () => {
    const timer = lateOnce(1_800, 2_000);
    expect(timer.finding()).toEqual({
      ...{ maxMs: 1_800, samples: 13, strikes: 12, usualMs: 40 },
      spread: [[50, 12]],
    });
    expect(timer.outlierWarning('ttl', 2_000)).toBe(
      'ttl was once at least 1800 ms late, but usually at most 40 ms (12 times): tolerated, since up to 2000 ms are allowed (--grace)',
    );
  });

  test('later than the grace, it is tolerated for what came on top of it', () => {
    expect(lateOnce(3_155, 4_300).outlierWarning('webhookPause', 2_000)).toBe(
      'webhookPause was once at least 3155 ms late, but usually at most 40 ms (12 times): tolerated, since up to 4300 ms are allowed there: 2000 ms by --grace, 2300 ms for the network and delays of the harness',
    );
  });

  test('later than it may be, it is a failure, and not tolerated', () => {
    expect(lateOnce(3_155, 2_000).outlierWarning('ttl', 2_000)).toBeNull();
  });
});

describe('network latency is measured', () => {
  /** A `/runsync` call answered so long after its wait, beside calls answered in 20 ms. */
  const heldFor = (lateMs: number, clock: 'real' | 'controlled', beside: number) => {
    const trace = new TraceBuilder(null, { clock, graceMs: 2_000, earlyMs: 50 });
    for (let nth = 0; nth < beside; nth += 1)
      trace.call(nth * 100, 'health', null, 200, null, { receivedMs: nth * 100 + 20 });
    const body = { input: { plan: [{ hang: true }] } };
    const receivedMs = 11_000 + lateMs;
    trace.call(
      10_000,
      'runsync',
      null,
      200,
      { id: 'a', status: 'IN_PROGRESS' },
      { body, query: { wait: '1000' }, receivedMs },
    );
    const events = trace.history(END).map((event) => (event.kind === 'call' ? unknownArrival(event) : event));
    return failed(judge(events)).includes('4.1/wait-answers-when-elapsed');
  };
  const unknownArrival = (call: CallEvent): CallEvent => ({ ...call, arrivedByMs: null });

  test.each([
    [3_900, 'real', 10, false],
    [4_100, 'real', 10, true],
    [4_900, 'real', 2, false],
    [5_100, 'real', 2, true],
    [1_900, 'controlled', 10, false],
    [2_100, 'controlled', 10, true],
  ] as const)('%i ms late on a %s clock, %i other calls: too late is %s', (lateMs, clock, beside, late) => {
    expect(heldFor(lateMs, clock, beside)).toBe(late);
  });
});

describe('a service that handles calls one by one, or is far away, is slow and not wrong', () => {
  /** So many `/run` calls sent at once, each answered so long after. */
  const burst = (count: number, tookMs: number): readonly string[] => {
    const trace = new TraceBuilder(null, { clock: 'real', graceMs: 2_000, earlyMs: 50 });
    for (let nth = 0; nth < count; nth += 1)
      trace.call(
        0,
        'run',
        null,
        200,
        { id: `job-${nth}`, status: 'IN_QUEUE' },
        {
          body: { input: { plan: [{ hang: true }] } },
          receivedMs: tookMs,
          ticks: [nth, count + nth],
        },
      );
    return failed(trace.judged(END)).filter((id) => id === '4.2/returns-at-once');
  };

  test.each([
    [1, 4_900, false],
    [1, 5_100, true],
    [400, 10_000, false],
    [400, 20_000, true],
  ] as const)('%i calls at once, answered after %i ms: too late is %s', (count, tookMs, late) => {
    expect(burst(count, tookMs).length > 0).toBe(late);
  });

  /** One `/run` of so many bytes, answered so long after by a harness that ran late itself. */
  const alone = (bytes: number, tookMs: number, harnessLagMs: number): boolean => {
    const trace = new TraceBuilder(null, { clock: 'real', graceMs: 2_000, earlyMs: 50 });
    const body = { input: { plan: [{ hang: true }] } };
    trace.call(0, 'run', null, 200, { id: 'a', status: 'IN_QUEUE' }, { body, receivedMs: tookMs });
    if (harnessLagMs > 0) trace.heldUp(100, 100 + harnessLagMs);
    const events = trace.history(END).map((event) => {
      if (event.kind !== 'call') return event;
      const request = { ...event.request, body: { as: 'json', value: body, bytes } as const };
      return { ...event, request, harnessLagMs };
    });
    return failed(judge(events)).includes('4.2/returns-at-once');
  };

  test.each([
    [100, 9_000, 0, true],
    [100, 9_000, 5_000, false],
    // A lag excuses as much as it lasted, and no more.
    [100, 9_000, 3_000, true],
    [10_000_000, 30_000, 0, false],
    [10_000_000, 60_000, 0, true],
  ] as const)(
    '%i bytes, %i ms, of which the harness lost %i: too late is %s',
    (bytes, tookMs, lagMs, late) => {
      expect(alone(bytes, tookMs, lagMs)).toBe(late);
    },
  );
});

describe('two clocks drift apart by no more than NTP lets them', () => {
  /** A result asked for so long after its job had completed, on a clock of the target's own. */
  const goneAfter = (ms: number, clock: 'real' | 'controlled'): readonly string[] => {
    const own = clock === 'real' ? { earlyMs: 50 } : { earlyMs: 0 };
    const trace = new TraceBuilder(1, { clock, graceMs: 2_000, ...own })
      .submitted(0, 'a', [{ return: 1 }])
      .seen(0, 'a', 'COMPLETED', { output: 1 })
      .seen(ms, 'a', 'GONE');
    return failed(trace.judged(END));
  };

  test.each([
    [1_799_100, 'real', []],
    [1_798_900, 'real', ['4.2/retention-kept']],
    [1_799_999, 'controlled', ['4.2/retention-kept']],
  ] as const)('gone after %i ms of 30 minutes on a %s clock', (ms, clock, expected) => {
    expect(goneAfter(ms, clock)).toEqual(expected);
  });
});

describe('under a controlled clock, an answer that came only because time was moved is late beyond the grace', () => {
  const cancelled = { id: 'a', status: 'CANCELLED' };
  /** A running job is cancelled, and the answer comes when the clock has been moved so far. */
  const cancel = (movedMs: number, patienceMs: number): TraceBuilder => {
    const trace = new TraceBuilder(1, { clock: 'controlled', graceMs: 2_000 })
      .submitted(0, 'a', [{ hang: true }])
      .seen(0, 'a', 'IN_PROGRESS')
      .call(10, 'cancel', 'a', 200, cancelled, { receivedMs: 10 + movedMs });
    const call = trace.events.pop() as CallEvent;
    trace.events.push({ ...call, patienceMs });
    return trace.seen(10 + movedMs, 'a', 'CANCELLED');
  };

  test.each([
    // It was really waited for, with a clock that stood still.
    [5_000, 5_500, 'fail'],
    [2_100, 5_500, 'fail'],
    [2_000, 5_500, 'pass'],
    [0, 0, 'pass'],
    // The target may have been about to answer when the clock was moved.
    [5_000, 300, 'inconclusive'],
    [5_100, 300, 'fail'],
  ])('moved by %i ms, after %i real ms: %s', (movedMs, patienceMs, verdict) => {
    const findings = cancel(movedMs, patienceMs).judged(END);
    expect(verdictOf(findings, '4.5/returns-at-once')).toBe(verdict);
    expect(failed(findings)).toEqual(verdict === 'fail' ? ['4.5/returns-at-once'] : []);
  });

  test.each([
    ['4.2/returns-at-once', 'run', { id: 'b', status: 'IN_QUEUE' }],
    ['4.3/shows-current-state', 'status', { id: 'a', status: 'IN_PROGRESS', delayTime: 0, executionTime: 0 }],
    ['4.6/returns-at-once', 'retry', { id: 'a', status: 'IN_QUEUE' }],
  ] as const)('%s', (id, op, reply) => {
    const trace = new TraceBuilder(1, { clock: 'controlled', graceMs: 2_000 }).submitted(
      0,
      'a',
      op === 'retry' ? [{ fail: 'x' }] : [{ hang: true }],
    );
    if (op === 'retry') trace.seen(1, 'a', 'FAILED');
    const body = op === 'run' ? { body: { input: { plan: [{ hang: true }] } } } : {};
    trace.call(10, op, op === 'run' ? null : 'a', 200, reply, { receivedMs: 3_010, ...body });
    const call = trace.events.pop() as CallEvent;
    trace.events.push({ ...call, patienceMs: 5_500 });
    expect(failed(trace.judged(END))).toEqual([id]);
  });
});

describe('in real time, an operation that is late again and again is late by itself', () => {
  const FAR = { ttl: 604_800_000, executionTimeout: 604_800_000 };
  /** Running jobs are cancelled one after the other, each answered so long after, beside reads that take 3 ms. */
  const cancels = (tookMs: readonly number[], readsMs = 3): TraceBuilder => {
    const trace = new TraceBuilder(null, {
      capabilities: ['scripted-worker'],
      ...{ clock: 'real', graceMs: 2_000, earlyMs: 50 },
    });
    tookMs.forEach((took, nth) => {
      const [atMs, job] = [nth * 60_000, `job-${nth}`];
      trace
        .submitted(atMs, job, [{ hang: true }], FAR)
        .seen(atMs + 10, job, 'IN_PROGRESS')
        .call(atMs + 20, 'health', null, 200, null, { receivedMs: atMs + 20 + readsMs })
        .call(
          atMs + 10_000,
          'cancel',
          job,
          200,
          { id: job, status: 'CANCELLED' },
          { receivedMs: atMs + 10_000 + took },
        );
    });
    return trace;
  };
  const verdict = (trace: TraceBuilder): string => verdictOf(trace.judged(600_000), '4.5/returns-at-once')!;

  test.each([
    ['each after 5 s', [5_001, 5_002, 5_003, 5_001, 5_002], 3, 'fail'],
    ['each after 4 s', [4_000, 4_000, 4_000, 4_000, 4_000], 3, 'fail'],
    ['most of them', [4_000, 2, 4_000, 4_000, 4_000, 2, 4_000], 3, 'fail'],
    ['one of them, which the network may have delayed', [2, 3, 4_000, 2, 3], 3, 'pass'],
    ['within the tolerance of timers', [1_900, 1_900, 1_900, 1_900, 1_900], 3, 'pass'],
    ['too few to know', [4_000, 4_000, 4_000, 4_000], 3, 'inconclusive'],
    ['all operations are slow', [4_000, 4_000, 4_000, 4_000, 4_000], 500, 'inconclusive'],
    ['one of them, longer than any network', [2, 3, 5_500, 2, 3], 3, 'fail'],
  ] as const)('%s', (_, tookMs, readsMs, expected) => {
    expect(verdict(cancels(tookMs, readsMs))).toBe(expected);
  });

  test('an answer that may be late by the network leaves it open for that reason', () => {
    const finding = cancels([4_000])
      .judged(60_000)
      .requirements.find(({ id }) => id === '4.5/returns-at-once')!;
    expect(finding.reason).toBe('the answer took 4000 ms, of which the network may have taken 3000 ms');
  });
});
