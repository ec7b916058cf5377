import type { Clock } from './clock.js';

/** The machine's monotonic clock, rounded down, `startMs` at the call. No other file may read it. */
export function createRealClock(startMs = 0): Clock {
  const zero = performance.now();
  return { nowMs: () => startMs + Math.floor(performance.now() - zero) };
}
