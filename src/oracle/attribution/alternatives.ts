/** What else may have been violated, beside the requirement that a job's own history names. */
import type { RequirementId } from '../../spec/index.js';
import { LIVES_ON, STARTED_LATE } from '../jobs/doubtful.js';
import { isAboutReportedTimes } from '../model/reported-times.js';
import { answerOf } from '../observed/recorded-call.js';
import { creates, earlyDeletionRules, wasNeverObserved, wasReadOnce } from './deleted-early.js';
import { contradictedBy, isHeldUpByWebhook, type Facts } from './facts.js';
import { RETRY } from '../model/lifecycle/lifecycle-calls.js';
import { hasOutsideEvent } from './outside-events.js';
import { isOfAnotherRun } from './own-history.js';

type Ids = readonly RequirementId[];

/** What all reading of a job's life rests on: that reads show its state, and its own; that it does what it was submitted for. */
export const READING: Ids = [
  '4.3/shows-current-state',
  '2.4/id-matches-status',
  '2.1/input-not-mixed-between-jobs',
  '2.4/output-of-this-job',
];

/** Values that a service may lose on the way to the worker. */
const EMPTY = /null|\[\]|\{\}|""/;

/**
 * Requirements whose violation would explain the observation as well; named where the run shows one of them to be violated, and
 * not the nearest. The most likely first: rules whose relaxation alone explains the job, and then what no rule of the model says.
 */
export function alternatives(facts: Facts): Ids {
  const { context, job, op, rule, observed, requeues, violation } = facts;
  const { suspectRules, explains } = violation;
  const found: RequirementId[] = [
    ...(observed === 'GONE' ? earlyDeletionRules(facts) : suspectRules.filter(explains)),
    ...(isAboutReportedTimes(rule) ? contradictedBy(violation) : []),
    // That a call has the wrong effect, no read need show.
    ...READING.filter(
      (one) => one !== '4.3/shows-current-state' || (op.kind !== 'cancel' && op.kind !== 'retry'),
    ),
  ];
  // A job thought to be running may have gone back to the queue, and left its worker to this one; one thought to have ended
  // may keep its worker.
  if (rule === '1/waits-when-no-worker-free' || observed === 'IN_PROGRESS' || isAboutReportedTimes(rule))
    found.push('3/no-return-to-queue', '1/waits-when-no-worker-free', ...STARTED_LATE.filter(explains));
  if (STARTED_LATE.includes(rule)) found.push(...LIVES_ON);
  if (requeues.length > 0) found.push(violation.required(RETRY.failed, 'failed'));
  if (isHeldUpByWebhook(facts, job.submittedFromMs)) found.push('6/failing-webhook-leaves-others-alone');
  if (isOfAnotherRun(facts)) found.push('3/no-return-to-queue', '1/job-processed-once');
  // It is answered as if it existed, although it may have been deleted, or with a state that is untrue.
  if (op.answer === 'ok' && op.kind === 'cancel')
    found.push('7/ttl-expired-cancel', '4.5/status-cancelled-running', '4.5/status-cancelled-queued');
  if (op.answer === 'ok' && op.kind === 'retry') found.push('7/ttl-expired-retry');
  if (observed === 'FAILED' && EMPTY.test(JSON.stringify(job.submission['input'] ?? {})))
    found.push(
      job.sync ? '2.1/input-reaches-worker-runsync' : '2.1/input-reaches-worker-run',
      '2.1/input-nested-unchanged',
    );
  const isPurged = context.callIndex.purges.some(
    (purge) => answerOf(purge) === 'ok' && purge.sentMs >= job.submittedFromMs && purge.sentMs <= op.byMs,
  );
  const kept: Ids = isPurged ? ['4.7/removes-waiting-runsync', '4.7/removes-all-waiting'] : [];
  return [...found, ...kept];
}

/** Requirements that explain the violation as well as the nearest one: named also where that one is satisfied elsewhere. */
export function asNear(facts: Facts): Ids {
  const { rule, violation } = facts;
  // Either of the two times in a record may be wrong.
  if (isAboutReportedTimes(rule))
    return violation.suspectRules.filter((one) => isAboutReportedTimes(one) && violation.explains(one));
  const found: RequirementId[] = [];
  if (wasNeverObserved(facts)) {
    const { outcome } = facts.job.predicted(0);
    // A failed job may be deleted soon.
    if (outcome !== 'error' && outcome !== 'crash') found.push(creates(facts.job));
    found.push('4.3/shows-current-state');
  }
  if (wasReadOnce(facts)) found.push('4.3/reading-does-not-consume');
  // An action of its own script explains it as well, and no other script used the endpoint.
  return found.length > 0 && hasOutsideEvent(facts) ? [] : found;
}
