/** What the rows of `attribute.ts` look for in the job's own history. */
import { EXECUTION_TIMEOUT_MIN_MS, TTL_MAX_MS, TTL_MIN_MS, WAIT_DEFAULT_MS } from '../../spec/limits.js';
import type { RequirementId } from '../../spec/index.js';
import type { Job } from '../jobs/observed-jobs.js';
import { hasEnded, isWaitingOrRunning, precedes, retriedAtOnce } from '../jobs/status-observations.js';
import { ANY_TIME } from '../model/job-model.js';
import { TTL } from '../model/lifecycle/lifecycle.js';
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
import { wasLeftAlone } from './outside-events.js';
import { isOfSecondRun } from './second-run.js';

/** It was waiting or running after its webhook had reported an end. */
export const goesOn = ({ after }: Facts): boolean =>
  after.some(({ observed }) => isWaitingOrRunning(observed));

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

/** The `executionTimeout` or ttl that should have ended the job and contradicts the observation, too. */
export const overDeadline = ({ violation }: Facts): RequirementId | null =>
  contradictedBy(violation)[0] ?? null;

/**
 * What the end of its handler required, by the record or long before any `executionTimeout`: a success is reported as a
 * failure, or a failure or a crash as another end. Null: it is not known to have ended.
 */
export function endOfHandler(facts: Facts): RequirementId | null {
  const { job, rule, observed, plan, retries, before } = facts;
  if (rule === '3/failed-stays') {
    if (before.some((read) => read.observed === 'FAILED')) return null;
    return (observed === 'TIMED_OUT' || observed === 'COMPLETED') && hadFailed(facts)
      ? errorFails(facts)
      : null;
  }
  if (observed === 'TIMED_OUT') return hadFailed(facts) ? errorFails(facts) : null;
  const hadSucceeded =
    plan.outcome === 'success' && retries.length === 0 && plan.durationMs! < EXECUTION_TIMEOUT_MIN_MS / 2;
  if (observed !== 'FAILED' || !hadSucceeded) return null;
  return job.sync ? '3/success-completes-runsync' : '3/success-completes-run';
}

function hadFailed({ job, plan: { outcome, durationMs }, reportedEnd }: Facts): boolean {
  if ((outcome !== 'error' && outcome !== 'crash') || durationMs === null) return false;
  const limitMs = Math.min(...job.policies.map(({ executionLeastMs }) => executionLeastMs));
  if (durationMs < limitMs / 2) return true;
  return (
    reportedEnd !== null &&
    isAbout(reportedEnd.executionTime, durationMs) &&
    !isAbout(reportedEnd.executionTime, limitMs)
  );
}

const errorFails = ({ plan, job }: Facts): RequirementId =>
  plan.outcome === 'crash'
    ? '3/worker-crash-fails'
    : job.sync
      ? '3/handler-error-fails-runsync'
      : '3/handler-error-fails-run';

/** The record contains what only a run makes that was not requested. */
export const isOfAnotherRun = ({ rule, job, record }: Facts): boolean =>
  rule === '4.6/no-effect-in-progress' ||
  ((rule === '3/not-completed-before-handler-ends' || isAboutReportedTimes(rule)) &&
    record !== null &&
    isOfSecondRun(job, record));

/** Each of two concurrent retries may have requeued it, and all retries had ended. */
export const isRequeuedTwice = ({ retries, requeues }: Facts): boolean =>
  retriedAtOnce(retries) && retries.filter((call) => answerOf(call) === 'ok').length === requeues.length;

/**
 * Its lifespan, set by `/status` or its own, has elapsed, and nothing else is known to have ended it. What `/status`
 * makes of a value out of bounds is not shown, so no such value is a deadline.
 */
export function notRemovedByTtl({ job, op, newTtl, hadToBe, violation }: Facts): RequirementId | null {
  const { submittedByMs, policies } = job;
  const newMs = newTtl && Number(newTtl.request.query['ttl']);
  if (newMs !== undefined && !(newMs >= TTL_MIN_MS && newMs <= TTL_MAX_MS)) return null;
  const overMs =
    newMs === undefined
      ? submittedByMs + Math.max(...policies.map(({ ttlMs }) => ttlMs ?? Infinity))
      : Math.max(submittedByMs, newTtl!.receivedMs!) + newMs;
  // A waiting call is answered at its end.
  const atMs = op.kind === 'reply' ? op.byMs : op.fromMs;
  if (!isUnended(hadToBe) || !(atMs >= overMs)) return null;
  return violation.required(TTL.tooLate, hadToBe === 'IN_PROGRESS' ? 'running' : 'queued');
}

/** It is reported as TIMED_OUT, or may have been stopped, without having run. */
export function timedOutInQueue(facts: Facts): RequirementId | null {
  const isStopped =
    facts.observed === 'TIMED_OUT' || (facts.was === 'IN_QUEUE' && facts.op.kind === 'status');
  return isStopped && isTimedOutInQueue(facts) ? '2.2/execution-timeout-not-in-queue' : null;
}

/** It was in the queue for its `executionTimeout`, as far as is known, and cannot have run that long. */
function isTimedOutInQueue(facts: Facts): boolean {
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

/**
 * It is gone, cancelled or ended since the call that waited for it ended, and nothing else happened to it; none of its own
 * timers is as likely a cause.
 */
export function isEndedByWait(facts: Facts): boolean {
  const { context, job, op, observed, cancels, retries, before, hadToBe, isRemoved } = facts;
  const { submitted, sync } = job;
  if (!sync || retries.length > 0) return false;
  if (observed === 'CANCELLED' && cancels.length === 0) {
    const overMs = submitted.sentMs + Number(submitted.request.query['wait'] ?? WAIT_DEFAULT_MS);
    const alive = before.findLast(({ call }) => call !== submitted);
    if (op.byMs >= overMs && (alive === undefined || alive.call.sentMs <= overMs)) return true;
  }
  if (answerOf(submitted) !== 'ok' || hasEnded(hadToBe) || !wasLeftAlone(facts)) return false;
  if (!isRemoved && (op.kind !== 'cancel' || op.code !== 404)) return false;
  if (!isFarFromTtl(facts)) return false;
  const seenByMs = submitted.receivedMs! + context.session.run.graceMs;
  return before.every(({ call }) => call.sentMs <= seenByMs);
}
