/** Open questions that a single answer settles: how the target takes what the document does not settle. */
import type { CallEvent } from '../../history/events.js';
import type { QuestionId, ReadingId } from '../../spec/index.js';
import { answerOf, idIn, isObject, jsonOf } from '../reading.js';
import type { Scene } from '../scene.js';
import { isJsonType } from './judge-calls.js';

/** The questions about a submission that is otherwise in order: refused with 400, or accepted and then what. */
const TAKEN = {
  '2.1/unknown-fields': 'ignored',
  '2.1/empty-input': 'accepted',
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
  '4.1/empty-wait': null,
} as const satisfies { readonly [Q in QuestionId]?: ReadingId<Q> | null };

export type SubmissionQuestion = keyof typeof TAKEN;

/** What was sent raises this question alone. */
export function answersSubmission(scene: Scene, call: CallEvent, question: SubmissionQuestion): void {
  const code = call.reply!.status;
  // Every one of these has the reading `refused`.
  if (code === 400 || code === 422) scene.ledger.observe(question, 'refused');
  const taken = TAKEN[question];
  if (answerOf(call) === 'ok' && taken !== null) scene.ledger.observe(question, taken as never);
}

export function answersContentType(scene: Scene, call: CallEvent): void {
  const code = call.reply!.status;
  if (answerOf(call) === 'ok') scene.ledger.observe('1/request-content-type', 'accepted');
  else if (code === 400 || code === 415) scene.ledger.observe('1/request-content-type', `refused-${code}`);
}

type SuccessCode = '200' | '201' | '202' | 'other-2xx';

/** The codes of success that each operation's question has a reading for. */
const SUCCESS_CODES: { readonly [op: string]: readonly string[] } = {
  runsync: ['200', '201'],
  run: ['200', '201', '202'],
  status: ['200'],
  stream: ['200'],
  cancel: ['200', '202'],
  retry: ['200', '201', '202'],
  'purge-queue': ['200', '202'],
  health: ['200'],
};

/** Any successful answer of the eight operations. */
export function answersSuccess(scene: Scene, call: CallEvent): void {
  const { ledger } = scene;
  const { op } = call;
  const reply = call.reply!;
  const codes = op === null ? undefined : SUCCESS_CODES[op];
  if (codes === undefined) return;
  const code = (codes.includes(`${reply.status}`) ? `${reply.status}` : 'other-2xx') as SuccessCode;
  ledger.observe(`4/success-code-${op}` as '4/success-code-run', code);
  if (isJsonType(reply.contentType))
    ledger.observe('1/response-charset', (reply.contentType ?? '').includes(';') ? 'charset' : 'none');
  const id = idIn(call);
  if (id !== null && (op === 'run' || op === 'runsync')) idShape(scene, id, op === 'runsync');
  const body = jsonOf(reply.body);
  if (op === 'status' && isObject(body)) record(scene, body);
  if (op === 'health' && isObject(body)) {
    const known = new Set(['completed', 'failed', 'inProgress', 'inQueue', 'retried', 'idle', 'running']);
    const names = Object.keys(body).flatMap((name) => {
      const inner = body[name];
      return name === 'jobs' || name === 'workers' ? (isObject(inner) ? Object.keys(inner) : []) : [name];
    });
    ledger.observe('2.7/other-fields', names.every((name) => known.has(name)) ? 'none' : 'some');
  }
  if (op === 'stream') stream(scene, body);
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';

function idShape({ ledger }: Scene, id: string, sync: boolean): void {
  const bare = sync && id.startsWith('sync-') ? id.slice('sync-'.length) : id;
  if (new RegExp(`^${UUID}$`, 'i').test(bare)) ledger.observe('2.4/id-shape', 'uuid');
  else ledger.observe('2.4/id-shape', new RegExp(UUID, 'i').test(bare) ? 'uuid-with-suffix' : 'other');
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
function record({ ledger }: Scene, body: Fields): void {
  ledger.observe(
    '2.4/other-fields',
    Object.keys(body).every((name) => RECORD_FIELDS.has(name)) ? 'none' : 'some',
  );
  const { status, delayTime, executionTime, output } = body;
  const missing = (value: unknown): 'absent' | 'null' | null =>
    value === undefined ? 'absent' : value === null ? 'null' : null;
  const zero = (value: unknown): 'absent' | 'null' | 'zero' | null =>
    missing(value) ?? (value === 0 ? 'zero' : null);
  if (status === 'IN_QUEUE') {
    const delay = missing(delayTime) ?? (typeof delayTime === 'number' && delayTime > 0 ? 'so-far' : null);
    if (delay !== null) ledger.observe('2.4/delay-time-in-queue', delay);
    const execution = zero(executionTime);
    if (execution !== null) ledger.observe('2.4/execution-time-in-queue', execution);
  } else if (status === 'IN_PROGRESS') {
    const delay = missing(delayTime) ?? (typeof delayTime === 'number' && delayTime > 0 ? 'final' : null);
    if (delay !== null) ledger.observe('2.4/delay-time-in-progress', delay);
    const execution =
      missing(executionTime) ?? (typeof executionTime === 'number' && executionTime > 0 ? 'so-far' : null);
    if (execution !== null) ledger.observe('2.4/execution-time-in-progress', execution);
  }
  if (status === 'IN_QUEUE' || status === 'IN_PROGRESS')
    ledger.observe('2.4/output-before-end', missing(output) ?? 'progress');
  if (status === 'CANCELLED' || status === 'TIMED_OUT')
    ledger.observe('3/status-operation-states', 'all-six');
  if (status !== 'FAILED') return;
  const { error } = body;
  if (typeof error === 'string') ledger.observe('2.4/failure-reason', 'error-string');
  else if (isObject(error as never)) ledger.observe('2.4/failure-reason', 'error-object');
  else if (Object.keys(body).every((name) => RECORD_FIELDS.has(name)) && output === undefined)
    ledger.observe('2.4/failure-reason', 'nowhere');
  if (missing(output) !== null) ledger.observe('2.4/output-of-failed', missing(output)!);
}

function stream({ ledger }: Scene, body: unknown): void {
  const list = Array.isArray(body) ? (body as readonly unknown[]) : null;
  const inner = !Array.isArray(body) && isObject(body as never) ? (body as Fields)['stream'] : null;
  if (list !== null) ledger.observe('4.4/answer-shape', 'bare-array');
  else if (Array.isArray(inner)) ledger.observe('4.4/answer-shape', 'wrapped');
  for (const chunk of list ?? (Array.isArray(inner) ? (inner as readonly unknown[]) : [])) {
    if (!isObject(chunk as never)) continue;
    const names = Object.keys(chunk as Fields);
    ledger.observe('2.5/metrics', names.includes('metrics') ? 'present' : 'absent');
    const other = names.some((name) => name !== 'output' && name !== 'metrics');
    ledger.observe('2.5/chunk-other-fields', other ? 'some' : 'none');
  }
}

/** What an answer of 400, 401, 404 or 429 holds. */
export function answersRefusal({ ledger }: Scene, call: CallEvent): void {
  const { body } = call.reply!;
  if (call.request.method === 'HEAD') return;
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

const OPERATIONS: ReadonlySet<string> = new Set(Object.keys(SUCCESS_CODES));
const READS: ReadonlySet<string> = new Set(['status', 'stream', 'health']);

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
  if (!OPERATIONS.has(op)) {
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
  } else if (method !== wanted) {
    if (told !== null) ledger.observe('4/wrong-method', told);
    else if (ok) ledger.observe('4/wrong-method', 'same');
  }
}
