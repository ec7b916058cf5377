/** What a job’s own history tells of a state that it cannot be in, and what the harness did beside it. */
import { describe, expect, test } from 'vitest';
import { failed, TraceBuilder } from '../support/trace-builder.js';

const FAR = { ttl: 604_800_000, executionTimeout: 604_800_000 };
const RUNNING = { id: 'a', status: 'IN_PROGRESS', delayTime: 0, executionTime: 0 };
const PLAN = [{ sleepMs: 4_000 }, { return: 1 }];

const shared = (): TraceBuilder =>
  new TraceBuilder(
    null,
    { capabilities: ['scripted-worker', 'webhook-reachable'], clock: 'real', graceMs: 1_000, earlyMs: 20 },
    false,
  );

describe('a record reports a run of the required length', () => {
  const waiting = (policy: object = FAR, plan: readonly object[] = PLAN): TraceBuilder =>
    shared()
      .submitted(0, 'a', [...plan] as never, { ...FAR, ...policy })
      .seen(1_000, 'a', 'IN_QUEUE')
      .seen(4_900, 'a', 'IN_QUEUE');
  const ended = (observed: string, executionTime: number, trace = waiting()): readonly string[] =>
    failed(trace.seen(5_100, 'a', observed, { executionTime, output: 1, error: 'x' }).judged(9_000));

  test('a recent report of IN_QUEUE was wrong', () => {
    expect(ended('COMPLETED', 4_010)).toEqual(['4.3/shows-current-state']);
    expect(ended('FAILED', 4_010, waiting({}, [{ sleepMs: 4_000 }, { fail: 'x' }]))).toEqual([
      '4.3/shows-current-state',
    ]);
    const limited = waiting({ executionTimeout: 5_000 }, [{ hang: true }]);
    expect(ended('TIMED_OUT', 5_004, limited)).toEqual(['4.3/shows-current-state']);
  });

  test('as its webhook call shows', () => {
    const url = 'http://harness.example/a';
    const trace = shared()
      .submitted(0, 'a', PLAN, FAR, { webhook: url })
      .seen(4_900, 'a', 'IN_QUEUE')
      .webhook(5_000, url, 200, {
        id: 'a',
        status: 'COMPLETED',
        delayTime: 0,
        executionTime: 4_000,
        output: 1,
      })
      .seen(5_100, 'a', 'COMPLETED', { executionTime: 4_000, output: 1 });
    expect(failed(trace.judged(9_000))).toEqual(['4.3/shows-current-state']);
  });

  test('a report that it still runs, after its webhook call, is wrong', () => {
    const url = 'http://harness.example/a';
    const called = (executionTime: number): readonly string[] =>
      failed(
        shared()
          .submitted(0, 'a', PLAN, FAR, { webhook: url })
          .seen(200, 'a', 'IN_PROGRESS')
          .webhook(4_100, url, 200, { id: 'a', status: 'COMPLETED', delayTime: 0, executionTime, output: 1 })
          .seen(6_000, 'a', 'IN_PROGRESS')
          .seen(7_500, 'a', 'COMPLETED', { executionTime: 4_000, output: 1 })
          .judged(9_000),
      );
    expect(called(4_000)).toEqual(['4.3/shows-current-state']);
    expect(called(1)).toEqual(['6/no-call-before-completion']);
  });

  test('a run of any other length ended too early', () => {
    expect(ended('COMPLETED', 200)).toEqual(['3/not-completed-before-handler-ends']);
  });
});

test('a job with the plan of another job did not end too early', () => {
  const trace = shared()
    .submitted(0, 'a', [{ hang: true }], FAR)
    .submitted(0, 'b', [{ return: { of: 'b' } }], FAR)
    .submitted(0, 'c', [{ return: { of: 'c' } }], FAR)
    .seen(100, 'b', 'COMPLETED', { output: { of: 'c' } })
    .seen(100, 'c', 'COMPLETED', { output: { of: 'c' } })
    .seen(100, 'a', 'COMPLETED', { output: { done: true } });
  expect(failed(trace.judged(9_000))).toEqual(['2.4/output-of-this-job']);
});

describe('a job that is deleted according to all calls but one', () => {
  const gone = (trace: TraceBuilder, atMs: number): TraceBuilder =>
    trace
      .seen(atMs, 'a', 'GONE')
      .call(atMs + 100, 'cancel', 'a', 200, { id: 'a', status: 'COMPLETED' })
      .call(atMs + 200, 'stream', 'a', 404, { error: 'x' });
  const completed = (policy: object): TraceBuilder =>
    shared()
      .submitted(0, 'a', [{ return: 1 }], { ...FAR, ...policy })
      .seen(100, 'a', 'COMPLETED', { output: 1 });

  test('is deleted: that call must be answered with 404', () => {
    const expired = gone(completed({ ttl: 10_000 }), 11_500).seen(12_000, 'a', 'GONE');
    expect(failed(expired.judged(20_000))).toEqual(['7/ttl-expired-cancel']);
    const kept = gone(completed({}), 1_802_000).seen(1_803_000, 'a', 'GONE');
    expect(failed(kept.judged(1_810_000))).toEqual(['7/result-expired-cancel']);
  });

  test('also if two reads before the call did not find it, and nothing follows', () => {
    const trace = completed({ ttl: 10_000 }).seen(11_500, 'a', 'GONE').seen(11_600, 'a', 'GONE');
    trace.call(11_700, 'cancel', 'a', 200, { id: 'a', status: 'COMPLETED' });
    expect(failed(trace.judged(20_000))).toEqual(['7/ttl-expired-cancel']);
  });

  test('was not deleted if it is found again', () => {
    const back = gone(completed({ ttl: 10_000 }), 9_500).seen(9_900, 'a', 'COMPLETED', { output: 1 });
    expect(failed(back.judged(20_000))).toEqual(['4.3/shows-current-state']);
  });
});

test.each(['0', '-1459', '604800001'])('/status?ttl=%s sets no deadline that a job outlives', (ttl) => {
  const trace = shared()
    .submitted(0, 'a', [{ hang: true }], FAR)
    .seen(200, 'a', 'IN_PROGRESS')
    .call(300, 'status', 'a', 200, RUNNING, { query: { ttl } })
    .seen(13_000, 'a', 'FAILED', { error: 'unknown step hang' });
  expect(failed(trace.judged(20_000))).toEqual(['2.2/execution-timeout-not-early']);
});

describe('a handler that ended with an error', () => {
  const fails = [{ sleepMs: 6_000 }, { fail: 'x' }];
  const ended = (observed: string): TraceBuilder =>
    shared()
      .submitted(0, 'a', fails, { ...FAR, executionTimeout: 9_000 })
      .seen(3_000, 'a', 'IN_PROGRESS', { executionTime: 3_000 })
      .seen(6_100, 'a', observed, { executionTime: 6_002, error: 'x', output: 1 });

  test('is reported as a timeout although the record reports the run of the handler', () => {
    expect(failed(ended('TIMED_OUT').judged(9_000))).toEqual(['3/handler-error-fails-run']);
  });

  test('is never observed FAILED, although its webhook reported an end', () => {
    const url = 'http://harness.example/a';
    for (const observed of ['TIMED_OUT', 'COMPLETED']) {
      const trace = shared()
        .submitted(0, 'a', [{ fail: 'x' }], FAR, { webhook: url })
        .webhook(100, url, 200, { id: 'a', status: observed, error: 'x' })
        .seen(200, 'a', observed, { error: 'x' });
      expect(failed(trace.judged(9_000))).toContain('3/handler-error-fails-run');
      expect(failed(trace.judged(9_000))).not.toContain('3/failed-stays');
    }
  });
});

describe('a job is CANCELLED without a cancel', () => {
  const cancelled = (leaves: readonly string[]): readonly string[] => {
    const trace = shared()
      .submitted(0, 'a', [{ sleepMs: 9_000 }, { return: 1 }], FAR)
      .seen(10, 'a', 'IN_QUEUE')
      .by(1)
      .submitted(20, 'b', [{ hang: true }], FAR)
      .over(1_000, 1, leaves)
      .by(0)
      .seen(2_000, 'a', 'CANCELLED');
    return failed(trace.judged(9_000));
  };

  test('by a cancel of the harness after another script', () => {
    expect(cancelled(['b'])).toEqual(['4.5/this-job-only']);
  });

  test('without one, only its own record is known to be wrong', () => {
    expect(cancelled([])).toEqual(['4.3/shows-current-state']);
  });
});

describe('a job that the harness cancelled when its script was over, met by another script', () => {
  // The id of no job was made from another id, and is a job's after all.
  const met = (leaves: readonly string[], atMs: number): readonly string[] =>
    failed(
      shared()
        .by(1)
        .submitted(20, 'job-5', [{ hang: true }], FAR)
        .over(1_000, 1, leaves)
        .by(0)
        .seen(atMs, 'job-5', 'CANCELLED')
        .judged(9_000),
    );

  test('says nothing of the service', () => {
    expect(met(['job-5'], 2_000)).toEqual([]);
  });

  test('but does where nobody cancelled it, or before', () => {
    expect(met([], 2_000)).not.toEqual([]);
    expect(met(['job-5'], 900)).not.toEqual([]);
  });
});
