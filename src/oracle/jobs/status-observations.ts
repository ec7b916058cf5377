/** What the calls on a job report about its state, and in which order they were made. */
import type { CallEvent } from '../../history/events.js';
import type { JobStatus } from '../../spec/types.js';
import { answerOf, idIn, statusIn } from '../observed/recorded-call.js';

export type ObservedState = JobStatus | 'GONE';

/** One answer that shows the job's state, or that the job is no longer found. */
export interface StatusObservation {
  readonly call: CallEvent;
  readonly observed: ObservedState;
}

/** What the answer shows of this job; one that names another job shows nothing. */
export function readIn(id: string, call: CallEvent): StatusObservation | null {
  const status = (idIn(call) ?? id) === id ? statusIn(call) : null;
  if (answerOf(call) === 'ok' && status !== null) return { call, observed: status };
  return call.op === 'status' && call.reply?.status === 404 ? { call, observed: 'GONE' } : null;
}

/** `calls`: those on one job, in order. */
export function readsIn(id: string, calls: readonly CallEvent[]): readonly StatusObservation[] {
  const found: StatusObservation[] = [];
  for (const call of calls) {
    const read = call.op === 'status' || call.op === 'runsync' ? readIn(id, call) : null;
    if (read !== null) found.push(read);
  }
  return found;
}

/** `left` had ended before `right` was sent. */
export function precedes(left: CallEvent, right: CallEvent): boolean {
  return left.endedTick !== null && left.endedTick < right.sentTick;
}

export function isWaitingOrRunning(observed: ObservedState | null | undefined): boolean {
  return observed === 'IN_QUEUE' || observed === 'IN_PROGRESS';
}

export function hasEnded(observed: ObservedState | null | undefined): boolean {
  return observed === 'COMPLETED' || observed === 'FAILED' || observed === 'TIMED_OUT';
}

/** Two of these `/retry` calls were in flight at the same time, and both succeeded. */
export function retriedAtOnce(retries: readonly CallEvent[]): boolean {
  const accepted = retries.filter((call) => answerOf(call) === 'ok');
  return accepted.some((one) =>
    accepted.some((other) => one !== other && !precedes(one, other) && !precedes(other, one)),
  );
}
