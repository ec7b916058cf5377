/** Observed instants and durations, with their uncertainty. */
import type { CallEvent } from '../../history/events.js';

/** The bounds of an instant or of a duration. */
export interface Interval {
  readonly fromMs: number;
  readonly byMs: number;
}

export const plus = ({ fromMs, byMs }: Interval, ms: number, msAtMost: number = ms): Interval => ({
  fromMs: fromMs + ms,
  byMs: byMs + msAtMost,
});

/** The time from one instant to a later one. */
export const between = (from: Interval, to: Interval): Interval => ({
  fromMs: Math.max(0, to.fromMs - from.byMs),
  byMs: to.byMs - from.fromMs,
});

/** When a call took effect. */
export const intervalOf = (call: CallEvent): Interval => ({
  fromMs: call.sentMs,
  byMs: call.receivedMs ?? Infinity,
});

/** Any later time fits as well. */
export const orLater = ({ fromMs }: Interval): Interval => ({ fromMs, byMs: Infinity });

/** Nothing is known of when. */
export const ANY_TIME: Interval = { fromMs: -Infinity, byMs: Infinity };
