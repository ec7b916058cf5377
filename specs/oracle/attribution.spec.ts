/** What a job's broken life is laid to: its own history first, and others only where nothing of its own explains it. */
import { describe, expect, test } from 'vitest';
import { failed, TraceBuilder, verdictOf } from './support/trace-builder.js';

const hang = [{ hang: true }];
const FAR = { ttl: 604_800_000, executionTimeout: 604_800_000 };

/** A deployed endpoint that all scripts share. */
const shared = (): TraceBuilder =>
  new TraceBuilder(
    null,
    { capabilities: ['scripted-worker', 'webhook-reachable'], clock: 'real', graceMs: 1_000, earlyMs: 20 },
    false,
  );
const cancel = (trace: TraceBuilder, ms: number, id: string): TraceBuilder =>
  trace.call(ms, 'cancel', id, 200, { id, status: 'CANCELLED' });
const retry = (trace: TraceBuilder, ms: number, id: string): TraceBuilder =>
  trace.call(ms, 'retry', id, 200, { id, status: 'IN_QUEUE' });
const status = (trace: TraceBuilder, ms: number, id: string, observed: string, ttlMs: number): TraceBuilder =>
  trace.call(
    ms,
    'status',
    id,
    200,
    { id, status: observed, delayTime: 0, executionTime: 0 },
    { query: { ttl: String(ttlMs) } },
  );

/** Others that come and go meanwhile: cancelled, ended by their ttl and by their timeouts, retried. */
function busy(trace: TraceBuilder, fromMs: number): TraceBuilder {
  trace
    .submitted(fromMs, 'short', hang, { ...FAR, ttl: 10_000 })
    .submitted(fromMs, 'slow', hang, { ...FAR, executionTimeout: 5_000 })
    .submitted(fromMs, 'stays', hang, FAR)
    .submitted(fromMs, 'goes', hang, FAR)
    .submitted(fromMs, 'fails', [{ fail: 'x' }]);
  for (const id of ['short', 'slow', 'stays', 'goes']) trace.seen(fromMs + 10, id, 'IN_PROGRESS');
  return trace;
}

describe('on an endpoint shared by many scripts', () => {
  test('a job deleted before the ttl set by /status violates that ttl', () => {
    const trace = busy(shared(), 0).submitted(100, 'a', hang, { ...FAR, ttl: 11_000 });
    status(trace.seen(110, 'a', 'IN_PROGRESS'), 200, 'a', 'IN_PROGRESS', 60_000);
    cancel(trace.seen(5_800, 'slow', 'TIMED_OUT', { executionTime: 5_000 }), 6_000, 'goes');
    trace.seen(10_900, 'short', 'GONE').seen(13_000, 'a', 'GONE').seen(13_100, 'stays', 'IN_PROGRESS');
    const findings = trace.judged(14_000);
    expect(failed(findings)).toEqual(['4.3/ttl-lengthens-life']);
  });

  test('a job that outlives a ttl shortened by /status does not show that a ttl can be lengthened', () => {
    const trace = shared().submitted(0, 'a', hang, FAR).seen(10, 'a', 'IN_PROGRESS');
    status(trace, 100, 'a', 'IN_PROGRESS', 20_000).seen(18_000, 'a', 'IN_PROGRESS');
    expect(verdictOf(trace.seen(21_500, 'a', 'GONE').judged(22_000), '4.3/ttl-lengthens-life')).not.toBe(
      'pass',
    );
  });

  test('a job deleted before its own ttl', () => {
    const trace = busy(shared(), 0).submitted(100, 'a', hang, { ...FAR, ttl: 20_000 });
    cancel(trace.seen(110, 'a', 'IN_PROGRESS'), 6_000, 'goes');
    trace.seen(10_900, 'short', 'GONE').seen(11_000, 'a', 'GONE').seen(13_100, 'stays', 'IN_PROGRESS');
    expect(failed(trace.judged(14_000))).toEqual(['2.2/ttl-not-early-running']);
  });

  test('a job still running after its ttl was not requeued by a retry of another job', () => {
    const trace = busy(shared(), 0).submitted(100, 'a', hang, { ...FAR, ttl: 10_000 });
    trace.seen(110, 'a', 'IN_PROGRESS').seen(200, 'fails', 'FAILED');
    retry(trace, 5_000, 'fails').seen(12_000, 'a', 'IN_PROGRESS');
    expect(failed(trace.judged(14_000))).toEqual(['2.2/ttl-removes-running']);
  });

  test('a wrong executionTime is wrong whatever other jobs did', () => {
    const trace = busy(shared(), 0).submitted(100, 'a', [{ sleepMs: 5_000 }, { return: 1 }], FAR);
    cancel(trace.seen(110, 'a', 'IN_PROGRESS'), 4_000, 'goes').seen(200, 'fails', 'FAILED');
    retry(trace, 4_500, 'fails');
    trace.seen(5_500, 'a', 'COMPLETED', { output: 1, executionTime: 100 });
    expect(failed(trace.judged(14_000))).toEqual(['2.4/execution-time-measures-run']);
  });

  test('a job CANCELLED without a cancel is attributed to a cancel of another job by its own script', () => {
    const trace = busy(shared(), 0).submitted(100, 'a', hang, FAR).seen(110, 'a', 'IN_PROGRESS');
    cancel(trace, 4_000, 'goes').seen(4_100, 'a', 'CANCELLED').seen(4_200, 'stays', 'IN_PROGRESS');
    expect(failed(trace.judged(14_000))).toEqual(['4.5/this-job-only']);
  });

  test('and to a cancel by another script only if no similar job survived that', () => {
    const trace = busy(shared().by(1), 0).by(0).submitted(100, 'a', hang, FAR).seen(110, 'a', 'IN_PROGRESS');
    cancel(trace.by(1), 4_000, 'goes').by(0).seen(4_100, 'a', 'CANCELLED');
    expect(failed(trace.judged(14_000))).toEqual(['4.5/this-job-only']);
    trace.seen(4_200, 'stays', 'IN_PROGRESS');
    expect(failed(trace.judged(14_000))).toEqual(['4.3/shows-current-state']);
  });

  test('all jobs deleted at the instant at which the ttl of another one elapses', () => {
    const gone = (long: boolean): TraceBuilder => {
      const one = shared().submitted(0, 'old', hang).seen(10, 'old', 'IN_PROGRESS');
      if (long) one.seen(19_000, 'old', 'IN_PROGRESS');
      one
        .submitted(20_000, 'short', hang, { ...FAR, ttl: 10_000 })
        .submitted(20_000, 'a', hang)
        .submitted(20_000, 'b', hang);
      for (const id of ['short', 'a', 'b']) one.seen(29_000, id, 'IN_PROGRESS');
      for (const id of ['short', 'a', 'b']) one.seen(31_000, id, 'GONE');
      return one;
    };
    expect(failed(gone(true).judged(34_000))).toEqual(['2.2/ttl-this-job-only']);
    // Where no job ever lived so long, none is needed to explain it.
    expect(failed(gone(false).judged(34_000))).toEqual(['2.2/ttl-default-not-early']);
  });

  test('several jobs deleted, each when the ttl that /status set for another had elapsed for it', () => {
    const trace = shared()
      .submitted(0, 'old', hang)
      .seen(10, 'old', 'IN_PROGRESS')
      .seen(40_000, 'old', 'IN_PROGRESS');
    for (const [ms, id] of [
      [50_000, 'a'],
      [55_000, 'b'],
      [58_000, 'asked'],
    ] as const)
      trace.submitted(ms, id, hang).seen(ms + 100, id, 'IN_PROGRESS');
    status(trace, 59_000, 'asked', 'IN_PROGRESS', 12_000);
    cancel(trace, 61_000, 'old').seen(61_500, 'a', 'IN_PROGRESS').seen(63_500, 'a', 'GONE');
    trace.seen(66_000, 'b', 'IN_PROGRESS').seen(69_000, 'b', 'GONE').seen(72_500, 'asked', 'GONE');
    expect(failed(trace.judged(74_000))).toEqual(['4.3/ttl-this-job-only']);
  });

  test('of two contradicting times, the one that is wrong elsewhere is wrong', () => {
    const trace = shared()
      .submitted(0, 'a', [{ sleepMs: 8_000 }, { return: 1 }], FAR)
      .seen(10, 'a', 'IN_PROGRESS');
    trace.seen(8_500, 'a', 'COMPLETED', { output: 1, executionTime: 0, delayTime: 10 });
    trace.submitted(10_000, 'b', [{ sleepMs: 1_900 }, { return: 1 }], FAR).seen(10_010, 'b', 'IN_PROGRESS');
    trace.seen(12_000, 'b', 'COMPLETED', { output: 1, executionTime: 0, delayTime: 4 });
    expect(failed(trace.judged(24_000))).toEqual(['2.4/execution-time-measures-run']);
  });

  test('a call refused by another endpoint has no effect here', () => {
    const trace = shared()
      .submitted(100, 'a', hang, { ...FAR, ttl: 20_000 })
      .seen(110, 'a', 'IN_PROGRESS');
    trace.on('other').call(4_000, 'purge-queue', null, 429, { error: 'slow down' }).on('e');
    trace.seen(11_000, 'a', 'GONE');
    expect(failed(trace.judged(14_000))).toEqual(['2.2/ttl-not-early-running']);
  });
});

describe('a specific cause is named', () => {
  test('a result that can be read only once', () => {
    const trace = shared()
      .submitted(0, 'a', [{ return: 1 }])
      .seen(500, 'a', 'COMPLETED', { output: 1 });
    trace
      .seen(3_000, 'a', 'GONE')
      .submitted(0, 'b', [{ fail: 'x' }])
      .seen(500, 'b', 'FAILED');
    expect(failed(trace.seen(3_500, 'b', 'GONE').judged(14_000))).toEqual(['4.3/reading-does-not-consume']);
  });

  test('the same, although some results were read again later', () => {
    const trace = shared()
      .submitted(0, 'a', [{ return: 1 }])
      .seen(500, 'a', 'COMPLETED', { output: 1 });
    trace.submitted(0, 'b', [{ return: 1 }]).seen(500, 'b', 'COMPLETED', { output: 1 });
    trace.seen(3_000, 'a', 'GONE').seen(20_000, 'b', 'GONE');
    expect(failed(trace.judged(24_000))).toEqual(['4.3/reading-does-not-consume']);
  });

  test('a retried job deleted by the retention timer of its earlier result', () => {
    const trace = shared().submitted(0, 'a', [{ sleepMs: 30_000 }, { fail: 'x' }], FAR);
    trace.seen(10, 'a', 'IN_PROGRESS').seen(30_500, 'a', 'FAILED', { executionTime: 30_000 });
    retry(trace, 85_000, 'a').seen(85_100, 'a', 'IN_PROGRESS').seen(92_000, 'a', 'GONE');
    expect(failed(trace.judged(94_000))).toEqual(['4.6/retried-job-not-expired']);
  });

  test('a job not found for a while was not deleted', () => {
    const trace = shared().submitted(0, 'a', [{ sleepMs: 5_000 }, { return: 1 }]);
    trace.seen(1_000, 'a', 'GONE').seen(6_000, 'a', 'COMPLETED', { output: 1 });
    expect(failed(trace.judged(14_000))).toEqual(['4.3/shows-current-state']);
  });

  test('a job never found by its id, and one that may have ended and been deleted', () => {
    const trace = shared().submitted(0, 'a', hang).seen(500, 'a', 'GONE').seen(9_000, 'a', 'GONE');
    expect(failed(trace.judged(10_000))).toEqual(['3/submission-creates-job-run']);
    const failing = shared()
      .submitted(0, 'b', [{ fail: 'x' }])
      .seen(500, 'b', 'GONE');
    expect(failed(failing.judged(10_000))).toEqual(['3/failed-stays']);
  });

  test.each([
    [404, []],
    [405, []],
    [501, ['7/no-500-in-normal-use']],
  ] as const)('/cancel that does not exist: %s to every call', (code, ids) => {
    const trace = shared();
    for (const [index, job] of ['a', 'b', 'c', 'd'].entries()) {
      trace.submitted(index * 10_000, job, hang).seen(index * 10_000 + 10, job, 'IN_PROGRESS');
      trace.call(index * 10_000 + 500, 'cancel', job, code, { error: 'not found' });
      trace.seen(index * 10_000 + 600, job, 'IN_PROGRESS');
    }
    expect(failed(trace.judged(64_000))).toEqual(['4/operation-cancel', ...ids]);
  });

  test('a cancel refused before any read of the job', () => {
    const trace = shared().submitted(0, 'a', hang).call(500, 'cancel', 'a', 404, { error: 'not found' });
    expect(failed(trace.seen(900, 'a', 'IN_PROGRESS').judged(2_000))).toEqual(['3/cancel-running']);
  });
});

describe('on an endpoint created for the script', () => {
  test('a ttl that elapsed before the job existed did not remove a job with a ttl of its own', () => {
    const trace = new TraceBuilder(2)
      .submitted(0, 'a', hang, { ...FAR, ttl: 10_999 })
      .seen(10, 'a', 'IN_PROGRESS');
    trace.seen(13_000, 'a', 'GONE').submitted(13_000, 'b', hang, { ...FAR, ttl: 119_999 });
    trace.seen(13_010, 'b', 'IN_PROGRESS').seen(132_799, 'b', 'GONE');
    expect(failed(trace.judged(140_000))).toEqual(['2.2/ttl-not-early-running']);
  });

  test('a job without a ttl may have taken it over', () => {
    const trace = new TraceBuilder(2)
      .submitted(0, 'a', hang, { ...FAR, ttl: 10_999 })
      .seen(10, 'a', 'IN_PROGRESS');
    trace.seen(13_000, 'a', 'GONE').submitted(13_000, 'b', hang);
    trace.seen(13_010, 'b', 'IN_PROGRESS').seen(30_000, 'b', 'GONE');
    expect(failed(trace.judged(40_000))).toEqual(['2.2/ttl-this-job-only']);
  });

  const refused = { auth: 'wrong' } as const;
  test('a job not found was purged without a key, if a cancel without a key had no effect on another', () => {
    const trace = new TraceBuilder(1).submitted(0, 'runs', hang, FAR).seen(10, 'runs', 'IN_PROGRESS');
    trace.submitted(20, 'waits', hang, FAR);
    for (const id of ['runs', 'waits']) trace.call(30, 'cancel', id, 401, {}, refused);
    trace.call(40, 'purge-queue', null, 401, {}, refused).seen(2_000, 'runs', 'IN_PROGRESS');
    expect(failed(trace.seen(2_010, 'waits', 'GONE').judged(3_000))).toEqual([
      '5/unauthorized-purge-has-no-effect',
    ]);
  });
});

describe('attribution by what other jobs prove', () => {
  test('a successful cancel of an expired job does not prove that the job still exists', () => {
    const trace = new TraceBuilder(2)
      .submitted(0, 'a', hang, { ...FAR, ttl: 10_000 })
      .seen(10, 'a', 'IN_PROGRESS');
    trace.submitted(20, 'b', hang, { ...FAR, ttl: 10_000 }).seen(30, 'b', 'IN_PROGRESS');
    cancel(cancel(trace.seen(12_500, 'a', 'GONE'), 12_600, 'a'), 12_700, 'b').seen(12_800, 'b', 'GONE');
    expect(failed(trace.judged(13_000))).toEqual(['7/ttl-expired-cancel']);
  });

  test('a job that no purge removes kept waiting', () => {
    const trace = new TraceBuilder(null).submitted(0, 'hog', hang, FAR).seen(10, 'hog', 'IN_PROGRESS');
    trace.submitted(30, 'b', hang, FAR);
    trace.call(2_000, 'purge-queue', null, 200, { removed: 2, status: 'completed' });
    cancel(trace.seen(3_000, 'b', 'IN_QUEUE'), 7_000, 'hog');
    const record = { id: 'a', status: 'COMPLETED', delayTime: 6_980, executionTime: 100, output: 1 };
    trace.call(20, 'runsync', null, 200, record, {
      body: { input: { plan: [{ sleepMs: 100 }, { return: 1 }] } },
      query: { wait: '60000' },
      receivedMs: 7_100,
      ticks: [3.5, 40],
    });
    const findings = failed(trace.judged(7_300));
    expect(findings).toContain('4.7/removes-all-waiting');
    expect(findings).not.toContain('2.4/delay-time-measures-waiting');
  });
});

describe('where nothing tells which of two requirements is violated', () => {
  const orOf = (trace: TraceBuilder): readonly (readonly [string, readonly string[] | undefined])[] =>
    trace
      .judged(14_000)
      .requirements.flatMap(({ id, failures }) => failures.map(({ or }) => [id, or] as const));
  /** It fails before its timeout and before its handler ends: either did not hold. */
  const endsEarly = (trace: TraceBuilder, id: string): TraceBuilder =>
    trace
      .submitted(100, id, [{ sleepMs: 9_000 }, { fail: 'x' }], FAR)
      .seen(110, id, 'IN_PROGRESS')
      .seen(4_000, id, 'FAILED', { executionTime: 3_890, error: 'x' });

  test('both are named', () => {
    const [[id, or] = ['', []]] = orOf(endsEarly(new TraceBuilder(null), 'a'));
    expect([id, ...(or ?? [])].sort()).toEqual([
      '2.2/execution-timeout-not-early',
      '3/not-completed-before-handler-ends',
    ]);
  });

  test('one alone is, if another job shows that the other is kept', () => {
    const trace = endsEarly(new TraceBuilder(null), 'a');
    trace.submitted(120, 'b', hang, { ...FAR, executionTimeout: 10_000 }).seen(130, 'b', 'IN_PROGRESS');
    trace.seen(9_500, 'b', 'IN_PROGRESS').seen(10_200, 'b', 'TIMED_OUT', { executionTime: 10_000 });
    expect(orOf(trace)).toEqual([['3/not-completed-before-handler-ends', undefined]]);
  });
});
