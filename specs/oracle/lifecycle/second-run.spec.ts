/** A run that nobody asked for, what it is laid to, and which of two times a record tells wrongly. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/history/events.js';
import { failed, TraceBuilder } from '../support/trace-builder.js';

const hang = [{ hang: true }];
const FAR = { ttl: 604_800_000, executionTimeout: 604_800_000 };

const planned = (
  trace: TraceBuilder,
  atMs: number,
  id: string,
  plan: Json,
  planOnRetry: Json,
): TraceBuilder =>
  trace.call(atMs, 'run', null, 200, { id, status: 'IN_QUEUE' }, { body: { input: { plan, planOnRetry } } });
const retry = (trace: TraceBuilder, atMs: number, code: number, id = 'a'): TraceBuilder =>
  trace.call(atMs, 'retry', id, code, code === 200 ? { id, status: 'IN_QUEUE' } : { error: 'no' });

const ONCE = [{ sleepMs: 3_000 }, { return: 'only run' }];
const TWICE = [{ sleepMs: 300 }, { return: 'ran twice' }];

describe('a job that was retried while running and reports a second run', () => {
  const retried = (code: number): TraceBuilder => {
    const trace = planned(new TraceBuilder(), 0, 'a', ONCE, TWICE).seen(0, 'a', 'IN_PROGRESS');
    return retry(trace, 1_500, code).seen(1_500, 'a', 'IN_PROGRESS');
  };

  test('before the first can have ended', () => {
    const trace = retried(200).seen(2_400, 'a', 'COMPLETED', { output: 'ran twice', executionTime: 300 });
    trace.seen(6_000, 'a', 'COMPLETED', { output: 'only run', executionTime: 300 });
    expect(failed(trace.judged(7_000))).toEqual(['4.6/no-effect-in-progress']);
  });

  test('after the first, although the retry was refused', () => {
    const trace = retried(400).seen(3_500, 'a', 'COMPLETED', { output: 'ran twice', executionTime: 300 });
    expect(failed(trace.judged(7_000))).toEqual(['4.6/no-effect-in-progress']);
  });

  test('like a job that was not retried: the retry is not the cause', () => {
    const trace = planned(retried(400), 0, 'b', ONCE, TWICE);
    trace.seen(3_500, 'b', 'COMPLETED', { output: 'ran twice', executionTime: 300 });
    trace.seen(3_500, 'a', 'COMPLETED', { output: 'ran twice', executionTime: 300 });
    expect(failed(trace.judged(7_000))).not.toContain('4.6/no-effect-in-progress');
    expect(failed(trace.judged(7_000))).toContain('1/job-processed-once');
  });
});

test('a job that runs too long after two concurrent retries was requeued by both', () => {
  const trace = planned(
    new TraceBuilder(),
    0,
    'a',
    [{ fail: 'x' }],
    [{ sleepMs: 6_000 }, { return: 'again' }],
  );
  trace.seen(0, 'a', 'FAILED');
  const reply = { id: 'a', status: 'IN_QUEUE' };
  trace.call(10, 'retry', 'a', 200, reply, { ticks: [10, 13] });
  trace.call(10, 'retry', 'a', 200, reply, { ticks: [11, 12] });
  trace.seen(20, 'a', 'IN_PROGRESS').seen(6_500, 'a', 'IN_PROGRESS').seen(12_500, 'a', 'COMPLETED', {
    output: 'again',
    executionTime: 6_000,
  });
  expect(failed(trace.judged(13_000))).toEqual(['4.6/retries-at-once-requeue-once']);
});

describe('a record that reports a success', () => {
  test('and gets its output later came too early, and reading did not change it', () => {
    const trace = planned(new TraceBuilder(), 0, 'a', [{ sleepMs: 3_000 }, { return: 'done' }], []);
    trace.seen(100, 'a', 'COMPLETED').seen(4_000, 'a', 'COMPLETED', { output: 'done' });
    expect(failed(trace.judged(5_000))).toEqual([
      '2.4/output-in-status',
      '3/not-completed-before-handler-ends',
    ]);
  });

  test('before its handler can have failed is too early, whatever the handler does then', () => {
    const trace = planned(new TraceBuilder(), 0, 'a', [{ sleepMs: 3_000 }, { fail: 'x' }], []);
    trace.seen(100, 'a', 'COMPLETED');
    expect(failed(trace.judged(5_000))).toEqual(['3/not-completed-before-handler-ends']);
  });
});

test('a handler succeeds even if its output is too large for some services', () => {
  const trace = planned(new TraceBuilder(), 0, 'a', [{ returnBytes: 5_000_000 }], []);
  trace.seen(0, 'a', 'IN_PROGRESS').seen(1_000, 'a', 'IN_PROGRESS').seen(2_000, 'a', 'IN_PROGRESS');
  expect(failed(trace.judged(3_000))).toEqual(['3/success-completes-run']);
});

describe('two reported times', () => {
  /** A job that waited for an hour and ran for 8 s, after one that did not wait. */
  const waited = (delayTime: number, executionTime: number): TraceBuilder => {
    const trace = new TraceBuilder(1).submitted(0, 'first', [{ sleepMs: 5_000 }, { return: 1 }], FAR);
    trace.seen(0, 'first', 'IN_PROGRESS');
    trace.seen(5_000, 'first', 'COMPLETED', { output: 1, delayTime: 0, executionTime: 5_000 });
    trace.submitted(10_000, 'hog', hang, FAR).seen(10_000, 'hog', 'IN_PROGRESS');
    trace.submitted(10_000, 'a', [{ sleepMs: 8_000 }, { return: 1 }], FAR).seen(3_610_000, 'a', 'IN_QUEUE');
    trace.call(3_610_000, 'cancel', 'hog', 200, { id: 'hog', status: 'CANCELLED' });
    trace.seen(3_610_000, 'a', 'IN_PROGRESS').seen(3_618_000, 'a', 'IN_PROGRESS');
    return trace.seen(3_618_000, 'a', 'COMPLETED', { output: 1, delayTime, executionTime });
  };

  test('the one that alone explains the record is wrong', () => {
    expect(failed(waited(3_600_000, 8_000).judged(3_620_000))).toEqual([]);
    expect(failed(waited(3_600_000, 3_608_000).judged(3_620_000))).toEqual([
      '2.4/execution-time-measures-run',
    ]);
    expect(failed(waited(3_608_000, 8_000).judged(3_620_000))).toEqual(['2.4/delay-time-measures-waiting']);
  });
});

test('a run reported as too long was too long if others are observed to be', () => {
  const body = { input: { plan: [{ return: 1 }] } };
  const record = { id: 'a', status: 'COMPLETED', output: 1, delayTime: 0, executionTime: 60_000 };
  const trace = new TraceBuilder().call(0, 'runsync', null, 200, record, { body, receivedMs: 60_000 });
  expect(failed(trace.judged(70_000))).toContain('2.4/execution-time-measures-run');
  const waiting = { body, query: { wait: '1000' }, receivedMs: 61_000 };
  trace.call(60_000, 'runsync', null, 200, { id: 'b', status: 'IN_PROGRESS' }, waiting);
  trace.seen(61_500, 'b', 'IN_PROGRESS').seen(65_000, 'b', 'IN_PROGRESS');
  expect(failed(trace.judged(70_000))).toContain('3/success-completes-runsync');
  expect(failed(trace.judged(70_000))).not.toContain('2.4/execution-time-measures-run');
});

test('a job reported CANCELLED only by its own call, and COMPLETED before it can have run, was not cancelled', () => {
  const trace = new TraceBuilder(1).submitted(0, 'hog', hang, FAR).seen(0, 'hog', 'IN_PROGRESS');
  trace.submitted(0, 'a', [{ sleepMs: 3_000 }, { return: 1 }]);
  trace.call(10, 'cancel', 'a', 200, { id: 'a', status: 'CANCELLED' }).seen(20, 'a', 'COMPLETED');
  expect(failed(trace.judged(1_000))).toEqual(['3/cancel-queued']);
});

test.each([
  ['ended by the default of the endpoint has lost its policy', 601_000, ['4.6/keeps-policy']],
  ['ended before it was ended early', 300_000, ['2.2/execution-timeout-not-early']],
])('a run after a retry that is %s', (_, afterMs, ids) => {
  const plan = [{ fail: 'broken' }];
  const trace = new TraceBuilder(1);
  const input = { plan, planOnRetry: hang };
  const body = { input, policy: { executionTimeout: 604_800_000, ttl: 604_800_000 } };
  trace.call(0, 'run', null, 200, { id: 'a', status: 'IN_QUEUE' }, { body }).seen(50, 'a', 'FAILED');
  trace.call(100, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' }).seen(150, 'a', 'IN_PROGRESS');
  trace.seen(100 + afterMs, 'a', 'TIMED_OUT');
  expect(failed(trace.judged(1_000_000))).toEqual(ids);
});

test.each([
  ['609.5 s', 609_500],
  ['half that', 300_000],
])('a refused retry of a run that may have lost its policy is no error: it ended by %s', (_, endedByMs) => {
  const trace = new TraceBuilder(1).submitted(0, 'a', hang, { executionTimeout: 5_000 });
  trace.call(8_800, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' }).seen(10_000, 'a', 'IN_PROGRESS');
  trace.call(39_500, 'retry', 'a', 400, { error: 'it runs' }).seen(endedByMs, 'a', 'TIMED_OUT');
  expect(failed(trace.judged(700_000))).toEqual(['4.6/keeps-policy']);
});
