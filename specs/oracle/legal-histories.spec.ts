/** Correct endpoints that do what somebody may not have thought of: nothing fails. */
import { describe, expect, test } from 'vitest';
import { LEGAL_LIFESPANS } from './support/legal-ttls.js';
import { LEGAL } from './support/legal-histories.js';
import { LEGAL_PURGES } from './support/legal-purges.js';
import { failed, TraceBuilder, verdictOf } from './support/trace-builder.js';

test.each([...LEGAL_LIFESPANS, ...LEGAL_PURGES, ...LEGAL])('%s', (_, history) => {
  expect(failed(history.judged(2_000_000))).toEqual([]);
});

test('in edition runpod a third call of a webhook may come 15 s after the second: it is not missed before', () => {
  const history = new TraceBuilder(1, { edition: 'runpod' })
    .submitted(0, 'a', [{ return: 1 }], undefined, { webhook: 'http://here/1' })
    .seen(10, 'a', 'COMPLETED', { output: 1 })
    .webhook(10, 'http://here/1', 500)
    .webhook(5_010, 'http://here/1', 500)
    .seen(18_500, 'a', 'COMPLETED', { output: 1 });
  expect(failed(history.judged(18_500))).toEqual([]);
  expect(failed(history.seen(30_000, 'a', 'COMPLETED', { output: 1 }).judged(30_000))).toEqual([
    '6/three-attempts',
  ]);
});

describe('a streamed result that is no string', () => {
  const large = Array.from({ length: 40 }, (_, i) => `${i} `.padEnd(40_000, '.'));
  const stream = (...outputs: readonly (string | readonly string[])[]): TraceBuilder =>
    new TraceBuilder(1)
      .submitted(0, 'a', [{ stream: large }, { return: 1 }])
      .seen(200, 'a', 'COMPLETED', { output: large })
      .call(
        300,
        'stream',
        'a',
        200,
        outputs.map((output) => ({ output })),
      );

  test('may be split in any way', () => {
    const text = JSON.stringify(large);
    for (const history of [
      stream(text.slice(0, 900_000), text.slice(900_000)),
      stream(large.slice(0, 20), large.slice(20)),
      stream(...large),
    ])
      expect(failed(history.judged(1_000))).toEqual([]);
  });

  test('is not delivered whole', () => {
    const findings = stream(large).judged(1_000);
    expect(failed(findings)).toEqual(['4.4/chunk-size']);
    expect(verdictOf(stream(...large).judged(1_000), '4.4/chunk-size')).toBe('pass');
  });
});
