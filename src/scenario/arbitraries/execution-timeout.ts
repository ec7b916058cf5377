import type fc from 'fast-check';
import { DAY_MS, EXECUTION_TIMEOUT_MIN_MS } from '../../spec/limits.js';
import type { Limits } from '../script.js';
import { cappedDuration } from './duration.js';

export interface ExecutionTimeoutBounds {
  /** Lower bound; default 5 s, the least that the document allows (section 2.2). */
  readonly minMs?: number;
  /** Upper bound; default 3 days, well below the longest `ttl`. */
  readonly maxMs?: number;
}

/** A valid `policy.executionTimeout` in ms whose end can be waited for, with a probe after it. */
export function executionTimeout(limits: Limits, bounds: ExecutionTimeoutBounds = {}): fc.Arbitrary<number> {
  const maxMs = Math.min(bounds.maxMs ?? 3 * DAY_MS, limits.maxWaitMs - 2 * limits.marginMs - 2);
  return cappedDuration(limits, bounds.minMs ?? EXECUTION_TIMEOUT_MIN_MS, maxMs);
}
