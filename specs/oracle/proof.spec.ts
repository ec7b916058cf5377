/** Why what was observed cannot be: the sum of bounds, and the smallest part of the history that shows it still. */
import { describe, expect, test } from 'vitest';
import type { HistoryEvent } from '../../src/history/events.js';
import { judge, shrinkHistory, type Failure } from '../../src/oracle/index.js';
import { changedNothing } from '../../src/oracle/proof/generalize.js';
import { STORIES } from './support/lifecycle-histories.js';
import { failed, TraceBuilder } from './support/trace-builder.js';

const hang = [{ hang: true }];
const END = 2_000_000;

function failureOf(events: readonly HistoryEvent[], id: string): Failure | undefined {
  return judge(events).requirements.find((one) => one.id === id)?.failures[0];
}

describe.each(STORIES)('%s', (id, workers, _, broken) => {
  const events = broken(new TraceBuilder(workers)).history(END);
  const failure = failureOf(events, id)!;

  test('the bounds that contradict each other add up to less than nothing', () => {
    const { contradiction } = failure;
    if (contradiction?.kind !== 'time') return;
    const sumMs = contradiction.bounds.reduce(
      (sum, { limit, ms }) => sum + (limit === 'at-most' ? ms : -ms),
      0,
    );
    expect(sumMs).toBe(-contradiction.overMs);
    expect(sumMs).toBeLessThan(0);
    // A circle: each instant is entered as often as it is left.
    const ends = contradiction.bounds.map(({ from, to, limit }) =>
      limit === 'at-most' ? [from, to] : [to, from],
    );
    const instants = (side: 0 | 1) => ends.map((end) => end[side]!).sort((a, b) => (a < b ? -1 : 1));
    expect(instants(0)).toEqual(instants(1));
  });

  test('nothing more can be left out of its smallest history, and judged by itself it shows the same', () => {
    const shrunk = shrinkHistory(events, failure)!;
    const again = failureOf(shrunk.events, id)!;
    expect(again).toEqual(shrunk.failure);
    expect(again.calls.at(-1)).toBe(failure.calls.at(-1));
    for (const event of shrunk.events) {
      if (event.kind !== 'call' || !changedNothing(event) || event.call === failure.calls.at(-1)) continue;
      const fewer = failureOf(
        shrunk.events.filter((other) => other !== event),
        id,
      );
      expect(fewer?.calls.at(-1)).not.toBe(failure.calls.at(-1));
    }
  });
});

test('of a long history of several jobs two calls are left', () => {
  const trace = new TraceBuilder(2).submitted(0, 'other', hang).submitted(0, 'late', hang, { ttl: 10_000 });
  for (let ms = 500; ms < 9_000; ms += 500)
    trace.seen(ms, 'late', 'IN_PROGRESS').seen(ms, 'other', 'IN_PROGRESS');
  const events = trace.seen(10_400, 'late', 'IN_PROGRESS').seen(10_500, 'other', 'IN_PROGRESS').history(END);
  const failure = failureOf(events, '2.2/ttl-removes-running')!;
  const { operations, failure: smallest, callsBefore } = shrinkHistory(events, failure)!;
  expect(callsBefore).toBe(38);
  expect(operations).toEqual([1, failure.calls.at(-1)]);
  expect(smallest.proof.at(-1)).toBe('but it was still there at 10.4 s');
  expect(failure.later).toEqual({
    text: 'still IN_PROGRESS 300 ms after the latest legal moment (1 read), never in another state',
    still: 'IN_PROGRESS',
    lateMs: 300,
    timer: 'ttl',
    allowedMs: 100,
    after: null,
  });
});

test('what would only seem to contradict is kept: a cancellation, and the worker that another job holds', () => {
  const trace = new TraceBuilder(1)
    .submitted(0, 'first', hang)
    .submitted(1, 'second', hang)
    .seen(100, 'first', 'IN_PROGRESS')
    .call(5_000, 'cancel', 'first', 200, { id: 'first', status: 'CANCELLED' })
    .seen(90_000, 'second', 'IN_QUEUE');
  const events = trace.history(END);
  const [id] = failed(judge(events)) as [string];
  const { events: left } = shrinkHistory(events, failureOf(events, id)!)!;
  expect(left.filter((event) => event.kind === 'call').map(({ op }) => op)).toEqual([
    'run',
    'run',
    'cancel',
    'status',
  ]);
});

test('a second failure that shows by the same call has a proof of its own', () => {
  const url = 'http://127.0.0.1:9/hook';
  const trace = new TraceBuilder(1).submitted(0, 'a', [{ return: { ok: 1 } }], undefined, { webhook: url });
  for (const ms of [10, 4_010, 9_010]) trace.webhook(ms, url, 500);
  const events = trace.seen(50_000, 'a', 'COMPLETED', { output: { ok: 1 } }).history(END);
  const { failures } = judge(events).requirements.find(({ id }) => id === '6/pause-not-shorter')!;
  expect(failures.map(({ actual }) => actual)).toEqual([
    'attempts at 10 ms and 4.01 s',
    'attempts at 4.01 s and 9.01 s',
  ]);
  for (const failure of failures) expect(shrinkHistory(events, failure)!.failure.actual).toBe(failure.actual);
});

test('a late expiration says what was seen later', () => {
  const read = (...at: readonly (readonly [number, string])[]): string | undefined => {
    const trace = new TraceBuilder(1)
      .submitted(0, 'late', hang, { ttl: 10_000 })
      .seen(1, 'late', 'IN_PROGRESS');
    for (const [ms, status] of at) trace.seen(ms, 'late', status);
    return failureOf(trace.history(END), '2.2/ttl-removes-running')?.later?.text;
  };
  expect(read([10_400, 'IN_PROGRESS'], [15_100, 'IN_PROGRESS'])).toBe(
    'still IN_PROGRESS 5 s after the latest legal moment (2 reads), never in another state',
  );
  expect(read([10_400, 'IN_PROGRESS'], [15_100, 'COMPLETED'])).toBe(
    'still IN_PROGRESS 300 ms after the latest legal moment (1 read), then COMPLETED',
  );
  expect(read([10_100, 'IN_PROGRESS'])).toBeUndefined();
});

test('an early start says nothing of later reads', () => {
  const trace = new TraceBuilder(1).submitted(0, 'first', hang).seen(1, 'first', 'IN_PROGRESS');
  trace.submitted(2, 'second', hang).seen(1_000, 'first', 'IN_PROGRESS').seen(1_001, 'second', 'IN_PROGRESS');
  const events = trace.seen(2_000, 'second', 'IN_PROGRESS').seen(2_001, 'first', 'IN_PROGRESS').history(END);
  const failed = judge(events).requirements.flatMap(({ failures }) => failures);
  expect(failed).not.toEqual([]);
  for (const { later } of failed) expect(later).toBeUndefined();
});
