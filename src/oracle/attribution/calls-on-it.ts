/** Which requirement a `/cancel` or `/retry` of the job violates: it had no effect, or was answered as if it had none. */
import type { RequirementId } from '../../spec/index.js';
import { precedes } from '../jobs/status-observations.js';
import { answerOf } from '../observed/recorded-call.js';
import { EXECUTION_TIMEOUT } from '../model/lifecycle/lifecycle.js';
import { CANCEL, isAboutCancel, isAboutRetry, RETRY } from '../model/lifecycle/lifecycle-calls.js';
import { idsOf } from '../model/lifecycle/lifecycle-rows.js';
import { isFailure, isUnended, type Facts, type ObservedState } from './facts.js';
import { isEndedByWebhookAlone } from './own-history.js';

type Ids = readonly RequirementId[];

export const isThereAgain = ({ after, rule }: Facts): boolean =>
  after.some(({ observed }) => observed !== 'GONE') || rule === '4.3/shows-current-state';

/** A valid call was refused although the job existed; a 404 may mean that it did not. */
export const isWronglyRefused = (facts: Facts): boolean =>
  facts.op.answer === 'refused' &&
  (facts.observed !== 'GONE' || isThereAgain(facts) || facts.reads.length === 0);

/** No timer expires within this time between a read, or the submission, and the next call, ms. */
const AT_ONCE_MS = 100;

const ENDS_LATER: Ids = [
  '3/not-completed-before-handler-ends',
  ...idsOf(EXECUTION_TIMEOUT.tooEarly, CANCEL.running, CANCEL.queued),
];

/**
 * A `/cancel` of a job last seen waiting or running was refused, or answered as if the job had ended. Later reads show whether
 * the answer is wrong or the cancel had no effect.
 */
export function cancelNotPerformed(facts: Facts): RequirementId | null {
  const { op, rule, observed, was, around, after, lastGood } = facts;
  if (!isUnended(was)) return null;
  const isReportedAsEnded = op.answer === 'ok' && observed !== null && observed !== 'CANCELLED';
  if (
    isReportedAsEnded &&
    (observed === 'COMPLETED' || isFailure(observed)) &&
    after[0]?.observed === 'CANCELLED'
  )
    return around === 'IN_QUEUE' ? '4.5/status-cancelled-queued' : '4.5/status-cancelled-running';
  // Right after a read nothing can have ended it in between; nor can its timeout, long before it.
  const cannotHaveEnded =
    isReportedAsEnded &&
    (op.byMs - (lastGood.receivedMs ?? 0) <= AT_ONCE_MS ||
      (isFailure(observed) && ENDS_LATER.includes(rule)));
  return isWronglyRefused(facts) || cannotHaveEnded ? cancelRule(facts) : null;
}

/** What a `/retry` of a failed job had to do. */
export function retryRule({ job, was, retries, violation }: Facts): RequirementId | null {
  if (was !== 'FAILED' && was !== 'TIMED_OUT') return null;
  const first = retries.slice(0, -1).find((call) => answerOf(call) === 'ok');
  const hasFailedAgain =
    first !== undefined &&
    job.operations.some(
      ({ call, observed, isAsBeforeRetry }) =>
        isFailure(observed) && !isAsBeforeRetry && precedes(first, call!),
    );
  if (hasFailedAgain) return '4.6/failed-again-can-be-retried';
  const state = was === 'FAILED' ? 'failed' : 'timed-out';
  return violation.required(RETRY[state], state);
}

const CANCELLED_STAYS: Ids = ['3/cancelled-never-starts', '3/cancelled-never-completes'];

const STALE: RequirementId = '4.3/shows-current-state';

/** A later read shows that the cancel worked, and nothing else can have ended the job: this read showed the state of before. */
function isOldRead({ job, op, observed, was, after }: Facts): boolean {
  if (op.kind !== 'status' || !isUnended(observed) || was !== observed) return false;
  const shown = after.find((read) => read.observed === 'CANCELLED')?.call;
  if (shown === undefined || job.model.others) return false;
  const isAgain = job.calls.some(
    (call) => call.op === 'cancel' && !precedes(call, op.call!) && precedes(call, shown),
  );
  const mayHaveTimedOut = job.policies.some(
    ({ executionMs }) => executionMs !== null && shown.receivedMs! >= job.submittedFromMs + executionMs,
  );
  return !isAgain && !mayHaveTimedOut;
}

/**
 * What contradicts the effect of the call may be a read of the state of before: its record is that of before the retry, or its
 * state was shown before, or is that in which the job began, and no later read shows that the cancel changed nothing.
 */
export function mayBeOldRead({ job, rule, observed, before, after }: Facts): boolean {
  if (isAboutRetry(rule)) return job.operations.some(({ isAsBeforeRetry }) => isAsBeforeRetry);
  const mayFollow: readonly (ObservedState | null)[] = [observed, 'CANCELLED', 'GONE'];
  const isOfBefore = observed === 'IN_QUEUE' || before.some((read) => read.observed === observed);
  return isOfBefore && after.every((read) => mayFollow.includes(read.observed));
}

/** It was cancelled, but it was never observed CANCELLED and behaves as if it was not. */
export function notCancelled(facts: Facts): RequirementId | null {
  const { job, op, rule, observed, was, ageMs, before, cancels, retries, violation } = facts;
  if (op.isAsBeforeRetry || before.some((read) => read.observed === 'GONE')) return null;
  if (isOldRead(facts)) return STALE;
  if (before.some((read) => read.observed === 'CANCELLED')) {
    // Whether it waited or ran when it was cancelled, nothing shows.
    const isEither = CANCELLED_STAYS.includes(rule) && CANCELLED_STAYS.every(violation.explains);
    return isEither ? '3/cancelled-stays' : null;
  }
  switch (rule) {
    case '3/cancelled-never-starts': {
      // Its handler cannot have ended since its submission.
      const isTooSoon = ageMs < (job.predicted(0).durationMs ?? 0);
      return observed === 'IN_QUEUE' || isFailure(observed) || isTooSoon
        ? requiredCancel(facts, 'queued')
        : null;
    }
    case '3/cancelled-never-completes':
      return observed === 'IN_PROGRESS' ? requiredCancel(facts, 'running') : null;
    case '4.6/no-effect-on-cancelled':
      return observed === 'IN_PROGRESS' && retries.every((call) => answerOf(call) === 'refused')
        ? requiredCancel(facts, 'running')
        : null;
    case '3/completed-stays':
    case '3/failed-stays':
    case '4.3/shows-current-state': {
      // Only the answer to a cancel said that it had ended, or a refusal: no read did, and no webhook.
      const isTold = cancels.some((call) => answerOf(call) !== 'unknown') && !isEndedByWebhookAlone(facts);
      return isTold && isUnended(was) && isUnended(observed) ? cancelRule(facts) : null;
    }
    default:
      return null;
  }
}

/** What a `/cancel` had to do in the last observed state, or else the most likely rule. */
function cancelRule(facts: Facts): RequirementId {
  const { around, violation } = facts;
  if (around === 'IN_PROGRESS') return requiredCancel(facts, 'running');
  const nearest = around === 'IN_QUEUE' ? undefined : violation.suspectRules.find(isAboutCancel);
  return nearest ?? requiredCancel(facts, 'queued');
}

export const requiredCancel = ({ violation }: Facts, state: 'queued' | 'running'): RequirementId =>
  violation.required(CANCEL[state], state);
