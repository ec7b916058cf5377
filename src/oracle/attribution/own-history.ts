/** Conditions of the rows in `attribution-table.ts` that concern the job's own history. */
import { EXECUTION_TIMEOUT_MIN_MS, WAIT_DEFAULT_MS } from '../../spec/limits.js';
import type { RequirementId } from '../../spec/index.js';
import type { Job } from '../jobs/observed-jobs.js';
import { hasEnded, isWaitingOrRunning, precedes, retriedAtOnce } from '../jobs/status-observations.js';
import { ANY_TIME } from '../model/job-model.js';
import { ttlRequirement } from '../model/lifecycle.js';
import { isAboutReportedTimes } from '../model/reported-times.js';
import { answerOf, isObject, jsonOf, recordOf, type JsonObject } from '../observed/recorded-call.js';
import {
  contradictedBy,
  isFarFromTtl,
  isFailure,
  isUnended,
  reportedEndIn,
  type Facts,
  type ReportedEnd,
} from './facts.js';
import { isOfSecondRun } from './second-run.js';

/** It was waiting or running after its webhook had reported an end. */
export const goesOn = ({ after }: Facts): boolean =>
  after.some(({ observed }) => isWaitingOrRunning(observed));

/** Webhooks do not report removals. */
export const isNoEndForWebhooks = ({ rule }: Facts): boolean =>
  rule.includes('/ttl-') || rule === '3/not-completed-before-handler-ends';

/** A webhook was called, and all earlier reads show the job waiting or running. */
export const isEndedByWebhookAlone = ({ job, op, retries, before }: Facts): boolean =>
  retries.length === 0 &&
  job.webhooks.some(({ arrivedMs }) => arrivedMs <= op.fromMs) &&
  before.every(({ observed }) => isWaitingOrRunning(observed));

/** A webhook has reported a complete run: the same that its record reports. */
export const isReportedByWebhook = ({ job, op, record: shown }: Facts): boolean =>
  job.webhooks.some(({ arrivedMs, body }) => {
    const record = jsonOf(body);
    const reportedEnd = arrivedMs <= op.fromMs ? reportedEndIn(record) : null;
    if (reportedEnd === null || !isObject(record) || !ranAsNeeded(job, reportedEnd, arrivedMs)) return false;
    return shown?.['delayTime'] === undefined || shown['delayTime'] === record['delayTime'];
  });

/** The record reports a run of the required length, so a recent report of IN_QUEUE was wrong. */
export const hadEndedUnobserved = ({ job, op, reportedEnd, retries, before }: Facts): boolean =>
  reportedEnd !== null &&
  retries.length === 0 &&
  before.some(({ observed }) => observed === 'IN_QUEUE') &&
  ranAsNeeded(job, reportedEnd, op.byMs);

/** A reported time may differ from the required one by this much, or by a twentieth, ms. */
const REPORTED_WITHIN_MS = 50;

/** Reported in ms or in seconds: the unit is open. */
const isAbout = (time: number, ms: number): boolean =>
  [1, 1000].some((perUnit) => isWithin(time * perUnit, ms));

const isWithin = (reportedMs: number, ms: number): boolean =>
  Math.abs(reportedMs - ms) <= Math.max(REPORTED_WITHIN_MS, ms / 20);

/** As long as its handler, or its timeout, requires; and there was time for it since the submission. */
function ranAsNeeded(job: Job, { observed, executionTime }: ReportedEnd, byMs: number): boolean {
  const limitsMs = job.policies.map(({ executionMs }) => executionMs);
  const neededMs = [job.predicted(0).durationMs, ...(isFailure(observed) ? limitsMs : [])];
  return neededMs.some((ms) => ms !== null && byMs - job.submittedFromMs >= ms && isAbout(executionTime, ms));
}

/** Reads are taken to be wrong if they contradict the record by more than this, ms. */
const CLEARLY_MS = 1_000;

/**
 * While it was reported as running, its record said that it had waited until then and not run at all; and at
 * its end, that it had waited no longer and run exactly as long as its handler requires.
 */
export function isReportedRunningTooSoon({ job, plan, requeues, reads }: Facts): boolean {
  const since = requeues.at(-1) ?? job.submitted;
  const running = reads.filter(({ call, observed }) => observed === 'IN_PROGRESS' && precedes(since, call));
  const ended = reads.findLast(({ call }) => reportedEndIn(recordOf(call) ?? undefined) !== null);
  const neededMs = plan.durationMs;
  if (ended === undefined || neededMs === null) return false;
  const record = recordOf(ended.call)!;
  const endedMs = ended.call.receivedMs! - since.sentMs;
  const units = [1, 1000].filter(
    (perUnit) =>
      isWithin(timeIn(record, 'executionTime') * perUnit, neededMs) &&
      timeIn(record, 'delayTime') * perUnit + neededMs <= endedMs,
  );
  const waiting = running.filter(({ call }) => {
    const shown = recordOf(call)!;
    const agoMs = call.sentMs - since.receivedMs!;
    if (timeIn(shown, 'executionTime') !== 0) return false;
    return units.some((perUnit) => Math.abs(timeIn(shown, 'delayTime') * perUnit - agoMs) <= CLEARLY_MS);
  });
  // A single such read may coincide with the start of a second run.
  const [first] = waiting;
  return first !== undefined && waiting.at(-1)!.call.sentMs - first.call.receivedMs! > neededMs + CLEARLY_MS;
}

function timeIn(record: JsonObject, name: 'delayTime' | 'executionTime'): number {
  const time = record[name];
  return typeof time === 'number' ? time : NaN;
}

/** Its record reports a run as long as its handler requires. */
export const ranToItsEnd = ({ reportedEnd, plan: { durationMs } }: Facts): boolean =>
  reportedEnd !== null && durationMs !== null && isAbout(reportedEnd.executionTime, durationMs);

const DEADLINES = ['2.2/execution-timeout', '2.2/ttl-removes', '2.2/ttl-default-removes'];

/** The `executionTimeout` or ttl that should have ended the job and contradicts the observation, too. */
export const overDeadline = ({ violation }: Facts): RequirementId | null =>
  contradictedBy(violation).find((rule) => DEADLINES.some((name) => rule.startsWith(name))) ?? null;

/** Its handler failed or its worker crashed, by the record or long before any `executionTimeout`. */
export function hadFailed({ job, plan: { outcome, durationMs }, reportedEnd }: Facts): boolean {
  if ((outcome !== 'error' && outcome !== 'crash') || durationMs === null) return false;
  const limitMs = Math.min(...job.policies.map(({ executionLeastMs }) => executionLeastMs));
  if (durationMs < limitMs / 2) return true;
  return (
    reportedEnd !== null &&
    isAbout(reportedEnd.executionTime, durationMs) &&
    !isAbout(reportedEnd.executionTime, limitMs)
  );
}

export const errorFails = ({ plan, job }: Facts): RequirementId =>
  plan.outcome === 'crash'
    ? '3/worker-crash-fails'
    : job.sync
      ? '3/handler-error-fails-runsync'
      : '3/handler-error-fails-run';

/** Its handler had succeeded long before any `executionTimeout`. */
export const hadSucceeded = ({ plan: { outcome, durationMs }, retries }: Facts): boolean =>
  outcome === 'success' && retries.length === 0 && durationMs! < EXECUTION_TIMEOUT_MIN_MS / 2;

/** The record contains what only a run makes that was not requested. */
export const isOfAnotherRun = ({ rule, job, record }: Facts): boolean =>
  rule === '4.6/no-effect-in-progress' ||
  ((rule === '3/not-completed-before-handler-ends' || isAboutReportedTimes(rule)) &&
    record !== null &&
    isOfSecondRun(job, record));

/** Each of two concurrent retries may have requeued it, and all retries had ended. */
export const isRequeuedTwice = ({ retries, requeues }: Facts): boolean =>
  retriedAtOnce(retries) && retries.filter((call) => answerOf(call) === 'ok').length === requeues.length;

/** A `/retry` before the last one succeeded, and the last one was made after the job had failed again. */
export function isRetriedTwice({ job, retries }: Facts): boolean {
  const first = retries.slice(0, -1).find((call) => answerOf(call) === 'ok');
  return (
    first !== undefined &&
    job.operations.some(
      ({ call, observed, isAsBeforeRetry }) =>
        isFailure(observed) && !isAsBeforeRetry && precedes(first, call!),
    )
  );
}

/** It was seen CANCELLED, and whether it waited or ran when it was cancelled, nothing shows. */
export const isCancelledInEitherState = ({ before, violation: { explains } }: Facts): boolean =>
  before.some(({ observed }) => observed === 'CANCELLED') &&
  explains('3/cancelled-never-starts') &&
  explains('3/cancelled-never-completes');

/** It was cancelled, but it was never observed CANCELLED and behaves as if it was not. */
export function notCancelled(facts: Facts): RequirementId | null {
  const { job, op, rule, observed, was, ageMs, before, cancels, retries } = facts;
  if (op.isAsBeforeRetry || before.some((read) => read.observed === 'CANCELLED' || read.observed === 'GONE'))
    return null;
  switch (rule) {
    case '3/cancelled-never-starts': {
      // Its handler cannot have ended since its submission.
      const isTooSoon = ageMs < (job.predicted(0).durationMs ?? 0);
      return observed === 'IN_QUEUE' || isFailure(observed) || isTooSoon ? '3/cancel-queued' : null;
    }
    case '3/cancelled-never-completes':
      return observed === 'IN_PROGRESS' ? '3/cancel-running' : null;
    case '4.6/no-effect-on-cancelled':
      return observed === 'IN_PROGRESS' && retries.every((call) => answerOf(call) === 'refused')
        ? '3/cancel-running'
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
export function cancelRule({ around, violation: { suspectRules: rules } }: Facts): RequirementId {
  if (around === 'IN_PROGRESS') return '3/cancel-running';
  const nearest = around === 'IN_QUEUE' ? undefined : rules.find((rule) => rule.startsWith('3/cancel-'));
  return nearest ?? '3/cancel-queued';
}

/** Its lifespan, set by `/status` or its own, has elapsed, and nothing else is known to have ended it. */
export function notRemovedByTtl({ job, op, newTtl, hadToBe }: Facts): RequirementId | null {
  const { submittedByMs, policies, model } = job;
  const overMs =
    newTtl === undefined
      ? submittedByMs + Math.max(...policies.map(({ ttlMs }) => ttlMs ?? Infinity))
      : Math.max(submittedByMs, newTtl.receivedMs!) + Number(newTtl.request.query['ttl']);
  // A waiting call is answered at its end.
  const atMs = op.kind === 'reply' ? op.byMs : op.fromMs;
  if (!isUnended(hadToBe) || !(atMs >= overMs)) return null;
  return ttlRequirement('tooLate', model, hadToBe === 'IN_PROGRESS' ? 'running' : 'queued');
}

export const isThereAgain = ({ after, rule }: Facts): boolean =>
  after.some(({ observed }) => observed !== 'GONE') || rule === '4.3/shows-current-state';

/** A valid call was refused although the job existed; a 404 may mean that it did not. */
export const isWronglyRefused = (facts: Facts): boolean =>
  facts.op.answer === 'refused' &&
  (facts.observed !== 'GONE' || isThereAgain(facts) || facts.reads.length === 0);

/** No timer expires within this time between a read, or the submission, and the next call, ms. */
const AT_ONCE_MS = 100;

/** A `/cancel` right after a read is answered as if the job had ended in between. */
export const isReportedAsEnded = ({ op, observed, lastGood }: Facts): boolean =>
  op.answer === 'ok' &&
  observed !== null &&
  observed !== 'CANCELLED' &&
  op.byMs - (lastGood.receivedMs ?? 0) <= AT_ONCE_MS;

/** The answer to its first `/cancel` reports another end, but no read does. */
export const isCancelledAfterAll = ({ op, observed, after }: Facts): boolean =>
  op.answer === 'ok' &&
  (observed === 'COMPLETED' || isFailure(observed)) &&
  after[0]?.observed === 'CANCELLED';

/** It was in the queue for its `executionTimeout`, as far as is known, and cannot have run that long. */
export function isTimedOutInQueue(facts: Facts): boolean {
  const { context, job, op, hadToBe, plan, requeues, retries, lastGood, violation } = facts;
  if (op.answer !== 'ok' || (hadToBe !== null && hadToBe !== 'IN_QUEUE')) return false;
  const limitMs = executionMsOf(facts);
  const queuedMs = requeues.at(-1)?.sentMs ?? job.submittedFromMs;
  if (op.byMs - queuedMs < limitMs) return false;
  const { notBeforeMs, byMs } = violation.startWindow;
  const mayHaveWaited = retries.length > 0 || byMs - queuedMs >= limitMs;
  if (!mayHaveWaited) return false;
  const waitedUntilMs = Math.max(lastGood.sentMs, queuedMs, retries.length > 0 ? -Infinity : notBeforeMs);
  const { graceMs } = context.session.run;
  if (op.fromMs - waitedUntilMs <= limitMs - graceMs) return true;
  return plan.durationMs !== null && plan.durationMs <= limitMs - graceMs;
}

/**
 * It existed for its `executionTimeout`, but cannot have run that long: the time before its run explains when it
 * was stopped.
 */
export function isTimedFromSubmission(facts: Facts): boolean {
  const { context, job, before, requeues, violation } = facts;
  const { graceMs } = context.session.run;
  // Which worker was free when tells of the first run alone.
  const { notBeforeMs, byMs } = requeues.length > 0 ? ANY_TIME : violation.startWindow;
  const waiting = before.findLast(({ observed }) => observed === 'IN_QUEUE')?.call;
  const waitedUntilMs = Math.max(waiting?.sentMs ?? -Infinity, requeues.at(-1)?.sentMs ?? notBeforeMs);
  const running = before.filter(({ call }) => call.sentMs >= waitedUntilMs);
  const seenMs = running.find(({ observed }) => observed === 'IN_PROGRESS')?.call.receivedMs;
  const startedByMs = seenMs ?? byMs;
  if (startedByMs === Infinity || !hasExistedForTimeout(facts)) return false;
  const dueMs = Math.max(job.submittedByMs + executionMsOf(facts), startedByMs);
  const lastSeenMs = running.at(-1)?.call.sentMs ?? -Infinity;
  return waitedUntilMs > job.submittedByMs + graceMs && lastSeenMs <= dueMs + graceMs;
}

const executionMsOf = ({ job }: Facts): number =>
  Math.min(...job.policies.map(({ executionMs }) => executionMs ?? Infinity));
const hasExistedForTimeout = (facts: Facts): boolean => facts.ageMs >= executionMsOf(facts);

/** It was not cancelled, and after the waiting call ended it was not observed in an expected state. */
export function isCancelledByWait({ job, op, cancels, before }: Facts): boolean {
  const { submitted } = job;
  if (!job.sync || cancels.length > 0) return false;
  const overMs = submitted.sentMs + Number(submitted.request.query['wait'] ?? WAIT_DEFAULT_MS);
  const alive = before.findLast(({ call }) => call !== submitted);
  return op.byMs >= overMs && (alive === undefined || alive.call.sentMs <= overMs);
}

/**
 * It was last seen when the call that waited for it ended, and nothing else happened to it; none of its own
 * timers is as likely a cause.
 */
export function isGoneAfterWait(facts: Facts): boolean {
  const { context, job, op, rule, retries, before, hadToBe, isRemoved } = facts;
  const { submitted, sync } = job;
  if (!sync || retries.length > 0 || answerOf(submitted) !== 'ok' || hasEnded(hadToBe)) return false;
  if (!isRemoved && (op.kind !== 'cancel' || op.code !== 404)) return false;
  const seenByMs = submitted.receivedMs! + context.session.run.graceMs;
  if (rule.includes('/ttl-') && !isFarFromTtl(facts)) return false;
  return before.every(({ call }) => call.sentMs <= seenByMs);
}
