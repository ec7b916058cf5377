/** Open questions that a single answer settles: which question, of which answers it is asked, and what each is read as. */
import type { CallEvent, Json } from '../../history/events.js';
import {
  idsFor,
  MAIN_OPERATIONS,
  SUBMISSIONS,
  type JobStatus,
  type MainOperation,
  type QuestionId,
  type ReadingId,
} from '../../spec/index.js';
import { HEALTH_JOB_COUNTERS, HEALTH_WORKER_COUNTERS } from '../../spec/operations.js';
import type { Job } from '../cast/cases.js';
import { precedes, sightingsOf } from '../cast/sightings.js';
import {
  chunksOf,
  idIn,
  isJsonType,
  isObject,
  type JsonObject,
  jsonOf,
  recordOf,
  statusIn,
} from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';

const SUCCESS_CODE = idsFor('4/success-code-*', MAIN_OPERATIONS);

/** The codes of success that an operation's question has a reading for, besides 200. */
const SUCCESS_CODES: { readonly [Op in MainOperation]?: readonly number[] } = {
  run: [201, 202],
  runsync: [201],
  cancel: [202],
  retry: [201, 202],
  'purge-queue': [202],
};

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
const UUID_ALONE = new RegExp(`^${UUID.source}$`, 'i');

const RECORD_FIELDS = new Set(['id', 'status', 'output', 'delayTime', 'executionTime', 'error']);
const CHUNK_FIELDS = new Set(['output', 'metrics']);
const HEALTH_PARTS = new Set(['jobs', 'workers']);
const HEALTH_FIELDS: ReadonlySet<string> = new Set([...HEALTH_JOB_COUNTERS, ...HEALTH_WORKER_COUNTERS]);

/** A successful answer. */
interface Answer {
  readonly scene: Scene;
  readonly call: CallEvent;
  /** Whose it is, where the call asks for one. */
  readonly job: Job | null;
  /** The body where it is an object; else none of its members is there. */
  readonly record: JsonObject;
}

/** Null: the answer does not tell. */
type Reading<Q extends QuestionId> = (answer: Answer) => ReadingId<Q> | null;

interface Opening {
  readonly ops: readonly MainOperation[];
  readonly question: QuestionId;
  readonly reading: (answer: Answer) => string | null;
}

function opening<Q extends QuestionId>(
  ops: readonly MainOperation[],
  question: Q,
  reading: Reading<Q>,
): Opening {
  return { ops, question, reading };
}

const OPENINGS: readonly Opening[] = [
  opening(MAIN_OPERATIONS, '1/response-charset', ({ call: { reply } }) => {
    const type = reply!.contentType;
    return !isJsonType(type) ? null : type!.includes(';') ? 'charset' : 'none';
  }),
  opening(SUBMISSIONS, '2.4/id-shape', ({ call }) => {
    const id = idIn(call);
    if (id === null) return null;
    if (UUID_ALONE.test(call.op === 'runsync' ? id.replace(/^sync-/, '') : id)) return 'uuid';
    return UUID.test(id) ? 'uuid-with-suffix' : 'other';
  }),
  opening(['runsync'], '2.4/runsync-id-prefix', ({ call }) => {
    const id = idIn(call);
    return id === null ? null : id.startsWith('sync-') ? 'sync' : 'none';
  }),
  // What there is to tell of a job, and of its worker, may be told only once it has been run.
  opening(['status'], '2.4/other-fields', ({ record }) =>
    hasOthers(record, RECORD_FIELDS) ? 'some' : record['status'] === 'COMPLETED' ? 'none' : null,
  ),
  // What a job's record holds in the states that the document says nothing of.
  shown(['IN_QUEUE'], '2.4/delay-time-in-queue', (answer) => timeOf(answer, 'delayTime', 'so-far', waitedMs)),
  shown(
    ['IN_QUEUE'],
    '2.4/execution-time-in-queue',
    ({ record: { executionTime } }) => missing(executionTime) ?? (executionTime === 0 ? 'zero' : null),
  ),
  shown(['IN_PROGRESS'], '2.4/delay-time-in-progress', (answer) =>
    timeOf(answer, 'delayTime', 'final', waitedMs),
  ),
  shown(['IN_PROGRESS'], '2.4/execution-time-in-progress', (answer) =>
    timeOf(answer, 'executionTime', 'so-far', ranMs),
  ),
  shown(
    ['IN_QUEUE', 'IN_PROGRESS'],
    '2.4/output-before-end',
    ({ record }) => missing(record['output']) ?? 'progress',
  ),
  // The document's own list for /status leaves two of the states out.
  shown(['CANCELLED', 'TIMED_OUT'], '3/status-operation-states', () => 'all-six'),
  shown(['FAILED'], '3/status-operation-states', ({ job }) =>
    statusIn(job!.submitted) === 'TIMED_OUT' ? 'first-four' : null,
  ),
  shown(['CANCELLED'], '2.4/times-of-never-run', (answer) => {
    const { delayTime, executionTime } = answer.record;
    if (!wasCancelledInQueue(answer)) return null;
    if (typeof delayTime === 'number' && executionTime === 0) return 'zero';
    const none = missing(delayTime);
    return none === missing(executionTime) ? none : null;
  }),
  shown(['FAILED'], '2.4/failure-reason', ({ scene, record }) => {
    const { error, output } = record;
    if (mayBePurged(scene)) return null;
    if (typeof error === 'string') return 'error-string';
    if (isObject(error)) return 'error-object';
    if (tellsError(output)) return 'in-output';
    return hasOthers(record, RECORD_FIELDS) ? 'elsewhere' : 'nowhere';
  }),
  shown(['FAILED'], '2.4/output-of-failed', ({ scene, job, record: { output } }) => {
    if (mayBePurged(scene)) return null;
    if (tellsError(output)) return 'error';
    // Only a handler that had produced something tells whether that is kept.
    const { streams, outcome } = job!.foreseen(0);
    return streams && outcome === 'error' ? (missing(output) ?? 'partial') : null;
  }),
  opening(['health'], '2.7/other-fields', ({ record }) => {
    const { jobs, workers } = record;
    if (jobs === undefined && workers === undefined) return null;
    const isPlain = (part: Json | undefined): boolean => !isObject(part) || !hasOthers(part, HEALTH_FIELDS);
    return !hasOthers(record, HEALTH_PARTS) && isPlain(jobs) && isPlain(workers) ? 'none' : 'some';
  }),
  opening(['stream'], '4.4/answer-shape', ({ call, record }) => {
    if (Array.isArray(jsonOf(call.reply!.body))) return 'bare-array';
    return Array.isArray(record['stream']) ? 'wrapped' : null;
  }),
  ...MAIN_OPERATIONS.map((op): Opening => ({ ops: [op], question: SUCCESS_CODE[op], reading: successCode })),
];

/** Of a job in one of these states. One that its service runs again waits and runs twice: how its times are told is another question. */
function shown<Q extends QuestionId>(
  states: readonly JobStatus[],
  question: Q,
  reading: Reading<Q>,
): Opening {
  return opening(['status'], question, (answer) => {
    const { job, record } = answer;
    if (job === null || !states.includes(record['status'] as JobStatus)) return null;
    return job.retried || job.foreseen(0).outcome === 'crash' ? null : reading(answer);
  });
}

/** Made once: each answer is asked for the questions of its operation alone. */
const OPENINGS_OF = new Map(
  MAIN_OPERATIONS.map((op) => [op, OPENINGS.filter(({ ops }) => ops.includes(op))]),
);

/** Any successful answer of the eight operations; `job`: whose it is, where a call asks for one. */
export function answersSuccess(scene: Scene, call: CallEvent, job: Job | null): void {
  const op = call.op as MainOperation;
  const answer: Answer = { scene, call, job, record: recordOf(call) ?? {} };
  for (const { question, reading } of OPENINGS_OF.get(op)!) {
    const told = reading(answer);
    if (told !== null) scene.ledger.observe(question, told as never);
  }
  if (op !== 'stream') return;
  for (const chunk of chunksOf(jsonOf(call.reply!.body)) ?? [])
    if (isObject(chunk))
      scene.ledger.observe('2.5/chunk-other-fields', hasOthers(chunk, CHUNK_FIELDS) ? 'some' : 'none');
}

/** What an answer of 400, 401, 404 or 429 holds. */
export function answersRefusal({ ledger }: Scene, call: CallEvent): void {
  const { body } = call.reply!;
  // A job's record tells of a wait that has elapsed, or of a failure, whatever the code.
  // What is none of the operations may be refused by another layer, which words it in its own way.
  if (call.op === null || call.request.method === 'HEAD' || statusIn(call) !== null) return;
  if (body.as === 'none') ledger.observe('7/error-body', 'empty');
  if (body.as === 'json') ledger.observe('7/error-body', errorIn(isObject(body.value) ? body.value : {}));
}

function errorIn({ error, status, title, message, detail }: JsonObject): ReadingId<'7/error-body'> {
  if (typeof error === 'string') return 'error-string';
  if (isObject(error)) return 'error-object';
  if (typeof status === 'number' && typeof title === 'string') return 'problem-details';
  return typeof message === 'string' || typeof detail === 'string' ? 'message' : 'other-json';
}

function successCode({ call }: Answer): string | null {
  const op = call.op as MainOperation;
  const { status } = call.reply!;
  // A call whose wait has elapsed, or whose job has failed, may be told so by another code.
  if (op === 'runsync' && statusIn(call) !== 'COMPLETED') return null;
  return status === 200 || SUCCESS_CODES[op]?.includes(status) === true ? `${status}` : 'other-2xx';
}

const hasOthers = (record: JsonObject, known: ReadonlySet<string>): boolean =>
  Object.keys(record).some((name) => !known.has(name));

/** A purged job may be called FAILED, too, and then nothing has failed. */
const mayBePurged = ({ cast }: Scene): boolean => cast.roll.purges.length > 0;

function missing(value: Json | undefined): 'absent' | 'null' | null {
  return value === undefined ? 'absent' : value === null ? 'null' : null;
}

/** An object that tells of an error, or a text. */
function tellsError(output: Json | undefined): boolean {
  return typeof output === 'string' || (isObject(output) && 'error' in output);
}

/** A time counts as shown as zero only after so long that no unit would round it down. */
const CERTAINLY_MS = 2_500;

/** How a time is shown before there is anything to tell, or while it still changes. */
function timeOf<Reading extends string>(
  { record, job, call }: Answer,
  field: 'delayTime' | 'executionTime',
  reading: Reading,
  sinceMs: (job: Job, call: CallEvent) => number,
): Reading | 'absent' | 'null' | 'zero' | null {
  const value = record[field];
  if (typeof value !== 'number') return missing(value);
  if (value > 0) return reading;
  // It cannot have been for longer than there was a job.
  if (call.sentMs - job!.submitted.sentMs <= CERTAINLY_MS) return null;
  return sinceMs(job!, call) > CERTAINLY_MS ? 'zero' : null;
}

/** How long the job was certainly in the queue before this call. */
function waitedMs(job: Job, call: CallEvent): number {
  const waiting = sightingsOf(job).findLast(
    (one) => one.shows === 'IN_QUEUE' && (one.call === call || precedes(one.call, call)),
  );
  return waiting === undefined ? 0 : waiting.call.sentMs - (job.submitted.receivedMs ?? Infinity);
}

/** How long the job had certainly been running when this call was made. */
function ranMs(job: Job, call: CallEvent): number {
  const running = sightingsOf(job).find(({ shows }) => shows === 'IN_PROGRESS')?.call;
  return running === undefined ? 0 : call.sentMs - (running.receivedMs ?? Infinity);
}

function wasCancelledInQueue({ job, call }: Answer): boolean {
  const cancel = job!.calls.find(({ op }) => op === 'cancel');
  if (cancel === undefined || !precedes(cancel, call)) return false;
  return sightingsOf(job!).findLast((one) => precedes(one.call, cancel))?.shows === 'IN_QUEUE';
}
