import type { Clock } from './clock.js';

/** The machine's monotonic clock, rounded down, zero at the call. No other file may read it. */
export function createRealClock(): Clock {
  const zero = performance.now();
  return { nowMs: () => Math.floor(performance.now() - zero) };
}
