/** What the answer to a performed call contains: sections 1, 2.4 to 2.7 and 4, a row for each requirement. */
import type { CallEvent, Json } from '../../history/events.js';
import { jsonBytesOf } from '../../history/json-size.js';
import { byteLengthOf } from '../../history/long-text.js';
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
import type { JobStatus } from '../../spec/types.js';
import {
  excerpt,
  chunksOf,
  idIn,
  isUnrecorded,
  isGiven,
  isJsonType,
  isObject,
  isText,
  memberAt,
  submissionOf,
} from '../observed/recorded-call.js';
import type { AnsweredCall } from '../context/answered-call.js';
import { judgeAtOnce } from './at-once.js';
import { OPERATION } from './implemented.js';
import { isWaitOver, mayBeGone, mayHaveEnded } from './wait.js';

type Value = Json | undefined;

/** A requirement that a single answer of these operations decides. */
interface Row {
  readonly ids: { readonly [Op in MainOperation]?: RequirementId };
  /** The member that it is about, by its path; absent: the whole answer. */
  readonly of?: string;
  /** The answers that it concerns; absent: all. */
  readonly if?: (value: Value, seen: AnsweredCall) => boolean;
  readonly holds: (value: Value, seen: AnsweredCall) => boolean;
  /** What is wrong; default: the value. */
  readonly say?: (value: Value, seen: AnsweredCall) => string;
}

const isCount = (value: Value): boolean => Number.isInteger(value) && (value as number) >= 0;
const isWithStatus =
  (...statuses: readonly JobStatus[]) =>
  (_: Value, { status }: AnsweredCall): boolean =>
    status !== null && statuses.includes(status);
const isCompleted = isWithStatus('COMPLETED');
const onSubmission = (id: RequirementId): Row['ids'] => ({ run: id, runsync: id });

const onRecord = (id: RequirementId): Row['ids'] => ({ runsync: id, status: id });

const TIMED = ['runsync', 'status'] as const;
const WHOLE_RESULT = ['id', 'status', 'delayTime', 'executionTime'] as const;

const ROWS: readonly Row[] = [
  {
    ids: idsFor('2.4/id-in-*', RECORD_OPERATIONS),
    of: 'id',
    if: isRecordDue,
    holds: (id) => isText(id) && id !== '',
  },
  { ids: idsFor('2.4/status-in-*', RECORD_OPERATIONS), of: 'status', if: isStatusDue, holds: isText },
  {
    ids: idsFor('2.4/status-known-*', RECORD_OPERATIONS),
    of: 'status',
    if: (status, seen) => isText(status) && isStatusDue(status, seen),
    holds: isJobStatus,
  },
  // Which states the other operations may report is judged by the job model.
  { ids: { run: '4.2/status-in-queue' }, of: 'status', if: isText, holds: (status) => status === 'IN_QUEUE' },
  {
    ids: idsFor('2.4/id-matches-*', ['status', 'cancel', 'retry']),
    of: 'id',
    if: isText,
    holds: (id, { life }) => id === life?.job.id,
    say: (id, { life }) => `asked for ${life?.job.id}, but got ${excerpt(id)}`,
  },
  // The content of a submission does not influence the job's id.
  {
    ids: onSubmission('2.4/id-assigned-by-service'),
    of: 'id',
    if: (id, { call }) => isText(id) && submissionOf(call)?.['id'] !== undefined,
    holds: (id, { call }) => id !== submissionOf(call)!['id'],
  },
  {
    ids: onSubmission('2.1/input-content-not-interpreted'),
    of: 'id',
    if: (id, { call }) => isText(id) && idInInput(call) !== undefined,
    holds: (id, { call }) => id !== idInInput(call),
  },
  { ids: idsFor('2.4/delay-time-integer-*', TIMED), of: 'delayTime', if: isGiven, holds: isCount },
  { ids: idsFor('2.4/delay-time-in-*', TIMED), of: 'delayTime', if: isCompleted, holds: isGiven },
  { ids: onRecord('2.4/delay-time-in-failed'), of: 'delayTime', if: isUnsuccessful, holds: isGiven },
  { ids: idsFor('2.4/execution-time-integer-*', TIMED), of: 'executionTime', if: isGiven, holds: isCount },
  { ids: idsFor('2.4/execution-time-in-*', TIMED), of: 'executionTime', if: isCompleted, holds: isGiven },
  { ids: onRecord('2.4/execution-time-in-failed'), of: 'executionTime', if: isUnsuccessful, holds: isGiven },
  {
    ids: { status: '2.4/times-in-every-state' },
    if: isWithStatus('IN_QUEUE', 'IN_PROGRESS'),
    holds: (_, { record }) => isGiven(record['delayTime']) && isGiven(record['executionTime']),
  },
  {
    ids: { runsync: '4.1/complete-result-in-one-answer' },
    if: isCompleted,
    holds: (_, { record }) => WHOLE_RESULT.every((name) => record[name] !== undefined),
  },
  {
    ids: { 'purge-queue': '2.6/status-completed' },
    of: 'status',
    holds: (status) => status === PURGE_STATUS,
  },
  // The catalogue of requirements itself lists the counts.
  ...REQUIREMENTS.flatMap(({ id, countInAnswer }): readonly Row[] =>
    countInAnswer === undefined
      ? []
      : [{ ids: { [countInAnswer.op]: id }, of: countInAnswer.field, holds: isCount }],
  ),
];

/** All of one shape, as the compiler wants them. */
const rowsOf = (op: MainOperation) =>
  ROWS.flatMap(({ ids, of, if: concerns, holds, say }) => {
    const id = ids[op];
    return id === undefined ? [] : [{ id, of, path: of?.split('.') ?? [], concerns, holds, say }];
  });
const ROWS_OF = new Map(MAIN_OPERATIONS.map((op) => [op, rowsOf(op)]));

/**
 * The document does not show what /runsync answers after `wait` has elapsed; only the record of a finished job is certain,
 * and that an answer before it elapsed without a state is too early, unless the job had ended.
 */
function isRecordDue(_: Value, { context, call, status }: AnsweredCall): boolean {
  if (call.op !== 'runsync' || status === 'COMPLETED' || status === 'FAILED') return true;
  if (call.request.illegal !== null || status !== null || isWaitOver(context, call)) return false;
  return !mayBeGone(context, call) && mayHaveEnded(context, call);
}

function isStatusDue(status: Value, seen: AnsweredCall): boolean {
  return isRecordDue(status, seen) || (status !== undefined && !isWaitOver(seen.context, seen.call));
}

const isStopped = isWithStatus('FAILED', 'TIMED_OUT');

/**
 * Certainly the end of a run: a purged or cancelled job may be FAILED, or CANCELLED, without one, and a job that a crash
 * or a retry brought back waits again.
 */
function isUnsuccessful(value: Value, seen: AnsweredCall): boolean {
  const { call, context, status } = seen;
  if (status !== 'CANCELLED' && !isStopped(value, seen)) return false;
  const life = seen.life ?? context.lifeBy(idIn(call));
  if (status === 'CANCELLED')
    return life?.mustBe((at) => at.state === 'cancelled' && at.previousState === 'running') === true;
  return life?.mayBeTakenAway(call) === false;
}

function idInInput(call: CallEvent): Value {
  const input = submissionOf(call)?.['input'];
  return isObject(input) ? input['id'] : undefined;
}

const JSON_BODY = idsFor('1/json-body-*', MAIN_OPERATIONS);
const JSON_TYPE = idsFor('1/json-content-type-*', MAIN_OPERATIONS);

const saidOfType = ({ reply }: CallEvent): string => `content-type: ${reply!.contentType}`;

export function judgeAnswer(seen: AnsweredCall): void {
  const { context, call } = seen;
  const op = call.op as MainOperation;
  const { body, contentType, headersUnknown = false } = call.reply!;
  // The document does not show the answer after `wait` has elapsed: it may be empty.
  if (op === 'runsync' && body.as === 'none' && isWaitOver(context, call)) return;
  if (body.as !== 'json')
    return seen.check(JSON_BODY[op], false, `body: ${body.as === 'text' ? excerpt(body.text) : body.as}`);
  seen.check(JSON_BODY[op], true);
  if (!headersUnknown) seen.check(JSON_TYPE[op], isJsonType(contentType), saidOfType);
  judgeAtOnce(seen);
  if (op === 'stream') return judgeChunks(seen, body.value);
  // Any service may answer with an object: it counts only if the operation is implemented.
  if (op === 'purge-queue' || op === 'health')
    seen.checkGiven(OPERATION[op], isObject(body.value), () => `answer: ${excerpt(body.value)}`);
  for (const row of ROWS_OF.get(op)!) {
    const value = memberAt(body.value, row.path);
    if (row.concerns?.(value, seen) === false) continue;
    // No closure for each row: nearly all pass.
    if (row.holds(value, seen)) seen.check(row.id, true);
    else seen.check(row.id, false, row.say?.(value, seen) ?? `${row.of ?? 'answer'}: ${excerpt(value)}`);
  }
}

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
    const saidOfMetrics = (): string => `metrics: ${excerpt(metrics)}`;
    seen.check('2.5/metrics-optional-object', isObject(metrics), saidOfMetrics);
    if (!isObject(metrics)) continue;
    const areCounters = Object.values(metrics).every((one) => typeof one === 'number' || isText(one));
    seen.check('2.5/metrics-values', areCounters, saidOfMetrics);
  }
}
