import type fc from 'fast-check';
import type { Limits } from '../script.js';
import { cappedDuration } from './duration.js';

/**
 * A length of time in [minMs, maxMs] that the profile has left beside waits of `usedMs` in the same script; the
 * smallest where there is nothing left. Keeps scripts of several waits about as short as those of one.
 */
export function remainingBudget(
  limits: Limits,
  usedMs: number,
  minMs: number,
  maxMs: number,
): fc.Arbitrary<number> {
  const leftMs = limits.maxWaitMs - usedMs - 2 * limits.marginMs;
  return cappedDuration(limits, minMs, Math.max(minMs, Math.min(maxMs, leftMs)));
}
