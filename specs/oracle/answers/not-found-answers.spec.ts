/** A job that is answered with 404: what that can show of it, and what it cannot. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/history/events.js';
import { failed, TraceBuilder } from '../support/trace-builder.js';

const hang = [{ hang: true }];
const DAY_MS = 86_400_000;
const FAR = { ttl: 7 * DAY_MS, executionTimeout: 7 * DAY_MS };

const cancelled = (trace: TraceBuilder, ms: number, id: string): TraceBuilder =>
  trace.call(ms, 'cancel', id, 200, { id, status: 'CANCELLED' });

describe('a job that is gone before anything can have deleted it', () => {
  test('tells of its ttl, not of the work that it was about to do', () => {
    const trace = new TraceBuilder(1).submitted(0, 'a', [{ sleepMs: 3 * DAY_MS }, { return: 1 }], FAR);
    trace.seen(100, 'a', 'IN_PROGRESS').seen(DAY_MS + 1_000, 'a', 'GONE');
    expect(failed(trace.judged(4 * DAY_MS))).toEqual(['2.2/ttl-not-early-running']);
  });

  test('tells of its ttl, not of the cancel that did not find it', () => {
    const trace = new TraceBuilder(1).submitted(0, 'a', hang, FAR).seen(100, 'a', 'IN_PROGRESS');
    trace.call(2 * DAY_MS, 'cancel', 'a', 404, { error: 'not found' });
    expect(failed(trace.judged(4 * DAY_MS))).toEqual(['2.2/ttl-not-early-running']);
  });

  test('was not created, where its cancel does not find it either, although others are found', () => {
    const trace = new TraceBuilder(null, { capabilities: ['endpoint-in-path'] }, false);
    trace
      .submitted(0, 'k', [{ return: 1 }])
      .seen(10, 'k', 'IN_PROGRESS')
      .seen(20, 'k', 'COMPLETED');
    trace.submitted(100, 'a', [{ return: 1 }]).call(120, 'cancel', 'a', 404, { error: 'no route' });
    expect(failed(trace.seen(140, 'a', 'GONE').judged(9_000))).toEqual(['3/submission-creates-job-run']);
  });

  test('is attributed to an executionTimeout that expires too early elsewhere', () => {
    const trace = new TraceBuilder(2).submitted(0, 'a', hang, FAR).submitted(0, 'b', hang, FAR);
    trace.seen(100, 'a', 'IN_PROGRESS').seen(100, 'b', 'IN_PROGRESS');
    trace.seen(600_000, 'a', 'TIMED_OUT', { executionTime: 600_000 }).seen(DAY_MS, 'b', 'GONE');
    expect(failed(trace.judged(4 * DAY_MS))).toEqual(['2.2/execution-timeout-not-early']);
  });

  test('is attributed to a cancel of another job only if no job is lost without one', () => {
    const lost = new TraceBuilder(2).submitted(0, 'a', hang).submitted(0, 'b', hang);
    lost.seen(100, 'a', 'IN_PROGRESS').seen(100, 'b', 'IN_PROGRESS');
    cancelled(lost, 1_000, 'b').seen(1_500, 'a', 'GONE');
    expect(failed(lost.judged(9_000))).toEqual(['4.5/this-job-only']);
    lost.submitted(2_000, 'c', hang).seen(2_100, 'c', 'IN_PROGRESS').seen(3_000, 'c', 'GONE');
    expect(failed(lost.judged(9_000))).toEqual(['2.2/ttl-default-not-early']);
  });
});

describe('a job seen waiting that is gone milliseconds later, on a shared endpoint', () => {
  const shared = (): TraceBuilder =>
    new TraceBuilder(
      null,
      { capabilities: ['scripted-worker'], clock: 'real', graceMs: 1_000, earlyMs: 20 },
      false,
    );
  /** It may have been dropped from the queue, or have ended unseen. */
  const lost = (trace: TraceBuilder, plan: Json): TraceBuilder =>
    trace.submitted(100, 'lost', plan).seen(110, 'lost', 'IN_QUEUE').seen(150, 'lost', 'GONE');

  test.each([
    ['completes', [{ return: 1 }], 'COMPLETED', { output: 1 }],
    ['fails', [{ fail: 'x' }], 'FAILED', { error: 'x' }],
  ] as const)('was lost, if another that %s is found after its end', (_, plan, status, record) => {
    const trace = shared().submitted(0, 'b', plan).seen(50, 'b', status, record);
    expect(failed(lost(trace, plan).judged(2_000))).toEqual(['3/submission-creates-job-run']);
  });

  test('was not kept, if results of others are not kept', () => {
    const trace = shared()
      .submitted(0, 'b', [{ return: 1 }])
      .seen(50, 'b', 'COMPLETED', { output: 1 });
    trace.seen(60, 'b', 'COMPLETED', { output: 1 }).seen(80, 'b', 'GONE');
    expect(failed(lost(trace, [{ return: 1 }]).judged(2_000))).toEqual(['4.2/retention-kept']);
  });

  test('expired, if its ttl is not much longer than its age', () => {
    const trace = shared()
      .submitted(0, 'b', [{ return: 1 }])
      .seen(50, 'b', 'COMPLETED', { output: 1 });
    trace.submitted(100, 'lost', hang, { ttl: 10_000 }).seen(110, 'lost', 'IN_QUEUE');
    expect(failed(trace.seen(5_000, 'lost', 'GONE').judged(9_000))).toEqual(['2.2/ttl-not-early-queued']);
  });
});

describe('a job that is found again was never deleted', () => {
  test('if its time may have elapsed', () => {
    const trace = new TraceBuilder(1).submitted(0, 'a', [{ fail: 'x' }]).seen(500, 'a', 'FAILED');
    trace.seen(6_000, 'a', 'GONE').seen(6_500, 'a', 'FAILED').seen(7_000, 'a', 'GONE');
    expect(failed(trace.judged(9_000))).toEqual(['4.3/shows-current-state']);
  });

  test('if its time had elapsed, it outlived it', () => {
    const trace = new TraceBuilder(1).submitted(0, 'a', [{ return: 1 }], { ttl: 10_000 });
    trace.seen(500, 'a', 'COMPLETED', { output: 1 });
    trace.call(10_150, 'retry', 'a', 400, { error: 'the job is COMPLETED' });
    trace.seen(10_160, 'a', 'COMPLETED', { output: 1 });
    expect(failed(trace.judged(19_000))).toEqual(['2.2/ttl-removes-completed']);
  });
});

describe('an answer about a job whose time may have elapsed', () => {
  test('is not a contradicting answer', () => {
    const trace = new TraceBuilder(1).call(
      0,
      'runsync',
      null,
      200,
      { id: 'a', status: 'COMPLETED', output: 1, delayTime: 0, executionTime: 0 },
      { body: { input: { plan: [{ return: 1 }] } } },
    );
    trace.seen(95_000, 'a', 'COMPLETED');
    expect(failed(trace.judged(99_000))).toEqual(['4.1/retention-gone']);
  });

  test('is not a refusal for an existing job', () => {
    const trace = new TraceBuilder(1).submitted(0, 'a', hang, { ttl: 10_000 }).seen(100, 'a', 'IN_PROGRESS');
    trace.call(11_000, 'status', 'a', 410, { error: 'gone' });
    expect(failed(trace.judged(19_000))).toEqual(['7/ttl-expired-status']);
  });

  test('is not a loss of chunks', () => {
    const trace = new TraceBuilder(1)
      .submitted(0, 'a', [{ stream: 'x' }, { return: 1 }])
      .seen(500, 'a', 'COMPLETED');
    trace.call(1_801_000, 'stream', 'a', 200, []);
    expect(failed(trace.judged(1_900_000))).toEqual(['7/result-expired-run-stream']);
  });

  test('is not an end that a waiting call should have reported', () => {
    const trace = new TraceBuilder(null, { capabilities: [] }).call(
      0,
      'runsync',
      null,
      200,
      { id: 'a', status: 'COMPLETED', output: 1 },
      { body: { input: { seconds: 8 } }, receivedMs: 8_000 },
    );
    trace.seen(66_000, 'a', 'GONE');
    expect(failed(trace.judged(99_000))).not.toContain('4.1/wait-answers-on-completion');
  });
});

test('a cancel on another endpoint that cancels the job of this one', () => {
  const trace = new TraceBuilder(1).submitted(0, 'a', hang).seen(100, 'a', 'IN_PROGRESS');
  cancelled(trace.on('other'), 1_000, 'a').on('e').seen(1_500, 'a', 'CANCELLED');
  expect(failed(trace.judged(9_000))).toContain('1/endpoints-isolated-cancel');
  expect(failed(trace.judged(9_000))).not.toContain('4.3/shows-current-state');
});
