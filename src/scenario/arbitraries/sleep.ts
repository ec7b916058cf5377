import type fc from 'fast-check';
import type { Limits } from '../script.js';
import { cappedDuration } from './duration.js';

/** How long a handler works, in ms; default 100 ms to 5 s, and never longer than can be waited for. */
export function sleep(limits: Limits, minMs = 100, maxMs = 5_000): fc.Arbitrary<number> {
  return cappedDuration(limits, minMs, Math.min(maxMs, limits.maxWaitMs - limits.marginMs));
}
