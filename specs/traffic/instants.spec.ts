import { describe, expect, test } from 'vitest';
import { instantOf } from '../../src/traffic/instants.js';

const AT = Date.UTC(2026, 10, 27, 1, 34, 54);

describe('the instant of a stamp', () => {
  test.each([
    ['2026-11-27T01:34:54.123Z', AT + 123, 1],
    ['2026-11-27T02:34:54.123456+01:00', AT + 123, 2],
    ['2026-11-27 01:34:54,5', AT + 500, 100],
    ['2026-11-27T01:34:54Z', AT, 1_000],
    [AT + 123, AT + 123, 1],
    [(AT + 123) / 1000, AT + 123, 1],
    [(AT + 123) * 1e3, AT + 123, 1],
    [(AT + 123) * 1e6, AT + 123, 1],
    [`${AT + 123}456789`, AT + 123, 1],
    [AT / 1000, AT, 1_000],
    [String((AT + 123) / 1000), AT + 123, 1],
  ])('%s is known up to its unit', (stamp, ms, unitMs) => {
    const { fromMs, byMs } = instantOf(stamp)!;
    expect(fromMs).toBeLessThanOrEqual(ms - unitMs / 2 + 1);
    expect(byMs).toBeGreaterThanOrEqual(ms);
    expect(byMs - fromMs).toBeLessThanOrEqual(1.5 * unitMs + 3);
  });

  test.each(['yesterday', '', '2026-13-45T99:00:00Z', null, undefined, -1, NaN, 1e20, {}])(
    '%s is none',
    (stamp) => {
      expect(instantOf(stamp)).toBeNull();
    },
  );
});
