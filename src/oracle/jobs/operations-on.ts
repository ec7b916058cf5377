/** The observations of one job, and the calls that may have changed it, as operations for the model. */
import { byEnd } from '../model/linearize.js';
import type { CallEvent, WebhookEvent } from '../../history/events.js';
import type { JobOperation } from '../model/operations.js';
import { withoutRedundantReads } from '../model/pending-call.js';
import { isUnseen } from '../observed/unseen-calls.js';
import {
  answerOf,
  effectiveOperation,
  effectPrecedes,
  recordOf,
  sameJson,
  isUninformative,
  statusIn,
  type Answer,
} from '../observed/recorded-call.js';

/** Calls that concern every job of an endpoint. */
export interface OnAllJobs {
  readonly purges: readonly CallEvent[];
  /** The `/health` calls, on endpoints where counts are judged. */
  readonly counts: readonly CallEvent[];
}

/** `webhooks`: the calls to the job's webhook address that report it. */
export function operationsOn(
  submitted: CallEvent,
  calls: readonly CallEvent[],
  webhooks: readonly WebhookEvent[],
  { purges, counts }: OnAllJobs,
): readonly JobOperation[] {
  const operations: JobOperation[] = [];
  const add = (op: JobOperation | null): unknown => op !== null && operations.push(op);
  for (const call of counts) add(probeOf(call, submitted));
  if (submitted.op === 'runsync') add(replyTo(submitted));
  // What was not seen is no operation: it may happen in any state (`model/unseen-transitions.ts`).
  for (const call of calls) if (!isUnseen(call)) add(onOneJob(call));
  for (const call of purges) if (!isUnseen(call)) add(purgeOf(call, submitted));
  for (const webhook of webhooks)
    if (!isRepetition(webhook, webhooks) && !mayReportEarlierEnd(webhook, webhooks, calls))
      add(webhookOf(webhook));
  return withoutRedundantReads(markedAfterRetries(inOrder(operations)));
}

/** Calls are already in order of their ends; purges, counts and webhooks may need to be sorted in. */
function inOrder(operations: JobOperation[]): JobOperation[] {
  const isSorted = operations.every((op, index) => index === 0 || byEnd(operations[index - 1]!, op) <= 0);
  return isSorted ? operations : operations.sort(byEnd);
}

function operation(
  kind: JobOperation['kind'],
  call: CallEvent,
  answer: Answer = answerOf(call),
): JobOperation {
  const ttl = call.op === 'status' ? call.request.query['ttl'] : undefined;
  return {
    kind,
    fromMs: call.sentMs,
    byMs: call.receivedMs ?? Infinity,
    sentTick: call.sentTick,
    endedTick: call.receivedMs === null ? null : call.endedTick,
    answer,
    code: call.reply?.status ?? 0,
    observed: answerOf(call) === 'ok' ? statusIn(call) : null,
    call,
    ttlMs: ttl === undefined ? null : /^[0-9]{1,15}$/.test(ttl) ? Number(ttl) : NaN,
    isAsBeforeRetry: false,
  };
}

/** Section 4.1: what the answer holds when `wait` elapses is not shown, so its status proves no state. */
function replyTo(submitted: CallEvent): JobOperation {
  const reply = operation('reply', submitted);
  const isOver = reply.observed !== 'IN_QUEUE' && reply.observed !== 'IN_PROGRESS';
  return isOver ? reply : { ...reply, observed: null };
}

/**
 * Reads that were lost show nothing, and changes that were lost may have taken effect. So it is with a server
 * error, but it is an answer all the same: a wrong one where the document demands another.
 */
function onOneJob(call: CallEvent): JobOperation | null {
  const kind = effectiveOperation(call) as 'status' | 'stream' | 'cancel' | 'retry';
  const answer = call.op === null ? 'unknown' : answerOf(call);
  // A malformed request that was refused had no effect.
  if (isUninformative(call) || (call.request.illegal !== null && call.reply?.status === 400)) return null;
  const reads = kind === 'stream' || (kind === 'status' && call.request.query['ttl'] === undefined);
  const isAnswered = call.op !== null && call.reply !== null;
  return reads && answer === 'unknown' && !isAnswered ? null : operation(kind, call, answer);
}

function purgeOf(call: CallEvent, submitted: CallEvent): JobOperation | null {
  if (effectPrecedes(call, submitted) || answerOf(call) === 'refused') return null;
  const arrived = submitted.arrivedByMs !== null && submitted.arrivedByMs < call.sentMs;
  const overlaps = !arrived && (submitted.endedTick === null || call.sentTick < submitted.endedTick);
  // While the submission was still in flight, it is unknown which of the two took effect first.
  return operation('purge', call, overlaps || call.op === null ? 'unknown' : answerOf(call));
}

function probeOf(call: CallEvent, submitted: CallEvent): JobOperation | null {
  return effectPrecedes(call, submitted) || answerOf(call) !== 'ok' ? null : operation('health', call);
}

/**
 * The job was retried before the webhook was called, and no webhook call had reported its earlier end: this
 * call may be the late one for that end. Whether ends other than COMPLETED are reported is open (section 6).
 */
function mayReportEarlierEnd(
  webhook: WebhookEvent,
  called: readonly WebhookEvent[],
  calls: readonly CallEvent[],
): boolean {
  const retry = calls.findLast(
    (call) =>
      effectiveOperation(call) === 'retry' &&
      answerOf(call) !== 'refused' &&
      call.sentMs <= webhook.arrivedMs,
  );
  return retry !== undefined && !called.some(({ arrivedMs }) => arrivedMs <= retry.sentMs);
}

/**
 * A call after a failed one may be its repetition, even if the job was retried in between and runs again: it
 * reveals no more than the first.
 */
function isRepetition(webhook: WebhookEvent, called: readonly WebhookEvent[]): boolean {
  return called.some((earlier) => earlier.arrivedMs < webhook.arrivedMs && earlier.answered !== 200);
}

function webhookOf({ arrivedMs }: WebhookEvent): JobOperation {
  return {
    kind: 'webhook',
    fromMs: arrivedMs,
    byMs: arrivedMs,
    sentTick: null,
    endedTick: null,
    answer: 'ok',
    code: 200,
    observed: null,
    call: null,
    ttlMs: null,
    isAsBeforeRetry: false,
  };
}

/** Fields that identify a run; all others may change between any two reads. */
const FIELDS_OF_A_RUN = ['status', 'delayTime', 'executionTime', 'error', 'output'] as const;

const isStatusRead = ({ kind, answer, observed }: JobOperation): boolean =>
  (kind === 'status' || kind === 'reply') && answer === 'ok' && observed !== null;

const isUnsuccessful = ({ observed }: JobOperation): boolean =>
  observed === 'FAILED' || observed === 'TIMED_OUT';

/** The operations on one job, by their ends; reads that show nothing new since a `/retry` are marked. */
function markedAfterRetries(operations: readonly JobOperation[]): readonly JobOperation[] {
  const retries = operations.filter(({ kind, answer }) => kind === 'retry' && answer !== 'refused');
  if (retries.length === 0) return operations;
  return operations.map((op) => {
    if (!isStatusRead(op) || !isUnsuccessful(op)) return op;
    const retry = retries.findLast(({ sentTick }) => sentTick! < op.endedTick!);
    if (retry === undefined) return op;
    const overTick = retry.endedTick ?? Infinity;
    const isLater = ({ sentTick }: JobOperation): boolean =>
      sentTick! > overTick && sentTick! < op.endedTick!;
    // Since the retry it was observed waiting or running, so this end is a new one.
    if (operations.some((one) => isStatusRead(one) && !isUnsuccessful(one) && isLater(one))) return op;
    const before = operations.findLast((one) => isStatusRead(one) && one.endedTick! < retry.sentTick!);
    const isAsBeforeRetry =
      before === undefined || !isUnsuccessful(before) || isAlike(before.call!, op.call!);
    return isAsBeforeRetry ? { ...op, isAsBeforeRetry } : op;
  });
}

function isAlike(left: CallEvent, right: CallEvent): boolean {
  const [one, other] = [recordOf(left), recordOf(right)];
  return FIELDS_OF_A_RUN.every((name) => sameJson(one?.[name], other?.[name]));
}
