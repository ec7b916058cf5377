/** An operation of which no call is answered is told once, by its name. */
import { describe, expect, it } from 'vitest';
import type { HistoryEvent } from '../../src/history/events.js';
import { judge } from '../../src/oracle/index.js';
import { TraceBuilder } from './support/trace-builder.js';

/** `/cancel` that is lost so often for these reasons, between calls that are answered. */
function warningsOf(reasons: readonly string[], answered = 0): readonly string[] {
  const trace = new TraceBuilder()
    .submitted(0, 'a', [{ return: 1 }])
    .seen(200, 'a', 'COMPLETED', { output: 1 });
  reasons.forEach((_, index) => trace.call(1_000 + index, 'cancel', 'a', null, null));
  for (let index = 0; index < answered; index += 1) trace.call(2_000 + index, 'cancel', 'a', 400, {});
  let lost = 0;
  const events = trace.history(5_000).map((event): HistoryEvent => {
    if (event.kind !== 'call' || event.lost === null) return event;
    return { ...event, lost: reasons[(lost += 1) - 1]! };
  });
  return judge(events).warnings.filter((text) => text.includes('/cancel was answered'));
}

describe('calls without an answer', () => {
  it.each<readonly [readonly string[], number, string | null]>([
    [
      ['reset', 'reset', 'reset'],
      0,
      'none of 3 calls of POST /cancel was answered: the connection was closed.',
    ],
    [
      ['timeout', 'timeout', 'timeout', 'reset'],
      0,
      'no answer came in time (3), the connection was closed (1)',
    ],
    [['reset', 'reset', 'reset'], 1, null],
    [['reset', 'reset'], 0, null],
    [['aborted', 'aborted', 'aborted'], 0, null],
  ])('%j, and %d answered', (reasons, answered, text) => {
    const warnings = warningsOf(reasons, answered);
    if (text === null) expect(warnings).toEqual([]);
    else {
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toContain(text);
    }
  });
});

describe('a request that did not arrive in time (408)', () => {
  const failuresWith = (harnessLagMs: number): readonly string[] => {
    const trace = new TraceBuilder(1, { clock: 'real', graceMs: 2_000 }, false)
      .call(
        0,
        'run',
        null,
        408,
        { error: 'the request did not arrive in time' },
        {
          body: { input: { plan: [{ return: 1 }] } },
          receivedMs: 12_000,
        },
      )
      .submitted(13_000, 'a', [{ return: 1 }])
      .seen(14_000, 'a', 'COMPLETED', { output: 1 });
    const events = trace
      .history(20_000)
      .map((event): HistoryEvent =>
        event.kind === 'call' && event.call === 0 ? { ...event, harnessLagMs } : event,
      );
    return judge(events)
      .requirements.filter(({ verdict }) => verdict === 'fail')
      .map(({ id }) => id);
  };

  it('proves nothing if the harness was delayed while sending', () => {
    expect(failuresWith(11_000)).toEqual([]);
  });

  it('is a refusal otherwise', () => {
    expect(failuresWith(0)).not.toEqual([]);
  });
});
