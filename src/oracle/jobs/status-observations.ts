/** What the calls on a job report about its state, and in which order they were made. */
import type { CallEvent } from '../../history/events.js';
import type { JobStatus } from '../../spec/types.js';
import type { Job } from './observed-jobs.js';
import { UNSUCCESSFUL_KEPT_MS } from '../model/job-model.js';
import { answerOf, idIn, statusIn } from '../observed/recorded-call.js';

/** One answer that shows the job's state, or that the job is no longer found. */
export interface StatusObservation {
  readonly call: CallEvent;
  readonly observed: JobStatus | 'GONE';
}

export function statusObservationsOf(job: Job): readonly StatusObservation[] {
  return (job.statusObservations ??= statusObservationsIn(
    job.id,
    job.sync ? [job.submitted, ...job.calls] : job.calls,
  ));
}

/** `calls`: those on one job, in order. An answer that names another job shows nothing about this one. */
function statusObservationsIn(id: string, calls: readonly CallEvent[]): readonly StatusObservation[] {
  const found: StatusObservation[] = [];
  for (const call of calls) {
    if (call.op !== 'status' && call.op !== 'runsync') continue;
    const status = (idIn(call) ?? id) === id ? statusIn(call) : null;
    if (answerOf(call) === 'ok' && status !== null) found.push({ call, observed: status });
    else if (call.op === 'status' && call.reply?.status === 404) found.push({ call, observed: 'GONE' });
  }
  return found;
}

/** `left` had ended before `right` was sent. */
export function precedes(left: CallEvent, right: CallEvent): boolean {
  return left.endedTick !== null && left.endedTick < right.sentTick;
}

/** Another call of the operation was in flight at the same time and may have taken effect. */
export function isConcurrent(job: Job, call: CallEvent, op: 'retry' | 'stream'): boolean {
  const isAtOnce = (one: CallEvent): boolean => !precedes(one, call) && !precedes(call, one);
  return job.calls.some(
    (one) => one.op === op && one !== call && answerOf(one) !== 'refused' && isAtOnce(one),
  );
}

/** A `/retry` in flight may have requeued the job, so it is unknown which run the call reports. */
export function isConcurrentWithRetry(job: Job, call: CallEvent): boolean {
  return job.retried && isConcurrent(job, call, 'retry');
}

export function isWaitingOrRunning(observed: StatusObservation['observed']): boolean {
  return observed === 'IN_QUEUE' || observed === 'IN_PROGRESS';
}

export function hasEnded(observed: StatusObservation['observed'] | null | undefined): boolean {
  return observed === 'COMPLETED' || observed === 'FAILED' || observed === 'TIMED_OUT';
}

/** By the end of the call its ttl or retention may have elapsed: the answer may be for a deleted job. */
export function mayBeOver(job: Job, call: CallEvent): boolean {
  const byMs = call.receivedMs ?? Infinity;
  const given = job.calls
    .filter((one) => one.op === 'status' && !precedes(call, one))
    .map((one) => Number(one.request.query['ttl']));
  const { policies, submittedFromMs } = job;
  const ttls = [...policies.map(({ ttlMs }) => ttlMs ?? 0), ...given.filter((ms) => !Number.isNaN(ms))];
  if (submittedFromMs + Math.min(...ttls) <= byMs) return true;
  const { outcome, durationMs } = job.predicted(0);
  const runsMs = Math.min(durationMs ?? 0, ...policies.map(({ executionLeastMs }) => executionLeastMs));
  const seen = statusObservationsOf(job).filter((one) => precedes(one.call, call));
  const before = seen.findLast(({ observed }) => isWaitingOrRunning(observed))?.call;
  // A /retry that may have had no effect starts no new run and ends no success.
  const mayBeRetried = job.calls.some(
    (one) => one.op === 'retry' && answerOf(one) !== 'refused' && !precedes(call, one),
  );
  // Whatever its plan says, the worker may have failed it.
  const isUnsuccessful = seen.some(({ observed }) => observed === 'FAILED' || observed === 'TIMED_OUT');
  const succeeds = outcome === 'success' && runsMs === durationMs && !mayBeRetried && !isUnsuccessful;
  const hasCompleted = succeeds || seen.some(({ observed }) => observed === 'COMPLETED');
  const keptMs = hasCompleted
    ? Math.min(...policies.map(({ keptAtLeastMs }) => keptAtLeastMs))
    : UNSUCCESSFUL_KEPT_MS;
  const endedFromMs = Math.max(submittedFromMs + runsMs, before?.sentMs ?? -Infinity);
  return endedFromMs + keptMs <= byMs;
}

/** The job was submitted before `call` and observed waiting after it. */
export function observedWaitingAfter(job: Job, call: CallEvent): boolean {
  return (
    precedes(job.submitted, call) &&
    statusObservationsOf(job).some(
      ({ call: later, observed }) => observed === 'IN_QUEUE' && precedes(call, later),
    )
  );
}

/** Two of these `/retry` calls were in flight at the same time, and both succeeded. */
export function retriedAtOnce(retries: readonly CallEvent[]): boolean {
  const accepted = retries.filter((call) => answerOf(call) === 'ok');
  return accepted.some((one) =>
    accepted.some((other) => one !== other && !precedes(one, other) && !precedes(other, one)),
  );
}
