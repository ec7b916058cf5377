/** Whether an operation was called so seldom that none of its limits can have been met. */
import type { CallEvent } from '../../history/events.js';
import type { RateLimit } from '../../spec/rates.js';

/**
 * True only where less than this share of what a window may hold was called in any two windows side by side, and less than
 * this share of what may be under way at once. Quick, for the many calls of a long history.
 */
export function isSeldom(
  calls: readonly CallEvent[],
  { requests, windowMs, concurrency }: RateLimit,
  share: number,
): boolean {
  const made = new Map<number, number>();
  let longest = 0;
  for (const { sentMs, sentTick, endedTick } of calls) {
    const window = Math.floor(sentMs / windowMs);
    made.set(window, (made.get(window) ?? 0) + 1);
    // Of those that were under way with it each was sent or ended meanwhile, or it was itself sent and ended during another.
    longest = Math.max(longest, (endedTick ?? Infinity) - sentTick);
  }
  if (concurrency !== null && longest >= share * concurrency) return false;
  for (const [window, count] of made)
    if (count + (made.get(window + 1) ?? 0) >= share * requests) return false;
  return true;
}
