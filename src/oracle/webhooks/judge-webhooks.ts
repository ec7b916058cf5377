/**
 * Section 6: the webhooks of jobs that completed, ended otherwise, were removed, or ended more than once.
 * Calls go to the address named in the submission; several submissions may name the same one.
 */
import type { Body, CallEvent, WebhookEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import { WEBHOOK_ATTEMPTS_MAX, WEBHOOK_RETRY_PAUSE_MS } from '../../spec/limits.js';
import type { JobStatus } from '../../spec/types.js';
import { isShared } from '../jobs/observed-jobs.js';
import { isExpiredUnended, type Hypothesis } from '../model/hypothesis.js';
import { ENDED, TTL_START } from '../model/zone.js';
import type { Interval } from '../observed/intervals.js';
import { seconds } from '../../util/duration.js';
import { isObject, jsonOf } from '../observed/recorded-call.js';
import { tooLate, type Contradiction, type Term } from '../proof/contradiction.js';
import { latencyTerms } from '../context/network-latency.js';
import type { JudgingContext } from '../context/judging-context.js';
import type { Life } from '../context/life.js';
import { judgeAddresses } from './addresses.js';
import { judgeAttempts } from './attempts.js';
import { failAttempts } from './series.js';
import { missedCall, noteDeliveries } from './missed-calls.js';
import {
  areConsecutive,
  attemptsFor,
  dueBy,
  failCalls,
  isAmplyWatched,
  isCalled,
  isWatched,
  lateMs,
  leftLate,
  mayBeCalledElsewhere,
  onCompletion,
  reportingAnEnd,
  watchedUntilMs,
} from './expectations.js';

export function judgeWebhooks(context: JudgingContext): void {
  if (!context.has('webhook-reachable')) return;
  if (context.session.webhooks.length > 0) context.ledger.webhookCame = true;
  noteDeliveries(context);
  // What recorded an address and its jobs has left out what does not belong to them.
  const isRecorded = context.session.run.capture !== undefined;
  if (!isRecorded) judgeAddresses(context);
  for (const life of context.eachLife()) {
    const { webhookUrl: url, model, webhooks } = life.job;
    if (url === null || isShared(context.callIndex, url) || !life.isJudgedFurther) continue;
    if (!isRecorded && isCalled(context, url)) context.pass('6/called-at-given-url');
    // Each retry by others permits another series of calls.
    if (!model.others) judgeJobWebhooks(life);
    else if (webhooks.length > 0) observePayload(life, attemptsFor(life)[0]!);
  }
}

function judgeJobWebhooks(life: Life): void {
  const { context, completed } = life;
  const calls = attemptsFor(life);
  const reporting = reportingAnEnd(context, calls);
  const ends = 1 + endsAfterTheFirst(life, calls);
  tooMany(life, reporting, ends);
  if (ends > 1) {
    // Otherwise it is unknown which end an attempt reports.
    const ofSecond = ends === 2 ? ofSecondEnd(life, reporting) : [];
    afterRetry(life, calls, ofSecond.length > 0);
    judgeAttempts(life, ofSecond);
    return;
  }
  removed(life, calls);
  calledOn(life, calls);
  judgeAfterFailures(life, calls);
  if (completed !== null) firstCall(life, calls[0], completed);
  if (reporting.length === WEBHOOK_ATTEMPTS_MAX) context.pass('6/at-most-three-attempts', '6/three-attempts');
  judgeAttempts(life, reporting);
  if (calls.length > 0) observePayload(life, calls[0]!);
}

/**
 * A job completed that had failed before. The failure may have been told, and whether the completion is told as well is open.
 * If there was no call at all, the completion was not told.
 */
function afterRetry(life: Life, calls: readonly WebhookEvent[], isToldOfSecond: boolean): void {
  const { context, completed } = life;
  if (completed === null || life.taken('cancel').length > 0) return;
  const isReported = ({ answered, arrivedMs }: WebhookEvent): boolean =>
    answered === 200 || arrivedMs >= completed.fromMs;
  if (calls.length === 0) firstCall(life, undefined, completed);
  else if (isToldOfSecond || (calls.every(isReported) && calls.at(-1)!.arrivedMs >= completed.fromMs))
    context.pass(onCompletion(life));
}

/**
 * The attempts to tell of a completion after a retry, where those of the end before it were over: one of them succeeded, or
 * none was left. Else empty.
 */
function ofSecondEnd({ context, completed }: Life, calls: readonly WebhookEvent[]): readonly WebhookEvent[] {
  if (completed === null) return [];
  const earlier = calls.filter(({ arrivedMs }) => arrivedMs < completed.fromMs);
  const last = earlier.at(-1);
  const isOver =
    last !== undefined &&
    ((last.answered === 200 && !leftLate(context, last)) || earlier.length === WEBHOOK_ATTEMPTS_MAX);
  return isOver ? calls.slice(earlier.length) : [];
}

function firstCall(life: Life, first: WebhookEvent | undefined, { fromMs, byMs }: Interval): void {
  const { context } = life;
  if (first === undefined) {
    if (!isAmplyWatched(life, byMs) || mayBeCalledElsewhere(context, life.job.webhookUrl!)) return;
    const untilMs = watchedUntilMs(life);
    const actual = `completed by ${seconds(byMs)}, and no call by ${seconds(untilMs)}`;
    return missedCall(life, byMs, actual, calledLate(life, byMs, untilMs));
  }
  const dueMs = dueBy(context, byMs);
  const calledMs = first.sinceMs ?? first.arrivedMs;
  context.pass(onCompletion(life));
  if (!areConsecutive(life)) return;
  context.ledger.late('webhook', calledMs - byMs, first.arrivedMs - fromMs, dueMs - byMs);
  const actual = `completed by ${seconds(byMs)}, called at ${seconds(first.arrivedMs)}`;
  if (calledMs <= dueMs) context.pass('6/called-without-delay');
  else failCalls(life, '6/called-without-delay', actual, calledLate(life, byMs, calledMs));
  if (first.arrivedMs >= fromMs) context.pass('6/no-call-before-completion');
}

function calledLate({ context, job }: Life, byMs: number, atMs: number): Contradiction | null {
  const completed = { name: 'completed', ms: byMs, why: 'the job had completed by then', call: null };
  const called = { name: 'called', ms: atMs, why: 'no webhook call before', call: null };
  const terms: readonly Term[] = [
    { ms: 0, why: 'called on completion', requirement: '6/called-without-delay' },
    ...latencyTerms(context, lateMs(context, byMs)),
  ];
  return tooLate(job.id, completed, terms, called);
}

/** How many calls may have ended the job again: retries, or cancels of an ended job. */
function endsAfterTheFirst(life: Life, webhooks: readonly WebhookEvent[]): number {
  const { isStopped, retries } = life;
  const cancels = life.taken('cancel');
  // The call that ended it first adds no end; its webhook may arrive before its own answer does.
  if (isStopped && retries.length + cancels.length === 1) return 0;
  const isReportedBefore = ({ receivedMs }: CallEvent): boolean =>
    webhooks.some(({ arrivedMs }) => arrivedMs <= (receivedMs ?? Infinity));
  return retries.length + cancels.filter((call) => !isStopped || isReportedBefore(call)).length;
}

/** Each call reports one end: if they report more ends than possible, the job ended once too often. */
function tooMany(life: Life, calls: readonly WebhookEvent[], ends: number): void {
  if (calls.length <= WEBHOOK_ATTEMPTS_MAX * ends) return;
  const timesByEnd = new Map<string, number>();
  for (const { body } of calls) {
    const record = jsonOf(body);
    const end = isObject(record) ? [record['status'], record['delayTime'], record['executionTime']] : [];
    const key = JSON.stringify(end);
    timesByEnd.set(key, (timesByEnd.get(key) ?? 0) + 1);
  }
  const isOneMore =
    timesByEnd.size > ends && [...timesByEnd.values()].every((times) => times <= WEBHOOK_ATTEMPTS_MAX);
  const id: RequirementId = isOneMore ? '1/job-processed-once' : '6/at-most-three-attempts';
  failAttempts(life, id, ends === 1 ? `${calls.length} calls` : `${calls.length} calls for ${ends} ends`);
}

const CALLED_ON = {
  failed: '6/called-on-failed',
  'timed-out': '6/called-on-timed-out',
  cancelled: '6/called-on-cancelled',
} as const;

/** Whether ends other than a completion are reported is open. */
function calledOn(life: Life, calls: readonly WebhookEvent[]): void {
  if (life.mayBe((at) => at.retries > 0)) return;
  const state = life.common((at) => at.state);
  if (state !== 'failed' && state !== 'timed-out' && state !== 'cancelled') return;
  if (state === 'cancelled' && !life.isStopped) return;
  if (calls.length > 0) life.context.observe(CALLED_ON[state], 'yes');
  else if (isWatched(life, life.when(ENDED).byMs)) life.context.observe(CALLED_ON[state], 'no');
}

/** Purged, or deleted by its ttl before it ended: nothing has completed. */
function removed(life: Life, calls: readonly WebhookEvent[]): void {
  const { context, job } = life;
  if (!life.mustBe((at) => at.state === 'purged' || isExpiredUnended(at))) return;
  const first = calls[0];
  if (first === undefined) {
    const endedByMs = ({ state, zone, policy }: Hypothesis): number =>
      state === 'purged' ? zone.latest(ENDED) : zone.latest(TTL_START) + (policy.ttlMs ?? Infinity);
    const plannedMs = life.plan.durationMs ?? 0;
    const { byMs } = life.range(endedByMs, endedByMs);
    if (isWatched(life, byMs + (plannedMs === Infinity ? 0 : plannedMs)))
      context.pass('6/no-call-for-removed', '6/no-completion-told-of-removed');
    return;
  }
  // A service that treats a purge as a cancellation or failure may report it as one, as the call itself may
  // show if the job is no longer found.
  const mayBeReported =
    life.mayBe((at) => at.state === 'purged') &&
    (life.first('GONE') === undefined || claims(first.body, 'CANCELLED') || claims(first.body, 'FAILED'));
  const completed = calls.find(({ body }) => claims(body, 'COMPLETED'));
  if (completed === undefined && mayBeReported) return;
  life.fail(
    completed === undefined ? '6/no-call-for-removed' : '6/no-completion-told-of-removed',
    `called at ${seconds((completed ?? first).arrivedMs)}`,
    [job.submitted],
    { proof: [`job ${job.id} was purged, or deleted by its ttl, before it had ended`] },
  );
}

/** The document does not show the payload: the state may be anywhere in it. */
function claims(body: Body, status: JobStatus): boolean {
  return body.as === 'json' && JSON.stringify(body.value).includes(`"${status}"`);
}

/** Failing calls of one webhook affect neither its job nor another job or its webhook. */
function judgeAfterFailures(life: Life, calls: readonly WebhookEvent[]): void {
  const { context, job, completed } = life;
  const failed = calls.filter((call) => call.answered === null || call.answered >= 400);
  const first = failed[0];
  if (first === undefined) return;
  const isObservedAfter = life.reads.some(
    ({ call, observed }) =>
      observed === 'COMPLETED' && call.sentMs >= first.endedMs && call.sentMs > first.arrivedMs,
  );
  if (isObservedAfter && completed !== null) context.pass('6/failing-webhook-leaves-job-alone');
  // How soon it is called is not stated: others are left alone that are called as soon as this one was.
  const calledAfterMs = Math.max(0, (first.sinceMs ?? first.arrivedMs) - (completed?.byMs ?? Infinity));
  const lastMs = failed.at(-1)!.endedMs + WEBHOOK_RETRY_PAUSE_MS;
  for (const other of context.lives) {
    const its = other.job.webhooks[0];
    if (other === life || its === undefined || other.job.webhookUrl === job.webhookUrl) continue;
    const ended = other.completed;
    if (ended === null) continue;
    const [dueFromMs, dueByMs] = [ended.fromMs + calledAfterMs, ended.byMs + calledAfterMs];
    if (dueFromMs < first.arrivedMs || dueByMs > lastMs) continue;
    if ((its.sinceMs ?? its.arrivedMs) <= dueBy(context, dueByMs))
      context.pass('6/failing-webhook-leaves-others-alone');
  }
}

function observePayload({ context, job }: Life, call: WebhookEvent): void {
  const body = jsonOf(call.body);
  const isRecord = isObject(body) && body['id'] === job.id && typeof body['status'] === 'string';
  const shape = !isRecord ? 'other' : body['input'] === undefined ? 'record' : 'record-with-input';
  context.observe('6/payload-shape', shape);
  const type = (call.contentType ?? '').split(';')[0]!.trim().toLowerCase();
  context.observe('6/content-type', type === 'application/json' ? 'json' : 'other');
  const isSigned = Object.keys(call.headers).some((name) => /signature|hmac/i.test(name));
  context.observe('6/signature', isSigned ? 'header' : 'none');
  context.observe('6/method', call.method === 'POST' ? 'POST' : 'other');
}
