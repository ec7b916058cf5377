/**
 * Section 6: the webhooks of jobs that completed, ended otherwise, were removed, or ended more than once.
 * Calls go to the address named in the submission; several submissions may name the same one.
 */
import type { Body, CallEvent, WebhookEvent } from '../../history/events.js';
import type { RequirementId } from '../../spec/index.js';
import { WEBHOOK_ATTEMPTS_MAX, WEBHOOK_RETRY_PAUSE_MS } from '../../spec/limits.js';
import type { JobStatus } from '../../spec/types.js';
import { isShared, type Job } from '../jobs/observed-jobs.js';
import { statusObservationsOf } from '../jobs/status-observations.js';
import type { Hypothesis } from '../model/hypothesis.js';
import { ENDED, TTL_START } from '../model/zone.js';
import { answerOf, isObject, jsonOf, seconds } from '../observed/recorded-call.js';
import { tooLate, type Contradiction, type Term } from '../proof/contradiction.js';
import { latencyTerms, networkLatencyMs } from '../context/network-latency.js';
import type { JudgingContext } from '../context/judging-context.js';
import { judgeAddresses } from './addresses.js';
import { judgeAttempts } from './attempts.js';
import { AMPLE_MS, missedFirstCall, noteDeliveries } from './missed-calls.js';
import {
  completion,
  dueBy,
  failureReport,
  isCalled,
  lateMs,
  leftLate,
  mayBeCalledElsewhere,
  onCompletion,
  reportingAnEnd,
  watchedUntilMs,
  type Completion,
} from './expectations.js';

export function judgeWebhooks(context: JudgingContext): void {
  if (!context.has('webhook-reachable')) return;
  const { callIndex, jobs } = context;
  if (context.session.webhooks.length > 0) context.ledger.webhookCame = true;
  noteDeliveries(context);
  judgeAddresses(context);
  for (const job of jobs)
    if (job.webhookUrl !== null && !isShared(callIndex, job.webhookUrl) && context.isJudgedFurther(job))
      judgeJobWebhooks(context, job);
}

function judgeJobWebhooks(context: JudgingContext, job: Job): void {
  const calls = [...job.webhooks].sort((left, right) => left.arrivedMs - right.arrivedMs);
  if (isCalled(context, job.webhookUrl!)) context.pass('6/called-at-given-url');
  const reporting = reportingAnEnd(context, calls);
  const ends = 1 + endsAfterTheFirst(context, job, calls);
  tooMany(context, job, reporting, ends);
  if (ends > 1) {
    // Otherwise it is unknown which end an attempt reports.
    const ofSecond = ends === 2 ? ofSecondEnd(context, job, reporting) : [];
    afterRetry(context, job, calls, ofSecond.length > 0);
    judgeAttempts(context, job, ofSecond);
    return;
  }
  removed(context, job, calls);
  calledOn(context, job, calls);
  judgeAfterFailures(context, job, calls);
  const completed = completion(context, job);
  if (completed !== null) firstCall(context, job, calls[0], completed);
  if (reporting.length === WEBHOOK_ATTEMPTS_MAX) context.pass('6/at-most-three-attempts', '6/three-attempts');
  judgeAttempts(context, job, reporting);
  if (calls.length > 0) observePayload(context, job, calls[0]!);
}

/**
 * A job completed that had failed before. The failure may have been told, and whether the completion is told as well is open.
 * If there was no call at all, the completion was not told.
 */
function afterRetry(
  context: JudgingContext,
  job: Job,
  calls: readonly WebhookEvent[],
  isToldOfSecond: boolean,
): void {
  const completed = completion(context, job);
  const isCancelled = job.calls.some((call) => call.op === 'cancel' && answerOf(call) !== 'refused');
  if (completed === null || isCancelled) return;
  const isReported = ({ answered, arrivedMs }: WebhookEvent): boolean =>
    answered === 200 || arrivedMs >= completed.fromMs;
  if (calls.length === 0) firstCall(context, job, undefined, completed);
  else if (isToldOfSecond || (calls.every(isReported) && calls.at(-1)!.arrivedMs >= completed.fromMs))
    context.pass(onCompletion(job));
}

/**
 * The attempts to tell of a completion after a retry, where those of the end before it were over: one of them succeeded, or
 * none was left. Else empty.
 */
function ofSecondEnd(
  context: JudgingContext,
  job: Job,
  calls: readonly WebhookEvent[],
): readonly WebhookEvent[] {
  const completed = completion(context, job);
  if (completed === null) return [];
  const earlier = calls.filter(({ arrivedMs }) => arrivedMs < completed.fromMs);
  const last = earlier.at(-1);
  const isOver =
    last !== undefined &&
    ((last.answered === 200 && !leftLate(context, last)) || earlier.length === WEBHOOK_ATTEMPTS_MAX);
  return isOver ? calls.slice(earlier.length) : [];
}

function firstCall(
  context: JudgingContext,
  job: Job,
  first: WebhookEvent | undefined,
  { fromMs, byMs }: Completion,
): void {
  const id = onCompletion(job);
  const dueMs = dueBy(context, byMs);
  const untilMs = watchedUntilMs(context, job);
  if (first === undefined) {
    if (untilMs <= dueMs + AMPLE_MS || mayBeCalledElsewhere(context, job.webhookUrl!)) return;
    const actual = `completed by ${seconds(byMs)}, and no call by ${seconds(untilMs)}`;
    const seen = failureReport(job, actual, calledLate(context, job, byMs, untilMs));
    missedFirstCall(context, id, job.webhookUrl!, { dueMs, untilMs }, seen);
    return;
  }
  const calledMs = first.sinceMs ?? first.arrivedMs;
  context.pass(id);
  context.ledger.late('webhook', calledMs - byMs, first.arrivedMs - fromMs, dueMs - byMs);
  const actual = `completed by ${seconds(byMs)}, called at ${seconds(first.arrivedMs)}`;
  if (calledMs <= dueMs) context.pass('6/called-without-delay');
  else
    context.fail(
      '6/called-without-delay',
      failureReport(job, actual, calledLate(context, job, byMs, calledMs)),
    );
  if (first.arrivedMs >= fromMs) context.pass('6/no-call-before-completion');
}

function calledLate(context: JudgingContext, job: Job, byMs: number, atMs: number): Contradiction | null {
  const completed = { name: 'completed', ms: byMs, why: 'the job had completed by then', call: null };
  const called = { name: 'called', ms: atMs, why: 'no webhook call before', call: null };
  const terms: readonly Term[] = [
    { ms: 0, why: 'called on completion', requirement: '6/called-without-delay' },
    ...latencyTerms(context, lateMs(context, byMs)),
  ];
  return tooLate(job.id, completed, terms, called);
}

/** How many calls may have ended the job again: retries, or cancels of an ended job. */
function endsAfterTheFirst(context: JudgingContext, job: Job, webhooks: readonly WebhookEvent[]): number {
  const isStopped = context
    .explanationsOf(job)
    .mustBe(
      ({ state, previousState }) =>
        state === 'cancelled' && (previousState === 'queued' || previousState === 'running'),
    );
  const taken = job.calls.filter(
    (call) => (call.op === 'retry' || call.op === 'cancel') && answerOf(call) !== 'refused',
  );
  // The call that ended it first adds no end; its webhook may arrive before its own answer does.
  if (isStopped && taken.length === 1) return 0;
  const isReportedBefore = ({ receivedMs }: CallEvent): boolean =>
    webhooks.some(({ arrivedMs }) => arrivedMs <= (receivedMs ?? Infinity));
  return taken.filter((call) => call.op === 'retry' || !isStopped || isReportedBefore(call)).length;
}

/** Each call reports one end: if they report more ends than possible, the job ended once too often. */
function tooMany(context: JudgingContext, job: Job, calls: readonly WebhookEvent[], ends: number): void {
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
  context.fail(
    id,
    failureReport(job, ends === 1 ? `${calls.length} calls` : `${calls.length} calls for ${ends} ends`),
  );
}

const CALLED_ON = {
  failed: '6/called-on-failed',
  'timed-out': '6/called-on-timed-out',
  cancelled: '6/called-on-cancelled',
} as const;

/** Whether ends other than a completion are reported is open. */
function calledOn(context: JudgingContext, job: Job, calls: readonly WebhookEvent[]): void {
  const explanations = context.explanationsOf(job);
  if (explanations.kind !== 'explained' || explanations.mayBe((at) => at.retries > 0)) return;
  const state = explanations.commonValue((at) => at.state);
  if (state !== 'failed' && state !== 'timed-out' && state !== 'cancelled') return;
  if (
    state === 'cancelled' &&
    explanations.mayBe((at) => at.previousState !== 'queued' && at.previousState !== 'running')
  )
    return;
  const endedByMs = explanations.most(({ zone }) => zone.latest(ENDED));
  if (calls.length > 0) context.ledger.observe(CALLED_ON[state], 'yes');
  else if (watchedUntilMs(context, job) > endedByMs + context.graceMax + networkLatencyMs(context))
    context.ledger.observe(CALLED_ON[state], 'no');
}

/** Purged, or deleted by its ttl before it ended: nothing has completed. */
function removed(context: JudgingContext, job: Job, calls: readonly WebhookEvent[]): void {
  const explanations = context.explanationsOf(job);
  const isRemoved = (at: Hypothesis): boolean =>
    at.state === 'purged' ||
    (at.state === 'deleted' &&
      at.deletedBy === 'ttl' &&
      (at.previousState === 'queued' || at.previousState === 'running'));
  if (explanations.kind !== 'explained' || !explanations.mustBe(isRemoved)) return;
  const first = calls[0];
  if (first === undefined) {
    const byMs = explanations.most(({ state, zone, policy }) =>
      state === 'purged' ? zone.latest(ENDED) : zone.latest(TTL_START) + (policy.ttlMs ?? Infinity),
    );
    const plannedMs = job.predicted(0).durationMs ?? 0;
    const wouldHaveEndedMs = (plannedMs === Infinity ? 0 : plannedMs) + byMs;
    if (watchedUntilMs(context, job) > wouldHaveEndedMs + context.graceMax + networkLatencyMs(context))
      context.pass('6/no-call-for-removed', '6/no-completion-told-of-removed');
    return;
  }
  // A service that treats a purge as a cancellation or failure may report it as one, as the call itself may
  // show if the job is no longer found.
  const mayBeReported =
    explanations.mayBe((at) => at.state === 'purged') &&
    (!statusObservationsOf(job).some(({ observed }) => observed === 'GONE') ||
      claims(first.body, 'CANCELLED') ||
      claims(first.body, 'FAILED'));
  const completed = calls.find(({ body }) => claims(body, 'COMPLETED'));
  if (completed === undefined && mayBeReported) return;
  context.fail(completed === undefined ? '6/no-call-for-removed' : '6/no-completion-told-of-removed', {
    ...failureReport(job, `called at ${seconds((completed ?? first).arrivedMs)}`),
    proof: [`job ${job.id} was purged, or deleted by its ttl, before it had ended`],
  });
}

/** The document does not show the payload: the state may be anywhere in it. */
function claims(body: Body, status: JobStatus): boolean {
  return body.as === 'json' && JSON.stringify(body.value).includes(`"${status}"`);
}

/** Failing calls of one webhook affect neither its job nor another job or its webhook. */
function judgeAfterFailures(context: JudgingContext, job: Job, calls: readonly WebhookEvent[]): void {
  const failed = calls.filter((call) => call.answered === null || call.answered >= 400);
  const first = failed[0];
  if (first === undefined) return;
  const isObservedAfter = statusObservationsOf(job).some(
    ({ call, observed }) =>
      observed === 'COMPLETED' && call.sentMs >= first.endedMs && call.sentMs > first.arrivedMs,
  );
  if (isObservedAfter && completion(context, job) !== null)
    context.pass('6/failing-webhook-leaves-job-alone');
  // How soon it is called is not stated: others are left alone that are called as soon as this one was.
  const calledAfterMs = Math.max(
    0,
    (first.sinceMs ?? first.arrivedMs) - (completion(context, job)?.byMs ?? Infinity),
  );
  const lastMs = failed.at(-1)!.endedMs + WEBHOOK_RETRY_PAUSE_MS;
  for (const other of context.jobs) {
    const its = other.webhooks[0];
    if (other === job || its === undefined || other.webhookUrl === job.webhookUrl) continue;
    const ended = completion(context, other);
    if (ended === null) continue;
    const [dueFromMs, dueByMs] = [ended.fromMs + calledAfterMs, ended.byMs + calledAfterMs];
    if (dueFromMs < first.arrivedMs || dueByMs > lastMs) continue;
    if ((its.sinceMs ?? its.arrivedMs) <= dueBy(context, dueByMs))
      context.pass('6/failing-webhook-leaves-others-alone');
  }
}

function observePayload(context: JudgingContext, job: Job, call: WebhookEvent): void {
  const body = jsonOf(call.body);
  const isRecord = isObject(body) && body['id'] === job.id && typeof body['status'] === 'string';
  const shape = !isRecord ? 'other' : body['input'] === undefined ? 'record' : 'record-with-input';
  context.ledger.observe('6/payload-shape', shape);
  const type = (call.contentType ?? '').split(';')[0]!.trim().toLowerCase();
  context.ledger.observe('6/content-type', type === 'application/json' ? 'json' : 'other');
  const isSigned = Object.keys(call.headers).some((name) => /signature|hmac/i.test(name));
  context.ledger.observe('6/signature', isSigned ? 'header' : 'none');
  context.ledger.observe('6/method', call.method === 'POST' ? 'POST' : 'other');
}
