/** How `delayTime` and `executionTime` are shown before there is anything to tell, or while it still changes. */
import type { CallEvent } from '../../history/events.js';
import type { Job } from '../cast/cases.js';
import { precedes, sightingsOf } from '../cast/sightings.js';

/** A time counts as shown as zero only after so long that no unit would round it down. */
const CERTAINLY_MS = 2_500;

export function shown<R extends string>(
  value: unknown,
  reading: R,
  sinceMs: (job: Job, call: CallEvent) => number,
  job: Job,
  call: CallEvent,
): R | 'zero' | null {
  if (typeof value !== 'number') return null;
  if (value > 0) return reading;
  // It cannot have been for longer than there was a job.
  if (call.sentMs - job.submitted.sentMs <= CERTAINLY_MS) return null;
  return sinceMs(job, call) > CERTAINLY_MS ? 'zero' : null;
}

export function missing(value: unknown): 'absent' | 'null' | null {
  return value === undefined ? 'absent' : value === null ? 'null' : null;
}

export function zero(value: unknown): 'absent' | 'null' | 'zero' | null {
  return missing(value) ?? (value === 0 ? 'zero' : null);
}

/** How long the job was certainly in the queue before this call. */
export function waitedMs(job: Job, call: CallEvent): number {
  const waiting = sightingsOf(job).findLast(
    (one) => one.shows === 'IN_QUEUE' && (one.call === call || precedes(one.call, call)),
  );
  return waiting === undefined ? 0 : waiting.call.sentMs - (job.submitted.receivedMs ?? Infinity);
}

/** How long the job had certainly been running when this call was made. */
export function ranMs(job: Job, call: CallEvent): number {
  const running = sightingsOf(job).find(({ shows }) => shows === 'IN_PROGRESS')?.call;
  return running === undefined ? 0 : call.sentMs - (running.receivedMs ?? Infinity);
}
