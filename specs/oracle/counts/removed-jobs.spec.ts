/** What a purge says that it removed, against what is seen of the jobs later. */
import { expect, test } from 'vitest';
import type { Json } from '../../../src/history/events.js';
import { failed, TraceBuilder } from '../support/trace-builder.js';

const WORKS: Json = [{ sleepMs: 3_000 }, { return: 1 }];
const purged = (trace: TraceBuilder, removed: number): TraceBuilder =>
  trace.call(1_000, 'purge-queue', null, 200, { removed, status: 'completed' });

/** One worker, which may or may not have begun when the queue is purged. */
const one = (removed: number): TraceBuilder =>
  purged(new TraceBuilder(1).submitted(990, 'a', WORKS), removed);

test.each([
  [0, 'IN_PROGRESS', []],
  [1, 'IN_PROGRESS', ['2.6/removed-counts-queued']],
])('removed %i, and the only job is %s later', (removed, state, wanted) => {
  expect(failed(one(removed).seen(2_000, 'a', state).judged(3_000))).toEqual(wanted);
});

test('removed 1, and the only job is not found later', () => {
  const trace = one(1).call(2_000, 'status', 'a', 404, { error: 'gone' });
  expect(failed(trace.judged(3_000))).toEqual([]);
});

test('removed 0, and the only job is told CANCELLED, though it was not cancelled', () => {
  expect(failed(one(0).seen(2_000, 'a', 'CANCELLED').judged(3_000))).toEqual(['2.6/removed-counts-queued']);
  expect(failed(one(1).seen(2_000, 'a', 'CANCELLED').judged(3_000))).toEqual([]);
});

test('of two purges, each tells what it removed itself', () => {
  const both = (first: number, second: number): readonly string[] =>
    failed(purged(one(first), second).seen(2_000, 'a', 'CANCELLED').judged(3_000));
  expect(both(1, 0)).toEqual([]);
  // It waited no longer when the first one found none.
  expect(both(0, 1)).toEqual(['2.6/removed-counts-queued']);
  expect(both(0, 0)).toContain('2.6/removed-counts-queued');
});

test('though the job was retried, or another was', () => {
  const retried = (removed: number): readonly string[] =>
    failed(
      one(removed)
        .call(1_500, 'retry', 'a', 400, { error: 'not failed' })
        .seen(2_000, 'a', 'CANCELLED')
        .judged(3_000),
    );
  expect(retried(1)).toEqual([]);
  expect(retried(0)).toEqual(['2.6/removed-counts-queued']);
});

test('a job that no purge removed is not found when its ttl is over', () => {
  const refused = (removed: number): readonly string[] => {
    const trace = purged(new TraceBuilder(1).submitted(990, 'a', WORKS, { ttl: 10_000 }), removed);
    return failed(trace.call(20_000, 'cancel', 'a', 400, { error: 'no' }).judged(30_000));
  };
  expect(refused(1)).toEqual([]);
  expect(refused(0)).toEqual(['7/ttl-expired-cancel']);
});

test('a purged job told as FAILED may be retried, but then waits for a worker as others do, and runs as planned', () => {
  const rerun = (workers: number, atMs: number, state: string): readonly string[] => {
    const trace = purged(new TraceBuilder(workers).submitted(990, 'a', WORKS), 1).seen(1_500, 'a', 'FAILED');
    trace.call(2_000, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' });
    return failed(trace.seen(atMs, 'a', state).judged(90_000));
  };
  expect(rerun(0, 60_000, 'IN_QUEUE')).toEqual([]);
  expect(rerun(1, 4_000, 'IN_PROGRESS')).toEqual([]);
  expect(rerun(1, 89_000, 'IN_PROGRESS').length).toBeGreaterThan(0);
  expect(rerun(0, 4_000, 'IN_PROGRESS').length).toBeGreaterThan(0);
});
