/**
 * A 404 for a job that nothing can have deleted yet. It says nothing about work, timeouts or cancels: the job
 * was never created, its ttl expired too early, or its result was not kept.
 */
import { RUN_RETENTION_MS } from '../../spec/limits.js';
import type { RequirementId } from '../../spec/index.js';
import type { Job } from '../jobs/observed-jobs.js';
import {
  hasEnded,
  isWaitingOrRunning,
  precedes,
  type StatusObservation,
} from '../jobs/status-observations.js';
import { SHORTEST_RETENTION_MS } from '../model/job-model.js';
import { EXECUTION_TIMEOUT, forbidsEarlyDeletion, RETENTION, TTL } from '../model/lifecycle/lifecycle.js';
import { idsOf } from '../model/lifecycle/lifecycle-rows.js';
import { answerOf } from '../observed/recorded-call.js';
import type { Ids } from './attribute.js';
import { requiredCancel } from './calls-on-it.js';
import { isFarFromTtl, type Facts } from './facts.js';

/** The ttl of an ended job: the default, if none was given. */
const OF_ENDED: RequirementId = '2.2/ttl-not-early-completed';
const OF_RESULT = idsOf(RETENTION.tooEarly);
const OF_TTL = idsOf(TTL.tooEarly);
const OF_EXECUTION_TIMEOUT = idsOf(EXECUTION_TIMEOUT.tooEarly, EXECUTION_TIMEOUT.tooLate);

/** A job that no worker can take waits. */
const WAITS: RequirementId = '1/waits-when-no-worker-free';

export const creates = ({ sync }: Job): RequirementId =>
  sync ? '3/submission-creates-job-runsync' : '3/submission-creates-job-run';

/** No timer expires so soon after a submission, ms. */
const AT_ONCE_MS = 5_000;

/** It was not found right after its submission, nor later. */
export const wasNeverObserved = ({ observed, op, job, reads }: Facts): boolean =>
  observed === 'GONE' &&
  op.fromMs - job.submittedByMs <= AT_ONCE_MS &&
  reads.every((read) => read.observed === 'GONE');

/** A cancel that does not find it: that it has ended is not known. */
const isCancelledInVain = ({ cancels }: Facts): boolean => cancels.some(({ reply }) => reply?.status === 404);

/** It may have been lost while it waited: since its submission it was seen waiting at most. */
function mayHaveBeenLost(facts: Facts): boolean {
  const { was, violation, requeues } = facts;
  if ((was !== null && was !== 'IN_QUEUE') || requeues.length > 0) return false;
  return violation.states.has('queued') || isCancelledInVain(facts);
}

/** The same, and no timer can have removed it: whether it had ended is unknown, but not that its id finds nothing. */
const wasLostAtOnce = (facts: Facts): boolean =>
  mayHaveBeenLost(facts) &&
  isFarFromTtl(facts) &&
  facts.op.fromMs - facts.job.submittedByMs <= AT_ONCE_MS &&
  !isExplainedByPurge(facts) &&
  isFoundAfterSuchEnd(facts);

/** Jobs that end as this one does are found after their end. */
function isFoundAfterSuchEnd({ context: { jobs }, job }: Facts): boolean {
  const { outcome } = job.predicted(0);
  return jobs.some(
    (other) =>
      other.sync === job.sync &&
      other.predicted(0).outcome === outcome &&
      other.reads.some(({ observed }) => hasEnded(observed)),
  );
}

/** The workers are known, and not that one was free when it was submitted. */
function wasNoneFree({ violation: { startWindow } }: Facts): boolean {
  const { notBeforeMs, byMs, isImmediate } = startWindow;
  return !isImmediate && (notBeforeMs > -Infinity || byMs < Infinity);
}

/** A purge may have found it waiting. */
const isExplainedByPurge = ({ context, job, call }: Facts): boolean =>
  context.callIndex.purges.some(
    (one) => answerOf(one) === 'ok' && precedes(job.submitted, one) && !precedes(call!, one),
  );

/** Possible explanations, the most likely first. Empty if this is not an early deletion. */
export function earlyDeletionRules(facts: Facts): Ids {
  const { job, op, rule, observed, was, ageMs, reads, violation } = facts;
  if (observed !== 'GONE') return [];
  const { states, suspectRules: rules } = violation;
  const { ttlGiven } = job.model;
  const isUnended = states.has('queued') || states.has('running');
  const { durationMs } = job.predicted(0);
  const found: RequirementId[] = [];
  // No worker can have taken it, or none was free for certain: it was lost in the queue, and not by its ttl.
  const mayHaveWaited = states.has('queued') && isFarFromTtl(facts);
  const isUnstarted = !states.has('running') || (wasNeverObserved(facts) && wasNoneFree(facts));
  if (mayHaveWaited && isUnstarted && !states.has('failed')) found.push(WAITS);
  // Its run cannot have ended before that.
  const isCertainlyLost = wasNeverObserved(facts) && durationMs !== null && durationMs > ageMs;
  if ((isUnended && isCertainlyLost) || wasLostAtOnce(facts)) found.push(creates(job));
  const ttl = isUnended ? ttlNotEarly(facts) : rules.find(forbidsEarlyDeletion);
  // It was deleted in the state that was last observed, as far as is known.
  const isOfState =
    forbidsEarlyDeletion(rule) && !(was !== null && isWaitingOrRunning(was) && OF_TTL.has(rule));
  found.push(isOfState ? rule : (ttl ?? rule), ...(ttl === undefined ? [] : [ttl]));
  found.push(...rules.filter((one) => forbidsEarlyDeletion(one) && (ttlGiven || one !== OF_ENDED)));
  if (!ttlGiven) found.push(violation.required(TTL.tooEarly, 'queued'));
  if (mayHaveBeenLost(facts) || reads.every((read) => read.observed === 'GONE')) found.push(creates(job));
  if (op.kind === 'status') found.push('4.3/shows-current-state');
  if (op.kind === 'cancel') found.push(requiredCancel(facts, states.has('running') ? 'running' : 'queued'));
  // A timeout may have stopped it, and how long it is kept then is not specified.
  found.push(...rules.filter((one) => OF_EXECUTION_TIMEOUT.has(one)));
  // Or it was waiting when it should have run, and was purged.
  if (isExplainedByPurge(facts)) found.push('1/free-worker-takes-job', '1/freed-worker-takes-waiting-job');
  if (states.has('queued')) found.push(WAITS);
  if (states.has('queued') && job.policies.some(({ executionLeastMs }) => executionLeastMs <= ageMs))
    found.push('2.2/execution-timeout-not-in-queue');
  return found;
}

/** The most likely rule that protects the job in one of its possible states. */
function ttlNotEarly({ was, violation: { suspectRules: rules, states, required } }: Facts): RequirementId {
  if (was === 'IN_QUEUE' && states.has('queued')) return required(TTL.tooEarly, 'queued');
  const fitting = (['running', 'queued'] as const)
    .filter((state) => states.has(state))
    .map((state): RequirementId => required(TTL.tooEarly, state));
  return rules.find((rule) => fitting.includes(rule)) ?? fitting[0]!;
}

/** The reads of its result, if that was deleted too early; else none. */
function readsOf({ observed, rule, hadToBe, before }: Facts): readonly StatusObservation[] {
  if (observed !== 'GONE' || !forbidsEarlyDeletion(rule) || !hasEnded(hadToBe)) return [];
  return before.filter((read) => read.call.op === 'status' && hasEnded(read.observed));
}

export const wasReadOnce = (facts: Facts): boolean => readsOf(facts).length === 1 && !isReadAgain(facts);

/** A similar job was read in the same state and found again. */
function isReadAgain({ context, job, hadToBe }: Facts): boolean {
  return context.jobs.some((other) => {
    if (other === job || other.sync !== job.sync) return false;
    const reads = other.reads.filter(({ call, observed }) => call.op === 'status' && observed === hadToBe);
    return reads.length > 1 && precedes(reads[0]!.call, reads.at(-1)!.call);
  });
}

/** No retention is this short. */
const REMOVED_WITHIN_MS = 5_000;

/** It was read once and was deleted right after that. */
export function isRemovedByRead(facts: Facts): boolean {
  const { job, op, rule, ageMs } = facts;
  if (!OF_RESULT.has(rule)) return false;
  // A retention counted from its submission would elapse at that time.
  const keptMs = job.sync ? SHORTEST_RETENTION_MS : RUN_RETENTION_MS;
  const [read, ...more] = readsOf(facts);
  if (read === undefined || more.length > 0 || ageMs >= keptMs || isReadAgain(facts)) return false;
  return op.fromMs - read.call.sentMs <= REMOVED_WITHIN_MS;
}

/** The retention of an earlier result may be any of those in the document. */
const RETENTIONS_MS = [SHORTEST_RETENTION_MS, RUN_RETENTION_MS];
/** It was retried, and deleted during its run, just when the retention of the previous result elapsed. */
export function isExpiredByOldTimer(facts: Facts): boolean {
  const { context, job, op, requeues, before } = facts;
  const retried = requeues.at(-1);
  if (retried === undefined) return false;
  const isSince = ({ call }: StatusObservation): boolean => precedes(retried, call);
  const ended = before.findLast(({ observed }) => hasEnded(observed));
  if (ended === undefined || isSince(ended)) return false;
  if (!isFarFromTtl(facts)) return false;
  const alive = before.findLast(({ call, observed }) => !hasEnded(observed) && precedes(call, ended.call));
  const endedFromMs = (alive?.call ?? job.submitted).sentMs;
  const thereMs = (before.findLast(isSince)?.call ?? retried).sentMs;
  const { graceMs } = context.session.run;
  return RETENTIONS_MS.some(
    (keptMs) => ended.call.receivedMs! + keptMs + graceMs >= thereMs && endedFromMs + keptMs <= op.byMs,
  );
}
