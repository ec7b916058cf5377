/** When something was, or how long it lasted, as far as it was observed. */
import type { CallEvent } from '../../history/events.js';

/** From when to when an instant may be, or how long something lasted at the least and at the most. */
export interface Interval {
  readonly fromMs: number;
  readonly byMs: number;
}

export const plus = ({ fromMs, byMs }: Interval, ms: number, msAtMost: number = ms): Interval => ({
  fromMs: fromMs + ms,
  byMs: byMs + msAtMost,
});

/** How long it is from one instant to a later one. */
export const between = (from: Interval, to: Interval): Interval => ({
  fromMs: Math.max(0, to.fromMs - from.byMs),
  byMs: to.byMs - from.fromMs,
});

/** When a call took effect. */
export const intervalOf = (call: CallEvent): Interval => ({
  fromMs: call.sentMs,
  byMs: call.receivedMs ?? Infinity,
});

/** Everything later fits the reading as well. */
export const orLater = ({ fromMs }: Interval): Interval => ({ fromMs, byMs: Infinity });

/** What each reading foresees. */
export interface Predictions {
  readonly [reading: string]: Interval;
}
