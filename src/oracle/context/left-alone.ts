/** Reads around a call that prove it left a job unchanged, and whether the job may be gone by its end. */
import type { CallEvent } from '../../history/events.js';
import type { JobStatus } from '../../spec/types.js';
import { jobBy, type Job } from '../jobs/observed-jobs.js';
import {
  hasEnded,
  isWaitingOrRunning,
  mayBeOver,
  precedes,
  statusObservationsOf,
} from '../jobs/status-observations.js';
import type { Hypothesis } from '../model/hypothesis.js';
import { UNSUCCESSFUL_KEPT_MS } from '../model/job-model.js';
import { ENDED, TTL_START } from '../model/zone.js';
import { answerOf, idInPath, effectPrecedes } from '../observed/recorded-call.js';
import type { JudgingContext } from './judging-context.js';

/**
 * The job was waiting or running during `call`, and later reads show that the call did not end it: a
 * cancellation or removal would have been noticed.
 */
export function survives(context: JudgingContext, job: Job, call: CallEvent): boolean {
  if (!context.isExplained(job) || !precedes(job.submitted, call)) return false;
  const after = statusObservationsOf(job).filter((observation) => precedes(call, observation.call));
  if (after.some(({ observed }) => isWaitingOrRunning(observed))) return true;
  const endedByItself = after.some(({ observed }) => hasEnded(observed));
  return (
    endedByItself && context.explanationsOf(job).mustBe(({ zone }) => zone.earliest(ENDED) > call.sentMs)
  );
}

/** The job was observed in the same final state before and after `call`. */
export function staysEnded(
  context: JudgingContext,
  job: Job,
  call: CallEvent,
  states: readonly JobStatus[] = ['COMPLETED', 'FAILED', 'TIMED_OUT'],
): boolean {
  if (!context.isExplained(job)) return false;
  const seen = statusObservationsOf(job);
  return states.some(
    (state) =>
      seen.some(({ call: earlier, observed }) => observed === state && precedes(earlier, call)) &&
      seen.some(({ call: later, observed }) => observed === state && precedes(call, later)),
  );
}

/**
 * The service must still know the job at the end of `call`: a later read found it, every explanation has it
 * there, or no timer or call can have removed it by then. A 404 is then not a report of its deletion. (While
 * single calls are judged, explanations are not available yet.)
 */
export function wasThere(context: JudgingContext, job: Job, call: CallEvent): boolean {
  const byMs = call.receivedMs ?? Infinity;
  if (context.explanationsOf(job).mustBe((at) => isKeptUntil(at, byMs))) return true;
  if (
    statusObservationsOf(job).some(
      ({ call: later, observed }) => observed !== 'GONE' && precedes(call, later),
    )
  )
    return true;
  return !mayBeOver(job, call) && !mayBeTakenAway(context, call);
}

/** The job may have been purged or cancelled by the end of `call`, so the answer is open. */
export function mayBeTakenAway(context: JudgingContext, call: CallEvent): boolean {
  const id = idInPath(call);
  const job = jobBy(context, id);
  const before = (one: CallEvent): boolean =>
    one !== call &&
    answerOf(one) !== 'refused' &&
    one.sentTick < (call.endedTick ?? Infinity) &&
    (job === undefined || !effectPrecedes(one, job.submitted));
  if (context.callIndex.purges.some(before)) return true;
  return context.callIndex.of('cancel').some((one) => before(one) && idInPath(one) === id);
}

/** It exists, and neither its ttl nor its retention can have elapsed by then. */
export function isKeptUntil({ state, zone, policy }: Hypothesis, byMs: number): boolean {
  return (
    state !== 'deleted' &&
    zone.earliest(TTL_START) + (policy.ttlMs ?? 0) > byMs &&
    zone.earliest(ENDED) + (state === 'completed' ? policy.keptAtLeastMs : UNSUCCESSFUL_KEPT_MS) > byMs
  );
}
