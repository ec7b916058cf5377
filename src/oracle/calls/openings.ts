/** Open questions that a single answer settles: how the target takes what the document does not settle. */
import type { CallEvent, Json } from '../../history/events.js';
import type { QuestionId, ReadingId } from '../../spec/index.js';
import type { Job } from '../cast/cases.js';
import { precedes, sightingsOf } from '../cast/sightings.js';
import type { Ledger } from '../ledger/ledger.js';
import { answerOf, idIn, isObject, jsonOf, statusIn } from '../observed/reading.js';
import type { Scene } from '../scene/scene.js';
import { isJsonType } from '../observed/json-type.js';
import { missing, ranMs, shown, waitedMs, zero } from './times-shown.js';

/** The questions about a submission that is otherwise in order: refused with 400, or accepted and then what. */
const TAKEN = {
  '2.1/unknown-fields': 'ignored',
  '2.1/null-optional-field': 'as-absent',
  '2.1/invalid-webhook': 'ignored',
  '2.1/webhook-scheme': 'ignored',
  '2.2/null-policy-field': 'as-absent',
  '2.2/unknown-policy-fields': 'ignored',
  '2.2/ttl-below-execution-timeout': 'accepted',
  '4/unknown-query': 'ignored',
  '2.3/field-types': null,
  '2.3/unknown-fields': null,
  '2.2/numeric-string': null,
  '2.2/fractional-milliseconds': null,
  '2.2/execution-timeout-below-min': null,
  '2.2/execution-timeout-above-max': null,
  '2.2/execution-timeout-not-positive': null,
  '2.2/ttl-below-min': null,
  '2.2/ttl-above-max': null,
  '2.2/ttl-not-positive': null,
  '4.1/wait-fraction': null,
  '4.1/empty-wait': 'as-absent',
} as const satisfies { readonly [Q in QuestionId]?: ReadingId<Q> | null };

export type SubmissionQuestion = keyof typeof TAKEN;

/** What was sent raises this question alone. */
export function answersSubmission(scene: Scene, call: CallEvent, question: SubmissionQuestion): void {
  const code = call.reply!.status;
  // Every one of these has the reading `refused`.
  if ((code === 400 || code === 422) && statusIn(call) === null) scene.ledger.observe(question, 'refused');
  const taken = TAKEN[question];
  if (answerOf(call) === 'ok' && taken !== null) scene.ledger.observe(question, taken as never);
}

export function answersContentType(scene: Scene, call: CallEvent): void {
  const code = call.reply!.status;
  if (answerOf(call) === 'ok') scene.ledger.observe('1/request-content-type', 'accepted');
  else if (code === 400 || code === 415) scene.ledger.observe('1/request-content-type', `refused-${code}`);
}

type SuccessCode = '200' | '201' | '202' | 'other-2xx';

/** Each operation's question, and the codes of success that it has a reading for. */
const SUCCESS: ReadonlyMap<string | null, Success> = new Map([
  successOf('runsync', '200', '201'),
  successOf('run', '200', '201', '202'),
  successOf('status', '200'),
  successOf('stream', '200'),
  successOf('cancel', '200', '202'),
  successOf('retry', '200', '201', '202'),
  successOf('purge-queue', '200', '202'),
  successOf('health', '200'),
]);

interface Success {
  readonly question: '4/success-code-run';
  readonly codes: ReadonlyMap<number, SuccessCode>;
}

function successOf(op: string, ...codes: readonly SuccessCode[]): [string, Success] {
  const question = `4/success-code-${op}` as '4/success-code-run';
  return [op, { question, codes: new Map(codes.map((code) => [Number(code), code])) }];
}

/** Any successful answer of the eight operations; `job`: whose it is, where a call asks for one. */
export function answersSuccess(scene: Scene, call: CallEvent, job: Job | null): void {
  const { ledger } = scene;
  const { op } = call;
  const reply = call.reply!;
  const success = SUCCESS.get(op);
  if (success === undefined) return;
  // A call whose wait has elapsed, or whose job has failed, may be told so by another code.
  const done = op !== 'runsync' || statusIn(call) === 'COMPLETED';
  if (done) ledger.observe(success.question, success.codes.get(reply.status) ?? 'other-2xx');
  if (isJsonType(reply.contentType))
    ledger.observe('1/response-charset', (reply.contentType ?? '').includes(';') ? 'charset' : 'none');
  const id = idIn(call);
  if (id !== null && (op === 'run' || op === 'runsync')) idShape(scene, id, op === 'runsync');
  const body = jsonOf(reply.body);
  if (op === 'status' && isObject(body)) record(scene, job, call, body);
  if (op === 'health' && isObject(body)) {
    const names = Object.keys(body).flatMap((name) => {
      const inner = body[name];
      return name === 'jobs' || name === 'workers' ? (isObject(inner) ? Object.keys(inner) : []) : [name];
    });
    ledger.observe('2.7/other-fields', names.every((name) => HEALTH_FIELDS.has(name)) ? 'none' : 'some');
  }
  if (op === 'stream') stream(scene, body);
}

const HEALTH_FIELDS: ReadonlySet<string> = new Set([
  'completed',
  'failed',
  'inProgress',
  'inQueue',
  'retried',
  'idle',
  'running',
]);

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
const UUID_ALONE = new RegExp(`^${UUID.source}$`, 'i');

function idShape({ ledger }: Scene, id: string, sync: boolean): void {
  const bare = sync && id.startsWith('sync-') ? id.slice('sync-'.length) : id;
  if (UUID_ALONE.test(bare)) ledger.observe('2.4/id-shape', 'uuid');
  else ledger.observe('2.4/id-shape', UUID.test(bare) ? 'uuid-with-suffix' : 'other');
  if (sync) ledger.observe('2.4/runsync-id-prefix', id.startsWith('sync-') ? 'sync' : 'none');
}

const RECORD_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'status',
  'output',
  'delayTime',
  'executionTime',
  'error',
]);

type Fields = { readonly [key: string]: unknown };

/** What a job's record holds in the states that the document says nothing of. */
function record({ ledger, cast }: Scene, job: Job | null, call: CallEvent, body: Fields): void {
  const { status, delayTime, executionTime, output } = body;
  const other = Object.keys(body).some((name) => !RECORD_FIELDS.has(name));
  // What there is to tell of a job, and of its worker, may be told only once it has been run.
  if (other) ledger.observe('2.4/other-fields', 'some');
  else if (status === 'COMPLETED') ledger.observe('2.4/other-fields', 'none');
  // One that its service runs again waits and runs twice; how its times are told is another question.
  if (job === null || job.retried || job.foreseen(0).outcome === 'crash') return;
  if (status === 'IN_QUEUE') {
    const delay = missing(delayTime) ?? shown(delayTime, 'so-far', waitedMs, job, call);
    if (delay !== null) ledger.observe('2.4/delay-time-in-queue', delay);
    const execution = zero(executionTime);
    if (execution !== null) ledger.observe('2.4/execution-time-in-queue', execution);
  } else if (status === 'IN_PROGRESS') {
    const delay = missing(delayTime) ?? shown(delayTime, 'final', waitedMs, job, call);
    if (delay !== null) ledger.observe('2.4/delay-time-in-progress', delay);
    const execution = missing(executionTime) ?? shown(executionTime, 'so-far', ranMs, job, call);
    if (execution !== null) ledger.observe('2.4/execution-time-in-progress', execution);
  }
  if (status === 'IN_QUEUE' || status === 'IN_PROGRESS')
    ledger.observe('2.4/output-before-end', missing(output) ?? 'progress');
  ofStatus(ledger, job, call, body);
  // A purged job may be called FAILED, too, and then nothing has failed.
  if (status !== 'FAILED' || cast.roll.purges.length > 0) return;
  const { error } = body;
  if (typeof error === 'string') ledger.observe('2.4/failure-reason', 'error-string');
  else if (isObject(error as never)) ledger.observe('2.4/failure-reason', 'error-object');
  else if (tellsError(output)) ledger.observe('2.4/failure-reason', 'in-output');
  else ledger.observe('2.4/failure-reason', other ? 'elsewhere' : 'nowhere');
  outputOfFailed(ledger, job, output);
}

/** What of the states that the document's own list for /status leaves out is shown there. */
function ofStatus(ledger: Ledger, job: Job, call: CallEvent, body: Fields): void {
  const { status, delayTime, executionTime } = body;
  if (status === 'CANCELLED' || status === 'TIMED_OUT')
    ledger.observe('3/status-operation-states', 'all-six');
  if (status === 'FAILED' && statusIn(job.submitted) === 'TIMED_OUT')
    ledger.observe('3/status-operation-states', 'first-four');
  if (status !== 'CANCELLED') return;
  const seen = sightingsOf(job);
  const cancel = job.calls.find(({ op }) => op === 'cancel');
  const queued =
    seen.findLast((one) => cancel !== undefined && precedes(one.call, cancel))?.shows === 'IN_QUEUE';
  if (!queued || !precedes(cancel!, call)) return;
  const both = [delayTime, executionTime];
  if (typeof delayTime === 'number' && executionTime === 0) ledger.observe('2.4/times-of-never-run', 'zero');
  else if (both.every((value) => value === undefined)) ledger.observe('2.4/times-of-never-run', 'absent');
  else if (both.every((value) => value === null)) ledger.observe('2.4/times-of-never-run', 'null');
}

/** An object that tells of an error, or a text. */
function tellsError(output: unknown): boolean {
  return typeof output === 'string' || (isObject(output as Json) && 'error' in (output as object));
}

/** Only a handler that had produced something tells whether that is kept. */
function outputOfFailed(ledger: Ledger, job: Job, output: unknown): void {
  if (tellsError(output)) ledger.observe('2.4/output-of-failed', 'error');
  if (!job.foreseen(0).streams || job.foreseen(0).outcome !== 'error') return;
  if (output === undefined) ledger.observe('2.4/output-of-failed', 'absent');
  else if (output === null) ledger.observe('2.4/output-of-failed', 'null');
  else if (!tellsError(output)) ledger.observe('2.4/output-of-failed', 'partial');
}

function stream({ ledger }: Scene, body: unknown): void {
  const list = Array.isArray(body) ? (body as readonly unknown[]) : null;
  const inner = !Array.isArray(body) && isObject(body as never) ? (body as Fields)['stream'] : null;
  if (list !== null) ledger.observe('4.4/answer-shape', 'bare-array');
  else if (Array.isArray(inner)) ledger.observe('4.4/answer-shape', 'wrapped');
  for (const chunk of list ?? (Array.isArray(inner) ? (inner as readonly unknown[]) : [])) {
    if (!isObject(chunk as never)) continue;
    const names = Object.keys(chunk as Fields);
    const other = names.some((name) => name !== 'output' && name !== 'metrics');
    ledger.observe('2.5/chunk-other-fields', other ? 'some' : 'none');
  }
}

/** What an answer of 400, 401, 404 or 429 holds. */
export function answersRefusal({ ledger }: Scene, call: CallEvent): void {
  const { body } = call.reply!;
  // A job's record tells of a wait that has elapsed, or of a failure, whatever the code.
  // What is none of the operations may be refused by another layer, which words it in its own way.
  if (call.op === null || call.request.method === 'HEAD' || statusIn(call) !== null) return;
  if (body.as === 'none') ledger.observe('7/error-body', 'empty');
  if (body.as !== 'json') return;
  const { value } = body;
  if (!isObject(value)) ledger.observe('7/error-body', 'other-json');
  else if (typeof value['error'] === 'string') ledger.observe('7/error-body', 'error-string');
  else if (isObject(value['error'])) ledger.observe('7/error-body', 'error-object');
  else if (typeof value['status'] === 'number' && typeof value['title'] === 'string')
    ledger.observe('7/error-body', 'problem-details');
  else if (typeof value['message'] === 'string' || typeof value['detail'] === 'string')
    ledger.observe('7/error-body', 'message');
  else ledger.observe('7/error-body', 'other-json');
}

const READS: ReadonlySet<string> = new Set(['status', 'stream', 'health']);

/** Where the right method would certainly be answered with success, and the wrong one is an ordinary one. */
const SWAPPED: ReadonlySet<string> = new Set(['POST health', 'GET cancel']);

/** Other methods and paths below `/v2/<endpoint_id>`. */
export function answersOddRequest({ ledger, session }: Scene, call: CallEvent): void {
  const code = call.reply!.status;
  const { method, path } = call.request;
  const [version, , op, id, ...rest] = path.split('/').filter((part) => part !== '');
  const told = code === 404 || code === 405 || code === 400 ? (`${code}` as const) : null;
  if (version !== 'v2') {
    const answer = code === 404 || code === 401 ? (`${code}` as const) : 'other';
    if (version !== undefined && /^v[0-9]+$/.test(version)) ledger.observe('9/other-version-answer', answer);
    return;
  }
  if (!session.exists || op === undefined || rest.length > 0) return;
  const ok = answerOf(call) === 'ok';
  if (!SUCCESS.has(op)) {
    if (told !== null) ledger.observe('4/unknown-path', told);
    return;
  }
  const onJob = op === 'status' || op === 'stream' || op === 'cancel' || op === 'retry';
  const wanted = READS.has(op) ? 'GET' : 'POST';
  if (path.endsWith('/') && method === wanted && onJob === (id !== undefined)) {
    if (ok) ledger.observe('4/trailing-slash', 'same');
    else if (code === 404) ledger.observe('4/trailing-slash', '404');
    else if (code >= 300 && code < 400) ledger.observe('4/trailing-slash', 'redirect');
  } else if (onJob && id === undefined) {
    if (method === wanted && told !== null) ledger.observe('4/missing-job-id', told);
  } else if (method === 'OPTIONS') {
    if (ok) ledger.observe('4/options-request', 'success');
    else if (code === 405 || code === 404 || code === 401) ledger.observe('4/options-request', `${code}`);
  } else if (method === 'HEAD') {
    if (wanted !== 'GET') return;
    if (ok) ledger.observe('4/head-request', 'like-get');
    else if (code === 405 || code === 404) ledger.observe('4/head-request', `${code}`);
  } else if (SWAPPED.has(`${method} ${op}`)) {
    if (told !== null) ledger.observe('4/wrong-method', told);
    else if (ok) ledger.observe('4/wrong-method', 'same');
  }
}
