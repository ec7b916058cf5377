/** A read right after a cancel shows the state of before: a later one tells whether the cancel or the read was wrong. */
import { expect, test } from 'vitest';
import { failed, TraceBuilder } from './trace-builder.js';

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
