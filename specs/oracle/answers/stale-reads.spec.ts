/** A read right after a cancel shows the state of before: a later one tells whether the cancel or the read was wrong. */
import { describe, expect, test } from 'vitest';
import { failed, TraceBuilder } from '../support/trace-builder.js';

const cancelled = (state: string): TraceBuilder =>
  new TraceBuilder(state === 'IN_QUEUE' ? 0 : 1)
    .submitted(0, 'a', [{ hang: true }])
    .seen(500, 'a', state)
    .call(600, 'cancel', 'a', 200, { id: 'a', status: 'CANCELLED' });

test.each(['IN_QUEUE', 'IN_PROGRESS'])('%s, and CANCELLED later: the read was old', (state) => {
  const trace = cancelled(state).seen(640, 'a', state).seen(3_000, 'a', 'CANCELLED');
  expect(failed(trace.judged(10_000))).toEqual(['4.3/shows-current-state']);
});

test.each(['IN_QUEUE', 'IN_PROGRESS'])('%s for good: the cancel had no effect', (state) => {
  const trace = cancelled(state).seen(640, 'a', state).seen(3_000, 'a', state);
  expect(failed(trace.judged(10_000))).not.toContain('4.3/shows-current-state');
});

test('a second cancel between them may be the one that worked', () => {
  const trace = cancelled('IN_PROGRESS')
    .seen(640, 'a', 'IN_PROGRESS')
    .call(700, 'cancel', 'a', 200, { id: 'a', status: 'CANCELLED' })
    .seen(3_000, 'a', 'CANCELLED');
  expect(failed(trace.judged(10_000))).not.toContain('4.3/shows-current-state');
});

describe('where reads of other jobs are old', () => {
  const call = (trace: TraceBuilder, ms: number, op: 'cancel' | 'retry', id: string): TraceBuilder =>
    trace.call(ms, op, id, 200, { id, status: op === 'cancel' ? 'CANCELLED' : 'IN_QUEUE' });
  /** Of two jobs a read after the cancel shows the state of before, and a later one that they are cancelled. */
  const old = (): TraceBuilder => {
    const trace = new TraceBuilder(9);
    for (const id of ['x', 'y']) {
      call(trace.submitted(0, id, [{ hang: true }]).seen(500, id, 'IN_PROGRESS'), 600, 'cancel', id);
      trace.seen(640, id, 'IN_PROGRESS').seen(3_000, id, 'CANCELLED');
    }
    return trace;
  };

  test('so is the last one after a cancel', () => {
    const trace = old()
      .submitted(6_000, 'a', [{ hang: true }])
      .seen(6_500, 'a', 'IN_PROGRESS');
    call(trace, 6_600, 'cancel', 'a').seen(6_610, 'a', 'IN_PROGRESS');
    expect(failed(trace.judged(20_000))).toEqual(['4.3/shows-current-state']);
  });

  test('so is one after a retry', () => {
    const trace = old()
      .submitted(6_000, 'a', [{ fail: 'x' }])
      .seen(6_500, 'a', 'FAILED');
    call(trace, 6_600, 'retry', 'a').seen(6_601, 'a', 'FAILED').call(6_602, 'retry', 'a', 400, {});
    expect(failed(trace.judged(20_000))).toEqual(['4.3/shows-current-state']);
  });

  test('a cancelled job that completes later was not stopped', () => {
    const trace = old().submitted(6_000, 'a', [{ sleepMs: 5_000 }, { return: 1 }]);
    call(trace.seen(6_500, 'a', 'IN_PROGRESS'), 6_600, 'cancel', 'a').seen(6_610, 'a', 'IN_PROGRESS');
    expect(failed(trace.seen(12_000, 'a', 'COMPLETED').judged(20_000))).toEqual([
      '3/cancel-running',
      '4.3/shows-current-state',
    ]);
  });
});
