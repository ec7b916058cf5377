/** What the answer to a call that was performed holds, operation by operation: sections 1, 2.4 to 2.7 and 4. */
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
import { STREAM_CHUNK_MAX, WAIT_DEFAULT_MS, WAIT_MAX_MS, WAIT_MIN_MS } from '../../spec/limits.js';
import { isJobStatus } from '../../spec/states.js';
import type { Asked } from '../cast/roll.js';
import { servedAt } from '../cast/shown.js';
import { earlyFor } from '../observed/tolerance.js';
import {
  brief,
  chunksOf,
  isJsonType,
  isObject,
  type JsonObject,
  recordOf,
  submissionOf,
} from '../observed/reading.js';
import { mayBeTakenAway } from '../scene/left-alone.js';
import type { Scene } from '../scene/scene.js';
import { OPERATION } from './served.js';
import { AT_ONCE, isAtOnce } from './returns-at-once.js';

/** An answer of JSON, or a chunk of it, and the record that it is, if any. */
interface Answer {
  readonly scene: Scene;
  readonly call: CallEvent;
  /** By which id the call asked, where it names one. */
  readonly asked: Asked | null;
  readonly value: Json;
  readonly record: JsonObject;
}

type Of<T> = (value: Json | undefined, answer: Answer) => T;

/** One requirement of an answer, or the same one of the answers of several operations. */
interface Row {
  readonly ids: { readonly [Op in MainOperation]?: RequirementId };
  /** What it asks for: a member, by its path; null: the whole. */
  readonly field: string | null;
  readonly kept: Of<boolean>;
  /** Of which answers it is asked; default: of all. */
  readonly when: Of<boolean>;
  /** Default: the value. */
  readonly said?: Of<string>;
}

function row(
  ids: Row['ids'],
  field: string | null,
  kept: Of<boolean>,
  when: Of<boolean> = always,
  said?: Of<string>,
): Row {
  return { ids, field, kept, when, ...(said === undefined ? {} : { said }) };
}

const JSON_BODY = idsFor('1/json-body-*', MAIN_OPERATIONS);
const JSON_TYPE = idsFor('1/json-content-type-*', MAIN_OPERATIONS);

/** The catalogue itself says of them all that there is to check. */
const COUNTS = REQUIREMENTS.filter((one) => 'countInAnswer' in one);

const ROWS: readonly Row[] = [
  // 2.4, 4.1 to 4.3, 4.5 and 4.6: a job record. In that of /run the status is IN_QUEUE, of which the others' jobs tell more.
  row(idsFor('2.4/id-in-*', RECORD_OPERATIONS), 'id', (id) => isText(id) && id !== '', isDue),
  row(idsFor('2.4/status-in-*', RECORD_OPERATIONS), 'status', isText, tellsOfAJob),
  row(
    idsFor('2.4/status-known-*', RECORD_OPERATIONS),
    'status',
    isJobStatus,
    (status, answer) => isText(status) && tellsOfAJob(status, answer),
  ),
  row(
    idsFor('2.4/id-matches-*', ['status', 'cancel', 'retry']),
    'id',
    (id, { asked }) => id === asked?.id,
    isText,
    (id, { asked }) => `asked for ${asked?.id}, got ${brief(id)}`,
  ),
  row({ run: '4.2/status-in-queue' }, 'status', (status) => status === 'IN_QUEUE', isText),
  // A submission has no say in its job's id.
  row(
    { run: '2.4/id-assigned-by-service', runsync: '2.4/id-assigned-by-service' },
    'id',
    (id, { call }) => id !== submissionOf(call)?.['id'],
    (id, { call }) => isText(id) && submissionOf(call)?.['id'] !== undefined,
  ),
  row(
    { run: '2.1/input-content-not-interpreted', runsync: '2.1/input-content-not-interpreted' },
    'id',
    (id, { call }) => id !== idInInput(call),
    (id, { call }) => isText(id) && idInInput(call) !== undefined,
  ),
  row(idsFor('2.4/delay-time-integer-*', ['runsync', 'status']), 'delayTime', isCount, isThere),
  row(idsFor('2.4/execution-time-integer-*', ['runsync', 'status']), 'executionTime', isCount, isThere),
  row(idsFor('2.4/delay-time-in-*', ['runsync', 'status']), 'delayTime', isThere, isCompleted),
  row(idsFor('2.4/execution-time-in-*', ['runsync', 'status']), 'executionTime', isThere, isCompleted),
  row({ status: '2.4/delay-time-in-failed' }, 'delayTime', isThere, hasFailed),
  row({ status: '2.4/execution-time-in-failed' }, 'executionTime', isThere, hasFailed),
  // Of which type they are is judged above.
  row(
    { status: '2.4/times-in-every-state' },
    null,
    (_, { record }) => isThere(record['delayTime']) && isThere(record['executionTime']),
    (_, { record: { status } }) => status === 'IN_QUEUE' || status === 'IN_PROGRESS',
  ),
  row(
    { runsync: '4.1/complete-result-in-one-answer' },
    null,
    (_, { record }) => IN_RESULTS.every((name) => record[name] !== undefined),
    isCompleted,
  ),
  row(AT_ONCE, null, (_, { scene, call }) => isAtOnce(scene, call), mayTellAtOnce, tookMs),
  // 4.4
  row({ stream: '4.4/answer-is-array' }, null, Array.isArray, isOfDocument),
  row(
    { stream: OPERATION.stream },
    null,
    Array.isArray,
    (list, answer) => Array.isArray(list) && isOfDocument(list, answer),
  ),
  // 2.6
  row({ 'purge-queue': OPERATION['purge-queue'] }, null, isObject),
  row({ 'purge-queue': '2.6/status-completed' }, 'status', (status) => status === PURGE_STATUS),
  // 2.6 and 2.7
  row({ health: OPERATION.health }, null, isObject),
  ...COUNTS.map(({ id, countInAnswer: { op, field } }) => row({ [op]: id }, field, isCount)),
];

/** 2.5 and 4.4: each chunk of a /stream answer. */
const CHUNK_ROWS: readonly Row[] = [
  row({ stream: '2.5/chunk-is-object' }, null, isObject),
  row({ stream: '2.5/chunk-has-output' }, null, (_, { record }) => Object.hasOwn(record, 'output'), isObject),
  // How anything but a text is split is open; that it is, is not.
  row(
    { stream: '4.4/chunk-size' },
    'output',
    (output) => bytesOf(output) <= STREAM_CHUNK_MAX.binaryBytes,
    (_, { value }) => isObject(value),
    (output) => `a chunk of ${bytesOf(output)} bytes`,
  ),
  // What another worker writes there is its own.
  row(
    { stream: '2.5/metrics-optional-object' },
    'metrics',
    isObject,
    (metrics, { scene }) => isThere(metrics) && scene.has('scripted-worker'),
  ),
  row(
    { stream: '2.5/metrics-values' },
    'metrics',
    (metrics) => Object.values(metrics!).every((one) => typeof one === 'number' || typeof one === 'string'),
    (metrics, { scene }) => isObject(metrics) && scene.has('scripted-worker'),
  ),
];

/** Made once: each answer is asked for the rows of its operation alone. */
const ROWS_OF = new Map(MAIN_OPERATIONS.map((op) => [op, ROWS.filter(({ ids }) => ids[op] !== undefined)]));

/** Any service may answer so: it counts only where the operation is served. */
const SERVED: ReadonlySet<RequirementId> = new Set([
  OPERATION['purge-queue'],
  OPERATION.health,
  ...Object.values(AT_ONCE),
]);

export function judgeAnswer(scene: Scene, call: CallEvent, asked: Asked | null): void {
  const op = call.op as MainOperation;
  const { body, contentType } = call.reply!;
  // What the answer holds when `wait` has elapsed is not shown: it may hold nothing.
  if (op === 'runsync' && body.as === 'none' && hasWaited(scene, call)) return;
  scene.check(JSON_BODY[op], body.as === 'json', call, bodyOf);
  if (body.as !== 'json') return;
  scene.check(JSON_TYPE[op], isJsonType(contentType), call, typeOf);
  const answer = { scene, call, asked, value: body.value, record: recordOf(call) ?? {} };
  askEach(ROWS_OF.get(op)!, answer);
  for (const chunk of op === 'stream' ? (chunksOf(body.value) ?? []) : [])
    askEach(CHUNK_ROWS, { ...answer, value: chunk, record: isObject(chunk) ? chunk : {} });
}

function askEach(rows: readonly Row[], answer: Answer): void {
  const { scene, call } = answer;
  const op = call.op as MainOperation;
  for (const { ids, field, kept, when, said } of rows) {
    const value = field === null ? answer.value : valueAt(answer.record, field);
    if (!when(value, answer)) continue;
    const id = ids[op]!;
    if (!kept(value, answer))
      scene.check(id, false, call, said?.(value, answer) ?? `${field ?? 'answer'}: ${brief(value)}`);
    else if (SERVED.has(id)) scene.passWhere(servedAt(op), id);
    else scene.ledger.pass(id);
  }
}

function valueAt(record: JsonObject, path: string): Json | undefined {
  const at = path.indexOf('.');
  if (at < 0) return record[path];
  const inner = record[path.slice(0, at)];
  return isObject(inner) ? inner[path.slice(at + 1)] : undefined;
}

const bodyOf = ({ reply }: CallEvent): string => {
  const { body } = reply!;
  return body.as === 'text' ? `body: ${brief(body.text)}` : `body: ${body.as}`;
};
const typeOf = ({ reply }: CallEvent): string => `content-type: ${reply!.contentType}`;

const IN_RESULTS = ['id', 'status', 'delayTime', 'executionTime'];

const isFinished = ({ record: { status } }: Answer): boolean => status === 'COMPLETED' || status === 'FAILED';

/** What /runsync answers when `wait` has elapsed is not shown; only a finished job's record has to be one. */
function isDue(_: unknown, answer: Answer): boolean {
  return answer.call.op !== 'runsync' || isFinished(answer);
}

/** One that came before its `wait` was over tells of an ended job. */
function tellsOfAJob(status: Json | undefined, answer: Answer): boolean {
  return isDue(status, answer) || (status !== undefined && !hasWaited(answer.scene, answer.call));
}

function isCompleted(_: unknown, { record }: Answer): boolean {
  return record['status'] === 'COMPLETED';
}

/** A job that was purged or cancelled may be called FAILED, too, and have never run. */
function hasFailed(_: unknown, { scene, call, asked, record }: Answer): boolean {
  const job = asked?.job ?? null;
  return record['status'] === 'FAILED' && job !== null && !mayBeTakenAway(scene, call);
}

function isOfDocument(_: unknown, { scene }: Answer): boolean {
  return scene.session.run.edition === 'document';
}

/** Whoever holds back his own body holds back the answer. That a cancel came at once is told by the job's life. */
function mayTellAtOnce(_: unknown, { scene, call }: Answer): boolean {
  return call.held === undefined && (call.op !== 'cancel' || !isAtOnce(scene, call));
}

function tookMs(_: unknown, { call }: Answer): string {
  return `it took ${call.receivedMs! - call.sentMs} ms`;
}

/** It was held as long as the shortest `wait` there is, or as its own says. */
function hasWaited(scene: Scene, { request, sentMs, receivedMs }: CallEvent): boolean {
  const wait = Number(request.query['wait'] ?? WAIT_DEFAULT_MS);
  const waitMs = Math.max(WAIT_MIN_MS, Math.min(wait, WAIT_MAX_MS));
  return receivedMs! - sentMs >= waitMs - earlyFor(scene.session.run.earlyMs, waitMs);
}

function idInInput(call: CallEvent): Json | undefined {
  const input = submissionOf(call)?.['input'];
  return isObject(input) ? input['id'] : undefined;
}

function bytesOf(output: Json | undefined): number {
  if (output === undefined) return 0;
  return typeof output === 'string' ? byteLengthOf(output) : jsonBytesOf(output);
}

function always(): boolean {
  return true;
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string';
}

function isThere(value: Json | undefined): boolean {
  return value !== undefined && value !== null;
}

function isCount(value: Json | undefined): boolean {
  return Number.isInteger(value) && (value as number) >= 0;
}
