import fc from 'fast-check';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../spec/limits.js';
import { ExceedsLimits } from '../exceeds-limits.js';
import type { Limits } from '../script.js';

const CANONICAL: readonly number[] = [
  SECOND_MS,
  5 * SECOND_MS,
  10 * SECOND_MS,
  30 * SECOND_MS,
  MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  DAY_MS,
  2 * DAY_MS,
];

/**
 * A duration in [minMs, maxMs], in whole ms: often the smallest or a round one (a minute, an hour, a day),
 * sometimes just above the smallest, sometimes any. Shrinks towards `minMs`.
 *
 * @throws {ExceedsLimits} when the range is empty
 */
export function duration(minMs: number, maxMs: number): fc.Arbitrary<number> {
  if (maxMs < minMs) throw new ExceedsLimits(`needs ${minMs} ms, the limit is ${maxMs} ms`, 'waits');
  const round = CANONICAL.filter((ms) => ms >= minMs && ms <= maxMs);
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant(minMs) },
    { weight: 2, arbitrary: fc.integer({ min: minMs, max: Math.min(maxMs, minMs + SECOND_MS) }) },
    { weight: 3, arbitrary: round.length > 0 ? fc.constantFrom(...round) : fc.constant(minMs) },
    { weight: 1, arbitrary: anyMagnitude(minMs, maxMs) },
  );
}

/** The cap is at least this far above the minimum, so that values still vary. */
const SPREAD_MS = 2 * SECOND_MS;

/** A `duration` that is capped where waiting is expensive (`Limits.preferredWaitMaxMs`). */
export function cappedDuration(limits: Limits, minMs: number, maxMs: number): fc.Arbitrary<number> {
  const ceilingMs = Math.max(minMs + SPREAD_MS, limits.preferredWaitMaxMs ?? maxMs);
  return duration(minMs, Math.min(maxMs, ceilingMs));
}

/** Any value, with every order of magnitude equally likely: otherwise nearly all would be days long. */
function anyMagnitude(minMs: number, maxMs: number): fc.Arbitrary<number> {
  const ceilings: number[] = [];
  for (let ms = Math.max(minMs, 1); ms < maxMs; ms *= 10) ceilings.push(Math.min(maxMs, ms * 10));
  if (ceilings.length === 0) return fc.constant(minMs);
  return fc.constantFrom(...ceilings).chain((max) => fc.integer({ min: minMs, max }));
}
