import type fc from 'fast-check';
import { TTL_MAX_MS, TTL_MIN_MS } from '../../spec/limits.js';
import type { Limits } from '../script.js';
import { cappedDuration } from './duration.js';

export interface TtlBounds {
  /** Lower bound; default 10 s, the least that the document allows (section 2.2). */
  readonly minMs?: number;
  /** Upper bound; default 7 days, the most that the document allows. */
  readonly maxMs?: number;
}

/** A valid `policy.ttl` in ms whose end can be waited for, with a probe after it. */
export function ttl(limits: Limits, bounds: TtlBounds = {}): fc.Arbitrary<number> {
  const maxMs = Math.min(bounds.maxMs ?? TTL_MAX_MS, limits.maxWaitMs - 2 * limits.marginMs - 2);
  return cappedDuration(limits, bounds.minMs ?? TTL_MIN_MS, maxMs);
}
