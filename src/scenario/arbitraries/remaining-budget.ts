import type fc from 'fast-check';
import type { Limits } from '../script.js';
import { cappedDuration } from './duration.js';

/**
 * A duration in [minMs, maxMs] within what the longest wait leaves after other waits of `usedMs` in the same
 * script; `minMs` where nothing is left. Keeps scripts with several waits about as short as those with one.
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
