import type { RandomStream } from '../time/random.js';
import { drawDelay } from './delay.js';
import type { Delay } from './delay.js';

/**
 * A rule for the service (`strikesAtMs`) under which deadlines strike late, as a sweeper that comes by now and
 * then makes them: conformant as long as it stays within the grace. They never strike early.
 */
export function lateTimers(
  lateMs: Delay,
  random: () => RandomStream,
): (timer: string, dueMs: number) => number {
  return (_timer, dueMs) => (Number.isFinite(dueMs) ? dueMs + drawDelay(lateMs, random()) : dueMs);
}
