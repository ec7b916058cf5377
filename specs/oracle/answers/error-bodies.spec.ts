/** Section 1: on which paths an error has to be JSON. */
import { describe, expect, test } from 'vitest';
import { failed, TraceBuilder, verdictOf } from '../support/trace-builder.js';

describe('an error that is no JSON', () => {
  const text = { as: 'text', text: 'Not Found', bytes: 9 } as const;
  const asked = (path: string): TraceBuilder => {
    const trace = new TraceBuilder(1)
      .submitted(0, 'a', [{ hang: true }])
      .call(10, 'status', 'none', 404, null);
    const call = trace.events.at(-1);
    if (call?.kind !== 'call') throw new Error('the last event is no call');
    const reply = { ...call.reply!, contentType: 'text/plain', body: text };
    trace.events[trace.events.length - 1] = { ...call, request: { ...call.request, path }, reply };
    return trace;
  };

  test('may answer a path that is in no row of the table of section 4', () => {
    expect(verdictOf(asked('/v2/main/status/none/').judged(100), '1/json-error-body-404')).toBe(
      'not-exercised',
    );
  });

  test('may not answer one that is', () => {
    expect(failed(asked('/v2/main/status/none').judged(100))).toContain('1/json-error-body-404');
  });
});
