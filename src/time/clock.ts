/**
 * `time/` promises what time is: clocks in integer milliseconds, an ordered queue of events, and randomness
 * that a seed repeats. It knows nothing of jobs, and only `real-clock.ts` ever looks at the machine's clock.
 */

/** Integer milliseconds since the clock's own zero; it never goes back. */
export interface Clock {
  nowMs(): number;
}

/** Time that stands still until it is moved. */
export interface VirtualClock extends Clock {
  /** Moves to `ms`, which must not lie in the past. */
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
