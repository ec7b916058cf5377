/** The shape of successful answers, operation by operation: sections 1, 2.4 to 2.7 and 4. */
import { isJobStatus } from '../../spec/states.js';
import type { CallEvent, Json } from '../../history/events.js';
import { byteLengthOf, jsonBytesOf } from '../../history/long-text.js';
import type { RequirementId } from '../../spec/index.js';
import { STREAM_CHUNK_MAX, WAIT_DEFAULT_MS, WAIT_MAX_MS, WAIT_MIN_MS } from '../../spec/limits.js';
import { earlyFor } from '../observed/earliness.js';
import { chunksOf } from '../observed/chunks.js';
import { brief, idInPath, recordOf, submissionOf, isObject, type JsonObject } from '../observed/reading.js';
import type { Asked } from '../cast/roll.js';
import type { Scene } from '../scene/scene.js';
import { servedAt, type MainOperation } from '../cast/shown.js';
import { onTheWayMs } from '../scene/on-the-way.js';
import { isJsonType } from '../observed/json-type.js';
import { mayBeTakenAway } from '../scene/may-be-gone.js';
import { isNoNumber } from './not-served.js';

const idsOf = (op: MainOperation) => ({
  body: `1/json-body-${op}` as RequirementId,
  contentType: `1/json-content-type-${op}` as RequirementId,
  id: `2.4/id-in-${op}` as RequirementId,
  status: `2.4/status-in-${op}` as RequirementId,
  statusKnown: `2.4/status-known-${op}` as RequirementId,
  idMatches: `2.4/id-matches-${op}` as RequirementId,
});

const timesIn = (op: 'runsync' | 'status') =>
  (
    [
      ['delayTime', 'delay-time'],
      ['executionTime', 'execution-time'],
    ] as const
  ).map(
    ([field, slug]) =>
      ({
        field,
        integer: `2.4/${slug}-integer-${op}`,
        there: `2.4/${slug}-in-${op}`,
        inFailed: `2.4/${slug}-in-failed`,
        value: (call: CallEvent): string => `${field}: ${brief(recordOf(call)?.[field])}`,
        none: (call: CallEvent): string => `no ${field} in ${brief(recordOf(call) ?? {})}`,
      }) as const,
  );

/** What is asked of every answer, made once: a text put together for each call is hashed for each look-up. */
const ASKED = {
  run: idsOf('run'),
  runsync: idsOf('runsync'),
  status: idsOf('status'),
  stream: idsOf('stream'),
  cancel: idsOf('cancel'),
  retry: idsOf('retry'),
  'purge-queue': idsOf('purge-queue'),
  health: idsOf('health'),
} as const;
const TIMES = { runsync: timesIn('runsync'), status: timesIn('status') } as const;

export function judgeAnswer(scene: Scene, call: CallEvent, asked: Asked | null): void {
  const op = call.op as MainOperation;
  const { body, contentType } = call.reply!;
  const ids = ASKED[op];
  // What the answer holds when `wait` has elapsed is not shown: it may hold nothing.
  if (op === 'runsync' && body.as === 'none' && hasWaited(scene, call)) return;
  scene.check(ids.body, body.as === 'json', call, bodyOf);
  if (body.as !== 'json') return;
  scene.check(ids.contentType, isJsonType(contentType), call, contentTypeOf);
  switch (op) {
    case 'stream':
      chunks(scene, call, body.value);
      break;
    case 'purge-queue':
      purged(scene, call, body.value);
      break;
    case 'health':
      health(scene, call, body.value);
      break;
    default:
      record(scene, call, op, body.value, asked?.id ?? null);
  }
}

/** It was held as long as the shortest `wait` there is, or as its own says. */
function hasWaited(scene: Scene, { request, sentMs, receivedMs }: CallEvent): boolean {
  const wait = Number(request.query['wait'] ?? WAIT_DEFAULT_MS);
  const waitMs = Math.max(WAIT_MIN_MS, Math.min(wait, WAIT_MAX_MS));
  return receivedMs! - sentMs >= waitMs - earlyFor(scene.session.run.earlyMs, waitMs);
}

// What is said of an answer that is not right. The functions stand alone: made for each call, few would ever be asked.

function bodyOf({ reply }: CallEvent): string {
  const { body } = reply!;
  return body.as === 'text' ? `body: ${brief(body.text)}` : `body: ${body.as}`;
}

const contentTypeOf = ({ reply }: CallEvent): string => `content-type: ${reply!.contentType}`;

const idOf = (call: CallEvent): string => `id: ${brief(recordOf(call)?.['id'])}`;

function statusOf(call: CallEvent): string {
  const status = recordOf(call)?.['status'];
  return `status: ${typeof status === 'string' ? status : brief(status)}`;
}

const otherIdOf = (call: CallEvent): string =>
  `asked for ${idInPath(call)}, got ${String(recordOf(call)?.['id'])}`;

const durationOf = ({ receivedMs, sentMs }: CallEvent): string => `it took ${receivedMs! - sentMs} ms`;

function record(
  scene: Scene,
  call: CallEvent,
  op: 'run' | 'runsync' | 'status' | 'cancel' | 'retry',
  value: Json,
  asked: string | null,
): void {
  const job: JsonObject = isObject(value) ? value : {};
  const { id, status } = job;
  const ids = ASKED[op];
  // What /runsync answers when `wait` has elapsed is not shown; only a finished job's record has to be one.
  const finished = status === 'COMPLETED' || status === 'FAILED';
  if (op !== 'runsync' || finished) {
    scene.check(ids.id, typeof id === 'string' && id !== '', call, idOf);
  }
  // One that came before its `wait` was over tells of an ended job.
  if (op !== 'runsync' || finished || (status !== undefined && !hasWaited(scene, call))) {
    scene.check(ids.status, typeof status === 'string', call, statusOf);
    if (typeof status === 'string') scene.check(ids.statusKnown, isJobStatus(status), call, statusOf);
  }
  if (op === 'status' || op === 'cancel' || op === 'retry') {
    if (typeof id === 'string') scene.check(ids.idMatches, id === asked, call, otherIdOf);
  }
  if (op === 'run') {
    if (typeof status === 'string') scene.check('4.2/status-in-queue', status === 'IN_QUEUE', call);
    // Whoever holds back his own body holds back the answer.
    if (call.held === undefined)
      scene.checkWhere(servedAt('run'), '4.2/returns-at-once', isAtOnce(scene, call), call, durationOf);
  }
  // That it was is told by the job's life as well.
  if (op === 'cancel' && call.held === undefined && !isAtOnce(scene, call))
    scene.check('4.5/returns-at-once', false, call, durationOf);
  if (op === 'retry')
    scene.checkWhere(servedAt('retry'), '4.6/returns-at-once', isAtOnce(scene, call), call, durationOf);
  if (op === 'status') {
    const ttl = call.request.query['ttl'];
    if (ttl === undefined) scene.pass('4.3/ttl-optional');
    else if (isNoNumber(ttl)) scene.check('7/status-ttl-not-integer', false, call);
    inEveryState(scene, call, job);
  } else if (typeof id === 'string' && (op === 'run' || op === 'runsync')) ownId(scene, call, id);
  if (op === 'runsync' || op === 'status') measurements(scene, call, op, job);
}

/** A submission has no say in its job's id. */
function ownId(scene: Scene, call: CallEvent, id: string): void {
  const submission = submissionOf(call);
  const input = submission?.['input'];
  if (isObject(input) && input['id'] !== undefined)
    scene.check(
      '2.1/input-content-not-interpreted',
      id !== input['id'],
      call,
      () => `submitted with the id ${brief(input['id'])} within input, got ${id}`,
    );
  const wished = submission?.['id'];
  if (wished !== undefined)
    scene.check(
      '2.4/id-assigned-by-service',
      id !== wished,
      call,
      () => `submitted with id ${brief(wished)}, got ${id}`,
    );
}

function inEveryState(scene: Scene, call: CallEvent, job: JsonObject): void {
  if (job['status'] !== 'IN_QUEUE' && job['status'] !== 'IN_PROGRESS') return;
  // Of which type they are is judged elsewhere.
  const there = (job['delayTime'] ?? null) !== null && (job['executionTime'] ?? null) !== null;
  scene.check('2.4/times-in-every-state', there, call, () => `${String(job['status'])}: ${brief(job)}`);
}

/** A loaded network may hold an answer up; a call that waits for a job does so for longer. */
const RETURNS_WITHIN_MS = 3000;

function isAtOnce(scene: Scene, call: CallEvent): boolean {
  const { sentMs, receivedMs } = call;
  const graceMs = scene.graceAt(sentMs, receivedMs!);
  return receivedMs! - sentMs <= graceMs + Math.max(RETURNS_WITHIN_MS, onTheWayMs(scene, call));
}

function measurements(scene: Scene, call: CallEvent, op: 'runsync' | 'status', job: JsonObject): void {
  for (const ids of TIMES[op]) {
    const { field } = ids;
    const value = job[field];
    const there = value !== undefined && value !== null;
    if (there) scene.check(ids.integer, Number.isInteger(value) && (value as number) >= 0, call, ids.value);
    if (job['status'] === 'COMPLETED') scene.check(ids.there, there, call, ids.none);
    if (job['status'] === 'FAILED' && op === 'status' && !mayBeTakenAway(scene, call))
      scene.check(ids.inFailed, there, call, ids.none);
  }
  if (op === 'runsync' && job['status'] === 'COMPLETED') {
    const whole = ['id', 'status', 'delayTime', 'executionTime'].every((name) => job[name] !== undefined);
    scene.check('4.1/complete-result-in-one-answer', whole, call, () => brief(job));
  }
}

function chunks(scene: Scene, call: CallEvent, value: Json): void {
  if (scene.session.run.edition === 'document') {
    scene.check('4.4/answer-is-array', Array.isArray(value), call, () => brief(value));
    if (Array.isArray(value)) scene.pass('4/operation-stream');
  }
  for (const chunk of chunksOf(value) ?? []) {
    scene.check('2.5/chunk-is-object', isObject(chunk), call, () => brief(chunk));
    if (!isObject(chunk)) continue;
    scene.check('2.5/chunk-has-output', Object.hasOwn(chunk, 'output'), call, () => brief(chunk));
    const { output, metrics } = chunk;
    const bytes =
      output === undefined ? 0 : typeof output === 'string' ? byteLengthOf(output) : jsonBytesOf(output);
    // How anything but a text is split is open; that it is, is not.
    scene.check(
      '4.4/chunk-size',
      bytes <= STREAM_CHUNK_MAX.binaryBytes,
      call,
      () => `a chunk of ${bytes} bytes`,
    );
    // What another worker writes there is its own.
    if (metrics === undefined || metrics === null || !scene.has('scripted-worker')) continue;
    scene.check('2.5/metrics-optional-object', isObject(metrics), call, () => brief(metrics));
    if (isObject(metrics)) {
      const plain = Object.values(metrics).every((one) => typeof one === 'number' || typeof one === 'string');
      scene.check('2.5/metrics-values', plain, call, () => brief(metrics));
    }
  }
}

function purged(scene: Scene, call: CallEvent, value: Json): void {
  const result: JsonObject = isObject(value) ? value : {};
  scene.checkWhere(servedAt('purge-queue'), '4/operation-purge-queue', isObject(value), call, () =>
    brief(value),
  );
  scene.check(
    '2.6/removed-integer',
    isCount(result['removed']),
    call,
    () => `removed: ${brief(result['removed'])}`,
  );
  scene.check(
    '2.6/status-completed',
    result['status'] === 'completed',
    call,
    () => `status: ${brief(result['status'])}`,
  );
}

const HEALTH: readonly (readonly [group: string, field: string, id: RequirementId])[] = [
  ['jobs', 'completed', '2.7/jobs-completed'],
  ['jobs', 'failed', '2.7/jobs-failed'],
  ['jobs', 'inProgress', '2.7/jobs-in-progress'],
  ['jobs', 'inQueue', '2.7/jobs-in-queue'],
  ['jobs', 'retried', '2.7/jobs-retried'],
  ['workers', 'idle', '2.7/workers-idle'],
  ['workers', 'running', '2.7/workers-running'],
];

function health(scene: Scene, call: CallEvent, value: Json): void {
  const counts: JsonObject = isObject(value) ? value : {};
  scene.checkWhere(servedAt('health'), '4/operation-health', isObject(value), call, () => brief(value));
  for (const [group, field, id] of HEALTH) {
    const inner = counts[group];
    const count = isObject(inner) ? inner[field] : undefined;
    scene.check(id, isCount(count), call, () => `${group}.${field}: ${brief(count)}`);
  }
}

function isCount(value: Json | undefined): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}
