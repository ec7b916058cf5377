/** What the answer to a performed call contains, operation by operation: sections 1, 2.4 to 2.7 and 4. */
import type { CallEvent, Json } from '../../history/events.js';
import { byteLengthOf, jsonBytesOf } from '../../history/long-text.js';
import {
  idsFor,
  MAIN_OPERATIONS,
  PURGE_STATUS,
  RECORD_OPERATIONS,
  REQUIREMENTS,
  type MainOperation,
  type RequirementId,
} from '../../spec/index.js';
import { STREAM_CHUNK_MAX } from '../../spec/limits.js';
import { isJobStatus } from '../../spec/states.js';
import { operationImplemented } from '../jobs/evidence.js';
import {
  excerpt,
  chunksOf,
  isGiven,
  isJsonType,
  isObject,
  isText,
  type JsonObject,
  recordOf,
  statusIn,
  submissionOf,
} from '../observed/recorded-call.js';
import type { JudgingContext } from '../context/judging-context.js';
import type { Life } from '../context/life.js';
import { judgeAtOnce } from './at-once.js';
import { OPERATION } from './implemented.js';
import { isWaitOver, mayBeGone, mayHaveEnded } from './wait.js';

const JSON_BODY = idsFor('1/json-body-*', MAIN_OPERATIONS);
const JSON_TYPE = idsFor('1/json-content-type-*', MAIN_OPERATIONS);

/** `life`: of the job that the call names, if any. */
export function judgeAnswer(context: JudgingContext, call: CallEvent, life: Life | null): void {
  const op = call.op as MainOperation;
  const { body, contentType } = call.reply!;
  // The document does not show the answer after `wait` has elapsed: it may be empty.
  if (op === 'runsync' && body.as === 'none' && isWaitOver(context, call)) return;
  const said = (): string => `body: ${body.as === 'text' ? excerpt(body.text) : body.as}`;
  context.check(JSON_BODY[op], body.as === 'json', call, said);
  if (body.as !== 'json') return;
  context.check(JSON_TYPE[op], isJsonType(contentType), call, () => `content-type: ${contentType}`);
  judgeAtOnce(context, call);
  if (op === 'stream') judgeChunks(context, call, body.value);
  else if (op === 'purge-queue' || op === 'health') judgeCounts(context, call, op, body.value);
  else judgeRecord(context, call, op, life);
}

/** Checks one member of an object in the answer. */
function checkMember(
  context: JudgingContext,
  call: CallEvent,
  id: RequirementId,
  satisfied: boolean,
  record: JsonObject,
  name: string,
): void {
  if (satisfied) context.pass(id);
  else context.check(id, false, call, `${name}: ${excerpt(record[name])}`);
}

const ID_IN = idsFor('2.4/id-in-*', RECORD_OPERATIONS);
const STATUS_IN = idsFor('2.4/status-in-*', RECORD_OPERATIONS);
const STATUS_KNOWN = idsFor('2.4/status-known-*', RECORD_OPERATIONS);
const ID_MATCHES = idsFor('2.4/id-matches-*', ['status', 'cancel', 'retry']);

const WHOLE_RESULT = ['id', 'status', 'delayTime', 'executionTime'] as const;

/** A job record: 2.4, 4.1 to 4.3, 4.5 and 4.6. */
function judgeRecord(
  context: JudgingContext,
  call: CallEvent,
  op: (typeof RECORD_OPERATIONS)[number],
  life: Life | null,
): void {
  const record = recordOf(call) ?? {};
  const { id, status } = record;
  const check = (requirement: RequirementId, satisfied: boolean, name: 'id' | 'status'): void =>
    checkMember(context, call, requirement, satisfied, record, name);
  // The document does not show what /runsync answers after `wait` has elapsed; only the record of a finished
  // job is certain.
  const isDue =
    op !== 'runsync' || status === 'COMPLETED' || status === 'FAILED' || reportsEnd(context, call);
  if (isDue) check(ID_IN[op], isText(id) && id !== '', 'id');
  if (isDue || (status !== undefined && !isWaitOver(context, call))) {
    check(STATUS_IN[op], isText(status), 'status');
    if (isText(status)) check(STATUS_KNOWN[op], isJobStatus(status), 'status');
  }
  // Which states the other operations may report is judged by the job model.
  if (op === 'run' && isText(status)) check('4.2/status-in-queue', status === 'IN_QUEUE', 'status');
  if (op === 'runsync' || op === 'status') judgeTimes(context, call, op, life, record);
  if (op === 'runsync' && status === 'COMPLETED') {
    const isWhole = WHOLE_RESULT.every((name) => record[name] !== undefined);
    context.check('4.1/complete-result-in-one-answer', isWhole, call, () => `answer: ${excerpt(record)}`);
  }
  if (!isText(id)) return;
  if (op === 'run' || op === 'runsync') {
    // The content of a submission does not influence the job's id.
    const { id: given, input } = submissionOf(call) ?? {};
    if (given !== undefined) check('2.4/id-assigned-by-service', id !== given, 'id');
    const inner = isObject(input) ? input['id'] : undefined;
    if (inner !== undefined) check('2.1/input-content-not-interpreted', id !== inner, 'id');
  } else
    context.check(
      ID_MATCHES[op],
      id === life?.job.id,
      call,
      () => `asked for ${life?.job.id}, but got ${excerpt(id)}`,
    );
}

/** An answer before its `wait` elapsed, without a state: too early, unless the job had ended. */
function reportsEnd(context: JudgingContext, call: CallEvent): boolean {
  if (call.request.illegal !== null || statusIn(call) !== null || isWaitOver(context, call)) return false;
  return !mayBeGone(context, call) && mayHaveEnded(context, call);
}

const TIMED = ['runsync', 'status'] as const;

/** For each time: must be an integer; present in a completed job; present in a failed job. */
const TIMES = [
  {
    name: 'delayTime',
    integer: idsFor('2.4/delay-time-integer-*', TIMED),
    inCompleted: idsFor('2.4/delay-time-in-*', TIMED),
    inFailed: '2.4/delay-time-in-failed',
  },
  {
    name: 'executionTime',
    integer: idsFor('2.4/execution-time-integer-*', TIMED),
    inCompleted: idsFor('2.4/execution-time-in-*', TIMED),
    inFailed: '2.4/execution-time-in-failed',
  },
] as const;

function judgeTimes(
  context: JudgingContext,
  call: CallEvent,
  op: (typeof TIMED)[number],
  life: Life | null,
  record: JsonObject,
): void {
  const { status, delayTime, executionTime } = record;
  // A purged or cancelled job may also be reported as FAILED although it never ran.
  const hasFailed = op === 'status' && status === 'FAILED' && life?.mayBeTakenAway(call) === false;
  for (const { name, integer, inCompleted, inFailed } of TIMES) {
    const value = record[name];
    if (isGiven(value)) checkMember(context, call, integer[op], isCount(value), record, name);
    if (status === 'COMPLETED') checkMember(context, call, inCompleted[op], isGiven(value), record, name);
    if (hasFailed) checkMember(context, call, inFailed, isGiven(value), record, name);
  }
  if (op !== 'status' || (status !== 'IN_QUEUE' && status !== 'IN_PROGRESS')) return;
  const areThere = isGiven(delayTime) && isGiven(executionTime);
  context.check('2.4/times-in-every-state', areThere, call, () => `answer: ${excerpt(record)}`);
}

const isCount = (value: Json | undefined): boolean => Number.isInteger(value) && (value as number) >= 0;

/** 4.4 and 2.5: the array, and each chunk. */
function judgeChunks(context: JudgingContext, call: CallEvent, value: Json): void {
  if (context.session.run.edition === 'document') {
    const said = (): string => `answer: ${excerpt(value)}`;
    context.check('4.4/answer-is-array', Array.isArray(value), call, said);
    if (Array.isArray(value)) context.pass(OPERATION.stream);
  }
  for (const chunk of chunksOf(value) ?? []) {
    context.check('2.5/chunk-is-object', isObject(chunk), call, () => `answer: ${excerpt(chunk)}`);
    if (!isObject(chunk)) continue;
    const { output, metrics } = chunk;
    context.check('2.5/chunk-has-output', output !== undefined, call, () => `answer: ${excerpt(chunk)}`);
    // How values other than texts are split is open; that they are split is required.
    const bytes = output === undefined ? 0 : isText(output) ? byteLengthOf(output) : jsonBytesOf(output);
    context.check(
      '4.4/chunk-size',
      bytes <= STREAM_CHUNK_MAX.binaryBytes,
      call,
      () => `a chunk of ${bytes} bytes`,
    );
    // Other workers may write anything there.
    if (!isGiven(metrics) || !context.has('scripted-worker')) continue;
    checkMember(context, call, '2.5/metrics-optional-object', isObject(metrics), chunk, 'metrics');
    if (!isObject(metrics)) continue;
    const areCounters = Object.values(metrics).every((one) => typeof one === 'number' || isText(one));
    checkMember(context, call, '2.5/metrics-values', areCounters, chunk, 'metrics');
  }
}

/** What to check is listed in the catalogue of requirements itself. */
const COUNTS = REQUIREMENTS.flatMap(({ id, countInAnswer }) =>
  countInAnswer === undefined ? [] : [{ id, ...countInAnswer }],
);

/** 2.6 and 2.7 */
function judgeCounts(
  context: JudgingContext,
  call: CallEvent,
  op: 'purge-queue' | 'health',
  value: Json,
): void {
  // Any service may answer with an object: it counts only if the operation is implemented.
  context.checkGiven(
    operationImplemented(op),
    OPERATION[op],
    isObject(value),
    call,
    () => `answer: ${excerpt(value)}`,
  );
  const record = isObject(value) ? value : {};
  if (op === 'purge-queue')
    checkMember(context, call, '2.6/status-completed', record['status'] === PURGE_STATUS, record, 'status');
  for (const { id, op: countedBy, field } of COUNTS) {
    if (countedBy !== op) continue;
    const [name, inner] = field.split('.');
    const part = record[name!];
    const count = inner === undefined ? part : isObject(part) ? part[inner] : undefined;
    context.check(id, isCount(count), call, () => `${field}: ${excerpt(count)}`);
  }
}
