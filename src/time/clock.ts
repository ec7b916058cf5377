/**
 * `time/` promises clocks in integer milliseconds, an ordered queue of events, and random streams that are
 * reproducible from a seed. It knows nothing of jobs. Only `real-clock.ts` reads the machine's clock.
 */

/** Integer milliseconds since an arbitrary zero of this clock; never goes back. */
export interface Clock {
  nowMs(): number;
}

/** A clock that moves only when told to. */
export interface VirtualClock extends Clock {
  /** Moves to `ms`. @throws {RangeError} when `ms` is in the past or not an integer */
  advanceTo(ms: number): void;
}

export function createVirtualClock(startMs = 0): VirtualClock {
  let nowMs = startMs;
  return {
    nowMs: () => nowMs,
    advanceTo(ms) {
      if (!Number.isSafeInteger(ms)) throw new RangeError(`a clock shows integer milliseconds, not ${ms}`);
      if (ms < nowMs) throw new RangeError(`a clock never goes back: ${ms} is before ${nowMs}`);
      nowMs = ms;
    },
  };
}
