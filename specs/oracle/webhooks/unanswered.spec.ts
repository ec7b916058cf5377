/** A call that is never answered is held against the server only where the machine was not slow itself. */
import { describe, expect, test } from 'vitest';
import type { CallEvent } from '../../../src/history/events.js';
import { failed, TraceBuilder } from '../support/trace-builder.js';

describe('under a controlled clock, a read that is never answered', () => {
  /** So many, beside so many that were. */
  const lost = (
    answered: number,
    patience: Pick<CallEvent, 'patienceMs' | 'slowestMs' | 'askedAgain'>,
    count = 1,
  ): TraceBuilder => {
    const trace = new TraceBuilder(1, { clock: 'controlled', graceMs: 2_000 }).submitted(0, 'a', [
      { hang: true },
    ]);
    for (let nth = 1; nth <= answered; nth += 1) trace.seen(nth, 'a', 'IN_PROGRESS');
    for (let nth = 0; nth < count; nth += 1) {
      trace.lost(answered + 10 + nth, 'status', 'a', 'timeout');
      const call = trace.events.pop() as CallEvent;
      trace.events.push({ ...call, gaveUpMs: 20_000, ...patience });
    }
    return trace;
  };

  test.each([
    ['was waited for long enough', 20, { patienceMs: 5_500, slowestMs: 40 }, ['4.3/shows-current-state']],
    // The same machine delayed calls that were answered.
    ['was not, on a busy machine', 20, { patienceMs: 7_910, slowestMs: 2_000 }, []],
    ['is lost, among hundreds that were', 300, { patienceMs: 5_500, slowestMs: 40 }, []],
    ['was asked again', 20, { patienceMs: 5_500, slowestMs: 40, askedAgain: true }, []],
    ['was not waited for', 20, { patienceMs: 800, slowestMs: 40 }, []],
  ] as const)('%s', (_what, answered, patience, expected) => {
    expect(failed(lost(answered, patience).judged(30_000))).toEqual(expected);
  });

  test('is held against it where there are more of them than chance explains', () => {
    const patience = { patienceMs: 5_500, slowestMs: 40 };
    expect(failed(lost(1_000, patience, 3).judged(30_000))).toEqual([]);
    expect(failed(lost(1_000, patience, 4).judged(30_000))).toEqual(['4.3/shows-current-state']);
  });
});
