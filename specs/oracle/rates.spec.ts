/** Rates: whatever the algorithm, what it may do is not failed, and what none may do is. */
import { describe, expect, test } from 'vitest';
import { failed, Told } from './told.js';

describe('rates: every algorithm is legal', () => {
  /** `/purge-queue`, 2 in 10 s, with no worker that could raise the limit. */
  const purges = (...calls: readonly (readonly [ms: number, code: number])[]): Told => {
    const told = new Told(0);
    for (const [ms, code] of calls)
      told.call(
        ms,
        'purge-queue',
        null,
        code,
        code === 200 ? { removed: 0, status: 'completed' } : { error: 'rate' },
      );
    return told;
  };

  test.each([
    [
      'a sliding window',
      [
        [0, 200],
        [0, 200],
        [0, 429],
        [9_000, 429],
        [10_001, 200],
      ],
    ],
    [
      'fixed windows',
      [
        [9_900, 200],
        [9_900, 200],
        [9_950, 429],
        [10_000, 200],
        [10_000, 200],
        [10_000, 429],
      ],
    ],
    [
      'a bucket refilled steadily',
      [
        [0, 200],
        [0, 200],
        [0, 429],
        [5_000, 200],
        [5_000, 429],
        [10_000, 200],
      ],
    ],
    [
      'a window that refused calls prolong',
      [
        [0, 200],
        [0, 200],
        [0, 429],
        [9_999, 429],
        [9_999, 429],
        [10_100, 429],
        [30_000, 200],
      ],
    ],
  ] as const)('%s', (_, calls) => {
    expect(failed(purges(...(calls as never as [number, number][])).judged(40_000))).toEqual([]);
  });

  test('a limit below the document’s is none of them', () => {
    expect(failed(purges([0, 200], [0, 429]).judged(20_000))).toEqual(['8/rate-purge-queue-below']);
  });

  test('no limit at all is noticed at one instant', () => {
    expect(failed(purges([0, 200], [0, 200], [0, 200]).judged(20_000))).toEqual(['8/rate-purge-queue-above']);
  });

  test('an allowance that never comes back', () => {
    expect(failed(purges([0, 200], [0, 200], [0, 429], [25_000, 429]).judged(40_000))).toEqual([
      '8/rate-purge-queue-recovers',
    ]);
  });
});
