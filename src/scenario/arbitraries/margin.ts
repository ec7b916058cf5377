import fc from 'fast-check';
import type { Limits } from '../script.js';

/**
 * Distance of a probe from a deadline in ms: mostly the least that is safe, up to twice that. Never 0: events
 * at the very instant of a deadline are ties, and no verdict may depend on a tie.
 */
export function margin(limits: Limits): fc.Arbitrary<number> {
  const leastMs = Math.max(1, limits.marginMs);
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(leastMs) },
    { weight: 1, arbitrary: fc.integer({ min: leastMs, max: 2 * leastMs }) },
  );
}
