/** Open questions that a single answer settles: which answers are examined, and what they show. */
import type { CallEvent, Json } from '../../history/events.js';
import { idsFor, MAIN_OPERATIONS, type MainOperation, type ReadingId } from '../../spec/index.js';
import { HEALTH_JOB_COUNTERS, HEALTH_WORKER_COUNTERS } from '../../spec/operations.js';
import { precedes } from '../jobs/status-observations.js';
import {
  chunksOf,
  hasOtherMembers,
  idIn,
  isJsonType,
  isObject,
  isText,
  type JsonObject,
  jsonOf,
  statusIn,
  UUID,
} from '../observed/recorded-call.js';
import type { AnsweredCall } from '../context/answered-call.js';
import type { JudgingContext } from '../context/judging-context.js';
import type { Life } from '../context/life.js';

const SUCCESS_CODE = idsFor('4/success-code-*', MAIN_OPERATIONS);

const UUID_ALONE = new RegExp(`^${UUID.source}$`, 'i');

const RECORD_FIELDS = new Set(['id', 'status', 'output', 'delayTime', 'executionTime', 'error']);
const CHUNK_FIELDS = new Set(['output', 'metrics']);
const HEALTH_PARTS = new Set(['jobs', 'workers']);
const HEALTH_FIELDS: ReadonlySet<string> = new Set([...HEALTH_JOB_COUNTERS, ...HEALTH_WORKER_COUNTERS]);

/** A successful answer of the eight operations. */
export function answersSuccess(seen: AnsweredCall): void {
  const { context, call } = seen;
  const op = call.op as MainOperation;
  const { contentType, body } = call.reply!;
  if (isJsonType(contentType))
    context.observe('1/response-charset', contentType!.includes(';') ? 'charset' : 'none');
  // An elapsed wait or a failed job may be reported by another code.
  if (op !== 'runsync' || statusIn(call) === 'COMPLETED') seen.observeCode(SUCCESS_CODE[op], 'other-2xx');
  if (op === 'run' || op === 'runsync') observeId(context, op, idIn(call));
  else if (op === 'status') observeRecord(seen);
  else if (op === 'stream') observeStream(context, jsonOf(body));
  else if (op === 'health') observeHealth(seen);
}

function observeId(context: JudgingContext, op: 'run' | 'runsync', id: string | null): void {
  if (id === null) return;
  const isAlone = UUID_ALONE.test(op === 'runsync' ? id.replace(/^sync-/, '') : id);
  context.observe('2.4/id-shape', isAlone ? 'uuid' : UUID.test(id) ? 'uuid-with-suffix' : 'other');
  if (op === 'runsync') context.observe('2.4/runsync-id-prefix', id.startsWith('sync-') ? 'sync' : 'none');
}

function observeStream(context: JudgingContext, value: Json | undefined): void {
  const chunks = chunksOf(value);
  if (chunks === null) return;
  context.observe('4.4/answer-shape', Array.isArray(value) ? 'bare-array' : 'wrapped');
  for (const chunk of chunks)
    if (isObject(chunk))
      context.observe('2.5/chunk-other-fields', hasOtherMembers(chunk, CHUNK_FIELDS) ? 'some' : 'none');
}

function observeHealth({ context, record }: AnsweredCall): void {
  const { jobs, workers } = record;
  if (jobs === undefined && workers === undefined) return;
  const isPlain = (part: Json | undefined): boolean =>
    !isObject(part) || !hasOtherMembers(part, HEALTH_FIELDS);
  const isWhole = !hasOtherMembers(record, HEALTH_PARTS) && isPlain(jobs) && isPlain(workers);
  context.observe('2.7/other-fields', isWhole ? 'none' : 'some');
}

/** What a job's record contains, including states that the document does not describe. */
function observeRecord({ context, call, life, record }: AnsweredCall): void {
  const { status, output, delayTime, executionTime } = record;
  // Further fields about the job and its worker may appear only after it has run.
  const others = hasOtherMembers(record, RECORD_FIELDS) ? 'some' : status === 'COMPLETED' ? 'none' : null;
  context.observe('2.4/other-fields', others);
  // A job that its service runs again waits and runs twice: how its times are reported is another question.
  if (life === null || life.job.retried || life.plan.outcome === 'crash') return;
  if (status === 'IN_QUEUE' || status === 'IN_PROGRESS')
    context.observe('2.4/output-before-end', missing(output) ?? 'progress');
  if (status === 'IN_QUEUE') {
    context.observe('2.4/delay-time-in-queue', timeOf(delayTime, life, call, 'so-far', waitedMs));
    const isZero = executionTime === 0 ? 'zero' : null;
    context.observe('2.4/execution-time-in-queue', missing(executionTime) ?? isZero);
  } else if (status === 'IN_PROGRESS') {
    context.observe('2.4/delay-time-in-progress', timeOf(delayTime, life, call, 'final', waitedMs));
    context.observe('2.4/execution-time-in-progress', timeOf(executionTime, life, call, 'so-far', ranMs));
  } else if (status === 'CANCELLED' || status === 'TIMED_OUT') {
    // The document's list of states for /status omits two.
    context.observe('3/status-operation-states', 'all-six');
    if (status === 'TIMED_OUT' || !wasCancelledInQueue(life, call)) return;
    const none = missing(delayTime);
    if (typeof delayTime === 'number' && executionTime === 0)
      context.observe('2.4/times-of-never-run', 'zero');
    else if (none === missing(executionTime)) context.observe('2.4/times-of-never-run', none);
  } else if (status === 'FAILED') observeFailed(life, record);
}

function observeFailed({ context, job, plan }: Life, record: JsonObject): void {
  const { error, output } = record;
  if (statusIn(job.submitted) === 'TIMED_OUT') context.observe('3/status-operation-states', 'first-four');
  // A purged job may also be reported as FAILED without a failure.
  if (context.callIndex.purges.length > 0) return;
  // An object with a member `error`, or a text.
  const isError = isText(output) || (isObject(output) && 'error' in output);
  if (isText(error)) context.observe('2.4/failure-reason', 'error-string');
  else if (isObject(error)) context.observe('2.4/failure-reason', 'error-object');
  else if (isError) context.observe('2.4/failure-reason', 'in-output');
  else
    context.observe('2.4/failure-reason', hasOtherMembers(record, RECORD_FIELDS) ? 'elsewhere' : 'nowhere');
  // Only a handler that had produced output shows whether that is kept.
  const { streams, outcome } = plan;
  if (isError) context.observe('2.4/output-of-failed', 'error');
  else if (streams && outcome === 'error')
    context.observe('2.4/output-of-failed', missing(output) ?? 'partial');
}

/** What an answer of 400, 401, 404 or 429 contains. */
export function answersRefusal({ context, call }: AnsweredCall): void {
  const { body } = call.reply!;
  // A job's record reports an elapsed wait or a failure, whatever the code. Requests outside the operations
  // may be refused by another layer with its own format.
  if (call.op === null || call.request.method === 'HEAD' || statusIn(call) !== null) return;
  if (body.as === 'none') context.observe('7/error-body', 'empty');
  if (body.as === 'json') context.observe('7/error-body', errorIn(isObject(body.value) ? body.value : {}));
}

function errorIn({ error, status, title, message, detail }: JsonObject): ReadingId<'7/error-body'> {
  if (isText(error)) return 'error-string';
  if (isObject(error)) return 'error-object';
  if (typeof status === 'number' && isText(title)) return 'problem-details';
  return isText(message) || isText(detail) ? 'message' : 'other-json';
}

function missing(value: Json | undefined): 'absent' | 'null' | null {
  return value === undefined ? 'absent' : value === null ? 'null' : null;
}

/** A time counts as shown as zero only if it must be so long that no unit would round it down. */
const CERTAINLY_MS = 2_500;

/** How a time is shown before it is known, or while it still changes. */
function timeOf<Reading extends string>(
  value: Json | undefined,
  life: Life,
  call: CallEvent,
  reading: Reading,
  sinceMs: (life: Life, call: CallEvent) => number,
): Reading | 'absent' | 'null' | 'zero' | null {
  if (typeof value !== 'number') return missing(value);
  if (value > 0) return reading;
  // It cannot exceed the time since submission.
  const isLong = call.sentMs - life.job.submitted.sentMs > CERTAINLY_MS && sinceMs(life, call) > CERTAINLY_MS;
  return isLong ? 'zero' : null;
}

/** How long the job had certainly been in the queue at this call. */
function waitedMs({ job, reads }: Life, call: CallEvent): number {
  const waiting = reads.findLast(
    (one) => one.observed === 'IN_QUEUE' && (one.call === call || precedes(one.call, call)),
  );
  return waiting === undefined ? 0 : waiting.call.sentMs - (job.submitted.receivedMs ?? Infinity);
}

/** How long the job had certainly been running at this call. */
function ranMs(life: Life, call: CallEvent): number {
  const running = life.first('IN_PROGRESS');
  return running === undefined ? 0 : call.sentMs - (running.receivedMs ?? Infinity);
}

function wasCancelledInQueue(life: Life, call: CallEvent): boolean {
  const [cancel] = life.calls('cancel');
  return cancel !== undefined && precedes(cancel, call) && life.readBefore(cancel)?.observed === 'IN_QUEUE';
}
