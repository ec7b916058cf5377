/** A run that stopped because no worker takes a job names the job that may keep the worker. */
import { expect, it } from 'vitest';
import { whyStuck } from '../../src/checking/why-stuck.js';
import { STUCK, type HistoryEvent } from '../../src/history/events.js';
import { TraceBuilder } from '../oracle/support/trace-builder.js';

/** One job that hangs and is read at these times, and one that waits behind it. */
function history(reason: string | null, ...readAt: readonly number[]): readonly HistoryEvent[] {
  const trace = new TraceBuilder();
  trace.submitted(0, 'first', [{ hang: true }]);
  trace.submitted(10, 'second', [{ return: 1 }]);
  for (const at of readAt) trace.seen(at, 'first', 'IN_PROGRESS');
  for (const at of [1_000, 30_000]) trace.seen(at, 'second', 'IN_QUEUE');
  return trace
    .history(60_000)
    .map((event) => (event.kind === 'script-end' ? { ...event, outcome: 'aborted', reason } : event));
}

const WHY = 'no worker takes a job any more';

it('names the job that was seen at work at the first look and the last', () => {
  expect(whyStuck(WHY, 3, history(STUCK + WHY, 20_000, 43_000))).toMatch(
    /^no worker takes a job any more, so 3 scripts waited .*\. Job first .*was IN_PROGRESS at #2 and 23 s later at #\d+$/,
  );
});

it('names none that was seen once, or whose script came to its end', () => {
  expect(whyStuck(WHY, 3, history(STUCK + WHY, 20_000))).toMatch(/Look at the workers of the endpoint$/);
  expect(whyStuck(WHY, 3, history(null, 20_000, 43_000))).toMatch(/Look at the workers of the endpoint$/);
});
