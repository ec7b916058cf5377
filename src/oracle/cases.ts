/** Which jobs a session has, and what was observed of each. */
import type { CallEvent, WebhookEvent } from '../history/events.js';
import {
  answerOf,
  isObject,
  meantBy,
  statusIn,
  submissionOf,
  type Answer,
  type JsonObject,
} from './reading.js';
import { getOrAdd, rollOf, type Asked, type Roll } from './roll.js';
import { thinned } from './life/alike.js';
import { byEnd, type JobCase } from './life/job.js';
import type { Operation } from './life/operations.js';
import { ANY_TIME } from './life/occupancy.js';
import { termsOf } from './life/terms.js';
import { sightingsIn, type Sighting } from './effects/sightings.js';
import { forecast } from './forecast.js';
import { UNFORESEEN, type Foreseen } from './plan.js';
import type { Session } from './session.js';

export interface Job {
  readonly id: string;
  /** Its place among the jobs of its endpoint. */
  readonly index: number;
  readonly script: number;
  readonly submitted: CallEvent;
  readonly submission: JsonObject;
  readonly sync: boolean;
  readonly webhookUrl: string | null;
  /** Calls that named its id, in order of their ends; the submission is not among them. */
  readonly calls: readonly CallEvent[];
  /** `/retry` was called on it, whatever came of it. */
  readonly retried: boolean;
  /** `/stream` was called on it. */
  readonly streamed: boolean;
  /** It was called by another method than the document's. */
  readonly strayed: boolean;
  /** What the calls on it showed of it, in order. */
  readonly sightings: readonly Sighting[];
  readonly webhooks: readonly WebhookEvent[];
  /** What the worker does in the run after `runs` earlier ones. */
  foreseen(runs: number): Foreseen;
  readonly life: JobCase;
}

export interface Cast {
  readonly jobs: readonly Job[];
  /** All calls of the session, sorted. */
  readonly roll: Roll;
}

/** The job that has the id, if any. */
export function jobBy({ roll }: Cast, id: string | null): Job | undefined {
  return id === null ? undefined : (roll.byId.get(id)?.job ?? undefined);
}

export function castOf(session: Session): Cast {
  const roll = rollOf(session);
  // Elsewhere nothing that was counted is judged (`judgeCounts`), and where each job was then need not be known.
  const isCounted = session.exists && session.fresh && session.run.capabilities.includes('dedicated');
  const counts = isCounted ? roll.of('health') : [];
  const webhooks = new Map<string, WebhookEvent[]>();
  for (const webhook of session.webhooks) getOrAdd(webhooks, webhook.url).push(webhook);
  const jobs = roll.submitted.map(
    (asked, index) => (asked.job = jobOf(session, index, asked, roll.purgesTaken, counts, webhooks)),
  );
  return { jobs, roll };
}

function jobOf(
  session: Session,
  index: number,
  { id, submitted: first, calls }: Asked,
  purges: readonly CallEvent[],
  counts: readonly CallEvent[],
  webhooks: ReadonlyMap<string, readonly WebhookEvent[]>,
): Job {
  const submitted = first!;
  const submission = submissionOf(submitted) ?? {};
  const sync = submitted.op === 'runsync';
  const url = submission['webhook'];
  const webhookUrl = typeof url === 'string' ? url : null;
  const called = webhookUrl === null ? [] : (webhooks.get(webhookUrl) ?? []);
  // Which of two members of one name holds is open, and so is what the worker is given.
  const told = submitted.request.illegal !== 'duplicate-keys';
  const foreseen = told ? forecast(session, submission) : () => UNFORESEEN;
  const byMs = submitted.arrivedByMs ?? submitted.receivedMs ?? submitted.sentMs;
  const operations: Operation[] = [];
  const add = (op: Operation | null): unknown => op !== null && operations.push(op);
  for (const call of counts) add(probeOf(call, submitted));
  if (sync) add(operation('reply', submitted));
  for (const call of calls) add(onOneJob(call));
  for (const call of purges) add(purgeOf(call, submitted));
  for (const webhook of called.filter(isNoRepetition)) add(webhookOf(webhook));
  const waitGiven = submitted.request.query['wait'] !== undefined;
  const shown = statusIn(submitted);
  const outlivedWait = sync && (shown === null || shown === 'IN_QUEUE' || shown === 'IN_PROGRESS');
  const life: JobCase = {
    id,
    submitted,
    submittedFromMs: submitted.sentMs,
    submittedByMs: byMs,
    terms: termsOf(submission, { sync, waitGiven, outlivedWait }, session.run.edition),
    life: {
      foreseen,
      sync,
      ttlGiven: given(submission, 'ttl'),
      executionGiven: given(submission, 'executionTimeout'),
      waitGiven,
      startWindow: ANY_TIME,
      lowPriority: isObject(submission['policy']) && submission['policy']['lowPriority'] === true,
    },
    operations: thinned(inOrder(operations)),
  };
  return {
    id,
    index,
    script: submitted.script,
    submitted,
    submission,
    sync,
    webhookUrl,
    calls,
    retried: calls.some(({ op }) => op === 'retry'),
    streamed: calls.some(({ op }) => op === 'stream'),
    strayed: calls.some(({ op }) => op === null),
    sightings: sightingsIn(sync ? [submitted, ...calls] : calls),
    webhooks: called,
    foreseen,
    life,
  };
}

/** Calls come in order of their ends already; purges, counts and webhooks may have to be sorted in. */
function inOrder(operations: Operation[]): Operation[] {
  const isSorted = operations.every((op, index) => index === 0 || byEnd(operations[index - 1]!, op) <= 0);
  return isSorted ? operations : operations.sort(byEnd);
}

function given(submission: JsonObject, field: 'ttl' | 'executionTimeout'): boolean {
  const policy = submission['policy'];
  return isObject(policy) && policy[field] !== undefined;
}

function operation(kind: Operation['kind'], call: CallEvent, answer: Answer = answerOf(call)): Operation {
  const ttl = call.op === 'status' ? call.request.query['ttl'] : undefined;
  return {
    kind,
    fromMs: call.sentMs,
    byMs: call.receivedMs ?? Infinity,
    sentTick: call.sentTick,
    endedTick: call.receivedMs === null ? null : call.endedTick,
    answer,
    code: call.reply?.status ?? 0,
    shows: answerOf(call) === 'ok' ? statusIn(call) : null,
    call,
    ttlMs: ttl === undefined ? null : /^[0-9]{1,15}$/.test(ttl) ? Number(ttl) : NaN,
  };
}

/** Reads that were lost or failed tell nothing; changes that were lost may have happened. */
function onOneJob(call: CallEvent): Operation | null {
  const kind = meantBy(call) as 'status' | 'stream' | 'cancel' | 'retry';
  const answer = call.op === null ? 'unknown' : answerOf(call);
  const code = call.reply?.status;
  if (code === 401 || code === 429) return null;
  // What was refused for the way in which it was asked has done nothing.
  if (call.request.illegal !== null && code === 400) return null;
  if (
    answer === 'unknown' &&
    (kind === 'stream' || (kind === 'status' && call.request.query['ttl'] === undefined))
  )
    return null;
  return operation(kind, call, answer);
}

function purgeOf(call: CallEvent, submitted: CallEvent): Operation | null {
  if (over(call, submitted) || answerOf(call) === 'refused') return null;
  const arrived = submitted.arrivedByMs !== null && submitted.arrivedByMs < call.sentMs;
  const overlaps = !arrived && (submitted.endedTick === null || call.sentTick < submitted.endedTick);
  // While the submission was still under way nobody knows which of the two came first.
  return operation('purge', call, overlaps || call.op === null ? 'unknown' : answerOf(call));
}

function probeOf(call: CallEvent, submitted: CallEvent): Operation | null {
  return over(call, submitted) || answerOf(call) !== 'ok' ? null : operation('probe', call);
}

/** The call had ended before the submission was sent. */
function over(call: CallEvent, submitted: CallEvent): boolean {
  return call.endedTick !== null && call.endedTick < submitted.sentTick;
}

/**
 * A call after one that failed may repeat it, also when the job has been retried in between and runs again: it tells
 * no more than the first did.
 */
function isNoRepetition(webhook: WebhookEvent, _: number, called: readonly WebhookEvent[]): boolean {
  return !called.some((earlier) => earlier.arrivedMs < webhook.arrivedMs && earlier.answered !== 200);
}

function webhookOf(webhook: WebhookEvent): Operation {
  return {
    kind: 'webhook',
    fromMs: webhook.arrivedMs,
    byMs: webhook.arrivedMs,
    sentTick: null,
    endedTick: null,
    answer: 'ok',
    code: 200,
    shows: null,
    call: null,
    ttlMs: null,
  };
}
