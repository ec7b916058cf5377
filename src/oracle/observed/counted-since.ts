/** From when on the figures of a count may date. */
import type { CallEvent } from '../../history/events.js';
import type { Session } from './session.js';

/**
 * Nothing says that `/health` counts anew for each call, nor when it did: its figures may be as old as any timer may be late,
 * on the target's clock. What `/purge-queue` has removed it has removed in this call.
 */
export function countedSinceMs({ run }: Session, count: CallEvent): number {
  return count.op === 'health' ? count.sentMs - run.graceMs : count.sentMs;
}
