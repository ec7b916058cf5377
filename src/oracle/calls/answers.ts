/** What the answer to a performed call contains, operation by operation: sections 1, 2.4 to 2.7 and 4. */
import type { Json } from '../../history/events.js';
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
import {
  excerpt,
  chunksOf,
  isUnrecorded,
  isGiven,
  isJsonType,
  isObject,
  isText,
  statusIn,
  submissionOf,
} from '../observed/recorded-call.js';
import type { AnsweredCall } from '../context/answered-call.js';
import { judgeAtOnce } from './at-once.js';
import { OPERATION } from './implemented.js';
import { isWaitOver, mayBeGone, mayHaveEnded } from './wait.js';

const JSON_BODY = idsFor('1/json-body-*', MAIN_OPERATIONS);
const JSON_TYPE = idsFor('1/json-content-type-*', MAIN_OPERATIONS);

export function judgeAnswer(seen: AnsweredCall): void {
  const { context, call } = seen;
  const op = call.op as MainOperation;
  const { body, contentType } = call.reply!;
  // The document does not show the answer after `wait` has elapsed: it may be empty.
  if (op === 'runsync' && body.as === 'none' && isWaitOver(context, call)) return;
  const said = (): string => `body: ${body.as === 'text' ? excerpt(body.text) : body.as}`;
  seen.check(JSON_BODY[op], body.as === 'json', said);
  if (body.as !== 'json') return;
  seen.check(JSON_TYPE[op], isJsonType(contentType), () => `content-type: ${contentType}`);
  judgeAtOnce(seen);
  if (op === 'stream') judgeChunks(seen, body.value);
  else if (op === 'purge-queue' || op === 'health') judgeCounts(seen, op, body.value);
  else judgeRecord(seen, op);
}

/** Checks one member of an object in the answer. */
function checkMember(
  seen: AnsweredCall,
  id: RequirementId,
  satisfied: boolean,
  name: string,
  record = seen.record,
): void {
  seen.check(id, satisfied, satisfied ? '' : `${name}: ${excerpt(record[name])}`);
}

const ID_IN = idsFor('2.4/id-in-*', RECORD_OPERATIONS);
const STATUS_IN = idsFor('2.4/status-in-*', RECORD_OPERATIONS);
const STATUS_KNOWN = idsFor('2.4/status-known-*', RECORD_OPERATIONS);
const ID_MATCHES = idsFor('2.4/id-matches-*', ['status', 'cancel', 'retry']);

const WHOLE_RESULT = ['id', 'status', 'delayTime', 'executionTime'] as const;

/** A job record: 2.4, 4.1 to 4.3, 4.5 and 4.6. */
function judgeRecord(seen: AnsweredCall, op: (typeof RECORD_OPERATIONS)[number]): void {
  const { context, call, life, record } = seen;
  const { id, status } = record;
  const check = (requirement: RequirementId, satisfied: boolean, name: 'id' | 'status'): void =>
    checkMember(seen, requirement, satisfied, name);
  // The document does not show what /runsync answers after `wait` has elapsed; only the record of a finished
  // job is certain.
  const isDue = op !== 'runsync' || status === 'COMPLETED' || status === 'FAILED' || reportsEnd(seen);
  if (isDue) check(ID_IN[op], isText(id) && id !== '', 'id');
  if (isDue || (status !== undefined && !isWaitOver(context, call))) {
    check(STATUS_IN[op], isText(status), 'status');
    if (isText(status)) check(STATUS_KNOWN[op], isJobStatus(status), 'status');
  }
  // Which states the other operations may report is judged by the job model.
  if (op === 'run' && isText(status)) check('4.2/status-in-queue', status === 'IN_QUEUE', 'status');
  if (op === 'runsync' || op === 'status') judgeTimes(seen, op);
  if (op === 'runsync' && status === 'COMPLETED') {
    const isWhole = WHOLE_RESULT.every((name) => record[name] !== undefined);
    seen.check('4.1/complete-result-in-one-answer', isWhole, () => `answer: ${excerpt(record)}`);
  }
  if (!isText(id)) return;
  if (op === 'run' || op === 'runsync') {
    // The content of a submission does not influence the job's id.
    const { id: given, input } = submissionOf(call) ?? {};
    if (given !== undefined) check('2.4/id-assigned-by-service', id !== given, 'id');
    const inner = isObject(input) ? input['id'] : undefined;
    if (inner !== undefined) check('2.1/input-content-not-interpreted', id !== inner, 'id');
  } else
    seen.check(
      ID_MATCHES[op],
      id === life?.job.id,
      () => `asked for ${life?.job.id}, but got ${excerpt(id)}`,
    );
}

/** An answer before its `wait` elapsed, without a state: too early, unless the job had ended. */
function reportsEnd({ context, call }: AnsweredCall): boolean {
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

function judgeTimes(seen: AnsweredCall, op: (typeof TIMED)[number]): void {
  const { call, life, record } = seen;
  const { status, delayTime, executionTime } = record;
  // A purged or cancelled job may also be reported as FAILED although it never ran.
  const hasFailed = op === 'status' && status === 'FAILED' && life?.mayBeTakenAway(call) === false;
  for (const { name, integer, inCompleted, inFailed } of TIMES) {
    const value = record[name];
    if (isGiven(value)) checkMember(seen, integer[op], isCount(value), name);
    if (status === 'COMPLETED') checkMember(seen, inCompleted[op], isGiven(value), name);
    if (hasFailed) checkMember(seen, inFailed, isGiven(value), name);
  }
  if (op !== 'status' || (status !== 'IN_QUEUE' && status !== 'IN_PROGRESS')) return;
  const areThere = isGiven(delayTime) && isGiven(executionTime);
  seen.check('2.4/times-in-every-state', areThere, () => `answer: ${excerpt(record)}`);
}

const isCount = (value: Json | undefined): boolean => Number.isInteger(value) && (value as number) >= 0;

/** 4.4 and 2.5: the array, and each chunk. */
function judgeChunks(seen: AnsweredCall, value: Json): void {
  const { context } = seen;
  if (context.session.run.edition === 'document') {
    const said = (): string => `answer: ${excerpt(value)}`;
    seen.check('4.4/answer-is-array', Array.isArray(value), said);
    if (Array.isArray(value)) context.pass(OPERATION.stream);
  }
  for (const chunk of chunksOf(value) ?? []) {
    if (isUnrecorded(chunk)) continue;
    const said = (): string => `answer: ${excerpt(chunk)}`;
    seen.check('2.5/chunk-is-object', isObject(chunk), said);
    if (!isObject(chunk)) continue;
    const { output, metrics } = chunk;
    seen.check('2.5/chunk-has-output', output !== undefined, said);
    // How values other than texts are split is open; that they are split is required.
    const bytes = output === undefined ? 0 : isText(output) ? byteLengthOf(output) : jsonBytesOf(output);
    const isSmall = bytes <= STREAM_CHUNK_MAX.binaryBytes;
    seen.check('4.4/chunk-size', isSmall, () => `a chunk of ${bytes} bytes`);
    // Other workers may write anything there.
    if (!isGiven(metrics) || !context.has('scripted-worker')) continue;
    checkMember(seen, '2.5/metrics-optional-object', isObject(metrics), 'metrics', chunk);
    if (!isObject(metrics)) continue;
    const areCounters = Object.values(metrics).every((one) => typeof one === 'number' || isText(one));
    checkMember(seen, '2.5/metrics-values', areCounters, 'metrics', chunk);
  }
}

/** What to check is listed in the catalogue of requirements itself. */
const COUNTS = REQUIREMENTS.flatMap(({ id, countInAnswer }) =>
  countInAnswer === undefined ? [] : [{ id, ...countInAnswer }],
);

/** 2.6 and 2.7 */
function judgeCounts(seen: AnsweredCall, op: 'purge-queue' | 'health', value: Json): void {
  const { record } = seen;
  // Any service may answer with an object: it counts only if the operation is implemented.
  seen.checkGiven(OPERATION[op], isObject(value), () => `answer: ${excerpt(value)}`);
  if (op === 'purge-queue')
    checkMember(seen, '2.6/status-completed', record['status'] === PURGE_STATUS, 'status');
  for (const { id, op: countedBy, field } of COUNTS) {
    if (countedBy !== op) continue;
    const [name, inner] = field.split('.');
    const part = record[name!];
    const count = inner === undefined ? part : isObject(part) ? part[inner] : undefined;
    seen.check(id, isCount(count), () => `${field}: ${excerpt(count)}`);
  }
}
