/** Correct endpoints that do what somebody may not have thought of: nothing fails. */
import { describe, expect, test } from 'vitest';
import { LEGAL } from './legal-lives.js';
import { failed, Told, verdictOf } from './told.js';

test.each(LEGAL)('%s', (_, history) => {
  expect(failed(history.judged(2_000_000))).toEqual([]);
});

describe('a streamed result that is no string', () => {
  const large = Array.from({ length: 40 }, (_, i) => `${i} `.padEnd(40_000, '.'));
  const stream = (...outputs: readonly (string | readonly string[])[]): Told =>
    new Told(1)
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
