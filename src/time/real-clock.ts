import type { Clock } from './clock.js';

/**
 * The machine's monotonic clock in whole milliseconds, starting at `startMs`. No other file may read that
 * clock.
 */
export function createRealClock(startMs = 0): Clock {
  const zero = performance.now();
  return { nowMs: () => startMs + Math.floor(performance.now() - zero) };
}
