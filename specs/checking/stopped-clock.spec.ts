/** A server whose clock stands still is told by its `executionTime`. */
import { expect, it } from 'vitest';
import { stoppedClock } from '../../src/checking/stopped-clock.js';
import type { HistoryEvent, RunEvent } from '../../src/history/events.js';
import { TraceBuilder } from '../oracle/support/trace-builder.js';

/** Three jobs, each read twice, three seconds apart. */
function reads(...times: readonly [number, number]): readonly HistoryEvent[] {
  const trace = new TraceBuilder();
  for (const [nth, job] of ['a', 'b', 'c'].entries()) {
    trace.submitted(nth * 10, job, [{ hang: true }]);
    for (const [at, executionTime] of times.entries())
      trace.seen(100 + nth * 10 + at * 3_000, job, 'IN_PROGRESS', { executionTime, delayTime: 0 });
  }
  const [run, ...events] = trace.history(9_000);
  return [{ ...(run as RunEvent), clock: 'real' }, ...events];
}

it('is told where no job that runs has run for any time', () => {
  expect(stoppedClock(reads(0, 0))).toMatch(
    /^the clock of the server seems to stand still: .* 3 jobs seen running/,
  );
});

it('runs where one time was longer than nothing, or no job was seen for long', () => {
  expect(stoppedClock(reads(0, 3_000))).toBeNull();
  expect(stoppedClock(reads(0, 0).slice(0, 5))).toBeNull();
  const [run, ...events] = reads(0, 0);
  expect(stoppedClock([{ ...(run as RunEvent), clock: 'controlled' }, ...events])).toBeNull();
});
