/** What a purge says that it removed, against what is seen of the jobs later. */
import { expect, test } from 'vitest';
import type { Json } from '../../src/history/events.js';
import { failed, TraceBuilder } from './trace-builder.js';

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

test('where there were two purges, only the counts themselves are compared', () => {
  const trace = purged(one(1), 0).seen(2_000, 'a', 'CANCELLED');
  expect(failed(trace.judged(3_000))).toEqual([]);
});
