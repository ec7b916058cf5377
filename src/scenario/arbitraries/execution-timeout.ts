import type fc from 'fast-check';
import { DAY_MS, EXECUTION_TIMEOUT_MIN_MS } from '../../spec/limits.js';
import type { Limits } from '../script.js';
import { cappedDuration } from './duration.js';

export interface ExecutionTimeoutBounds {
  /** Not below this; default 5 s, the least the document allows (section 2.2). */
  readonly minMs?: number;
  /** Not above this; default 3 days, so that the longest `ttl` stays well away from it. */
  readonly maxMs?: number;
}

/** A legal `policy.executionTimeout` in ms whose end can be waited for, with a probe after it. */
export function executionTimeout(limits: Limits, bounds: ExecutionTimeoutBounds = {}): fc.Arbitrary<number> {
  const maxMs = Math.min(bounds.maxMs ?? 3 * DAY_MS, limits.maxWaitMs - 2 * limits.marginMs - 2);
  return cappedDuration(limits, bounds.minMs ?? EXECUTION_TIMEOUT_MIN_MS, maxMs);
}
