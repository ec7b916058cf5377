import type { Clock } from './clock.js';

/** A clock that runs by itself. */
export interface RealClock extends Clock {
  /** How many times as fast as real time it runs. */
  readonly speed: number;
  /** Real ms until it shows `atMs`, not rounded; 0 or less if it does already. */
  realMsUntil(atMs: number): number;
}

/**
 * The machine's monotonic clock in whole milliseconds, starting at `startMs`. No other file may read that
 * clock.
 *
 * @param speed how many times as fast as the machine's it runs
 */
export function createRealClock(startMs = 0, speed = 1): RealClock {
  const zero = performance.now();
  return {
    speed,
    nowMs: () => startMs + Math.floor((performance.now() - zero) * speed),
    realMsUntil: (atMs) => zero + (atMs - startMs) / speed - performance.now(),
  };
}
