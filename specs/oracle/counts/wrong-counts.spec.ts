/** A wrong count is laid to what may explain it, unless the counter is wrong where nothing does. */
import { expect, test } from 'vitest';
import { attributeCounts } from '../../../src/oracle/counts/wrong-counts.js';
import { judge } from '../../../src/oracle/index.js';
import { Ledger } from '../../../src/oracle/ledger/ledger.js';
import type { RequirementId } from '../../../src/spec/index.js';
import { failed, TraceBuilder } from '../support/trace-builder.js';

const health = (trace: TraceBuilder, ms: number, inQueue: number): TraceBuilder =>
  trace.call(ms, 'health', null, 200, {
    jobs: { completed: 0, failed: 0, inProgress: 0, inQueue, retried: 0 },
    workers: { idle: 0, running: 0 },
  });
const cancelled = (trace: TraceBuilder): TraceBuilder =>
  trace
    .submitted(1_000, 'a', [{ hang: true }])
    .seen(1_500, 'a', 'IN_QUEUE')
    .call(2_000, 'cancel', 'a', 200, { id: 'a', status: 'CANCELLED' });

test('a cancelled job explains a count that is one too high', () => {
  const trace = health(cancelled(health(new TraceBuilder(0), 0, 0)), 3_000, 1).seen(3_500, 'a', 'CANCELLED');
  expect(failed(trace.judged(4_000))).toEqual(['3/cancelled-leaves-queue']);
});

test('but not if the count was one too high before', () => {
  const trace = health(cancelled(health(new TraceBuilder(0), 0, 1)), 3_000, 1).seen(3_500, 'a', 'CANCELLED');
  expect(failed(trace.judged(4_000))).toEqual(['4.8/counts-in-queue']);
});

test('a wrong count fails as well where no failure is kept to be shown', () => {
  const history = health(new TraceBuilder(0), 0, 1).history(4_000);
  expect(failed(judge(history, { failuresMax: 0 }))).toEqual(['4.8/counts-in-queue']);
});

test('nor does it explain a count that is two too high', () => {
  const trace = health(cancelled(health(new TraceBuilder(0), 0, 0)), 3_000, 2).seen(3_500, 'a', 'CANCELLED');
  expect(failed(trace.judged(4_000))).toEqual(['4.8/counts-in-queue']);
});

test('a retry refused for its key explains a count of one retry', () => {
  const counted = (trace: TraceBuilder, ms: number, retried: number): TraceBuilder =>
    trace.call(ms, 'health', null, 200, {
      jobs: { completed: 0, failed: 1, inProgress: 0, inQueue: 0, retried },
      workers: { idle: 1, running: 0 },
    });
  const trace = new TraceBuilder().submitted(0, 'a', [{ fail: 'x' }]).seen(200, 'a', 'FAILED');
  trace.call(300, 'retry', 'a', 401, { error: 'no' }, { auth: 'wrong' });
  expect(failed(counted(trace, 3_000, 1).judged(4_000))).toEqual(['5/unauthorized-retry-has-no-effect']);
  const plain = new TraceBuilder().submitted(0, 'a', [{ fail: 'x' }]).seen(200, 'a', 'FAILED');
  expect(failed(counted(plain, 3_000, 1).judged(4_000))).toEqual(['4.8/retried-counts-nothing-else']);
});

test('a count decides nothing if a requirement that its expected value assumes is violated', () => {
  const seen = { script: 0, scenario: 'told', actual: 'one too many', proof: [], calls: [1], originMs: 0 };
  const settled = (broken: RequirementId | null): number => {
    const ledger = new Ledger();
    ledger.miscount('4.8/counts-in-queue', [], ['1/free-worker-takes-job'], seen);
    if (broken !== null) ledger.fail(broken, seen);
    attributeCounts(ledger);
    const { failed: times, inconclusiveReasons: doubts } = ledger.entries.get('4.8/counts-in-queue')!;
    expect(doubts.size).toBe(1 - times);
    return times;
  };
  expect(settled(null)).toBe(1);
  expect(settled('1/waits-when-no-worker-free')).toBe(1);
  expect(settled('1/free-worker-takes-job')).toBe(0);
});

test('nor if a refused purge is the cause of another wrong count', () => {
  const trace = new TraceBuilder(0);
  const purge = (ms: number, code: number): TraceBuilder =>
    trace.call(ms, 'purge-queue', null, code, code === 200 ? { removed: 0, status: 'completed' } : {});
  purge(0, 200);
  purge(1, 200);
  trace.submitted(10, 'a', [{ hang: true }]);
  purge(20, 429);
  health(trace, 3_000, 0);
  purge(20_000, 200);
  expect(failed(trace.judged(21_000))).toEqual(['8/refused-call-has-no-effect']);
});

test('a deleted job that is still counted makes no worker idle', () => {
  const trace = new TraceBuilder(1).submitted(0, 'runs', [{ hang: true }], { ttl: 604_800_000 });
  trace.seen(10, 'runs', 'IN_PROGRESS').submitted(20, 'waits', [{ hang: true }], { ttl: 10_000 });
  trace.seen(30, 'waits', 'IN_QUEUE');
  const health = (atMs: number, inQueue: number, idle: number): TraceBuilder =>
    trace.call(atMs, 'health', null, 200, {
      jobs: { completed: 0, failed: 0, inProgress: 1, inQueue, retried: 0 },
      workers: { idle, running: 1 },
    });
  health(5_000, 1, 0).seen(12_000, 'waits', 'GONE');
  health(15_000, 0, 2);
  expect(failed(trace.judged(16_000))).toEqual(['4.8/counts-workers-idle']);
});

test('jobs that a purge left in the queue may complete and are counted', () => {
  const trace = new TraceBuilder(0).submitted(0, 'a', [{ return: 1 }]).submitted(10, 'b', [{ return: 1 }]);
  trace.call(1_000, 'purge-queue', null, 200, { removed: 1, status: 'completed' });
  trace.seen(1_010, 'a', 'GONE').seen(1_020, 'b', 'GONE');
  trace.call(5_000, 'health', null, 200, {
    jobs: { completed: 1, failed: 0, inProgress: 0, inQueue: 0, retried: 0 },
    workers: { idle: 0, running: 0 },
  });
  expect(failed(trace.judged(6_000))).toEqual(['2.6/removed-counts-queued']);
});
