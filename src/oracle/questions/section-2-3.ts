/** How the target answers what sections 2.3 to 2.5 of the document leave open. */
import type { CallEvent, Json } from '../../history/events.js';
import type { JobStatus } from '../../spec/types.js';
import { S3_CONFIG_FIELDS, SUBMISSIONS } from '../../spec/operations.js';
import { hasEnded, precedes } from '../jobs/status-observations.js';
import {
  answerOf,
  chunksOf,
  hasOtherMembers,
  idIn,
  isObject,
  isText,
  jsonOf,
  recordOf,
  sameJson,
  statusIn,
  submissionOf,
  UUID,
  type JsonObject,
} from '../observed/recorded-call.js';
import {
  observedIn,
  onAnswer,
  onCall,
  onJob,
  onRecord,
  onSession,
  type ObserversOf,
  type ReadingsSeen,
} from './observers.js';
import type { Life } from '../context/life.js';
import { fits, type Predictions } from './kept.js';
import { twoRunsOf, type Run } from './two-runs.js';
import { between, plus, type Interval } from '../observed/intervals.js';

export const OBSERVED_2_3 = {
  '2.3/required-fields': onSession((context) => {
    const partly = context.callIndex.unusual.flatMap((call) => {
      const s3 = call.op === 'run' || call.op === 'runsync' ? s3In(call) : null;
      if (s3 === null || s3.hasMore || !s3.areTexts || s3.fields === S3_CONFIG_FIELDS.length) return [];
      const taken = answerOf(call) === 'ok';
      return taken || call.reply?.status === 400 ? [{ fields: s3.fields, taken }] : [];
    });
    const none = partly.filter(({ fields }) => fields === 0);
    if (none.some(({ taken }) => taken)) return 'none';
    if (none.length === 0) return null;
    if (partly.some(({ taken }) => taken)) return 'some';
    const allButOne = partly.filter(({ fields }) => fields === S3_CONFIG_FIELDS.length - 1);
    return allButOne.length >= S3_CONFIG_FIELDS.length ? 'all' : null;
  }),
  '2.3/unknown-fields': onCall(({ call }) => {
    const s3 = s3In(call);
    if (s3?.fields !== S3_CONFIG_FIELDS.length || !s3.hasMore || !s3.areTexts) return null;
    const output = recordOf(call)?.['output'];
    const reported = isObject(output) ? output['s3Config'] : undefined;
    if (reported === undefined) return null;
    return sameJson(reported, s3.given) ? 'passed-along' : 'dropped';
  }, 'calls'),
  '2.3/field-types': onCall(({ call, answer }) => {
    const s3 = answer === 'ok' ? s3In(call) : null;
    if (s3?.fields !== S3_CONFIG_FIELDS.length || s3.hasMore || s3.areTexts) return null;
    return 'passed-along';
  }, 'calls'),
  // Further fields about the job and its worker may appear only after it has run.
  '2.4/other-fields': onAnswer(['status'], ({ record }) =>
    hasOtherMembers(record, RECORD_FIELDS) ? 'some' : record['status'] === 'COMPLETED' ? 'none' : null,
  ),
  '2.4/id-shape': onAnswer(SUBMISSIONS, ({ call }) => {
    const id = idIn(call);
    if (id === null) return null;
    const isAlone = UUID_ALONE.test(call.op === 'runsync' ? id.replace(/^sync-/, '') : id);
    return isAlone ? 'uuid' : UUID.test(id) ? 'uuid-with-suffix' : 'other';
  }),
  '2.4/runsync-id-prefix': onAnswer(['runsync'], ({ call }) => {
    const id = idIn(call);
    return id === null ? null : id.startsWith('sync-') ? 'sync' : 'none';
  }),
  ...observedIn('model', '2.4/time-unit'),
  '2.4/delay-time-in-queue': onTime('IN_QUEUE', 'delayTime', 'so-far', waitedMs),
  '2.4/delay-time-in-progress': onTime('IN_PROGRESS', 'delayTime', 'final', waitedMs),
  '2.4/execution-time-in-queue': onRecord(
    ['IN_QUEUE'],
    ({ executionTime }) => missing(executionTime) ?? (executionTime === 0 ? 'zero' : null),
  ),
  '2.4/execution-time-in-progress': onTime('IN_PROGRESS', 'executionTime', 'so-far', ranMs),
  '2.4/times-of-never-run': onRecord(['CANCELLED'], ({ delayTime, executionTime }, life, call) => {
    if (!wasCancelledInQueue(life, call)) return null;
    if (typeof delayTime === 'number' && executionTime === 0) return 'zero';
    const none = missing(delayTime);
    return none === missing(executionTime) ? none : null;
  }),
  '2.4/delay-time-after-retry': onJob('retried', (seen) =>
    measured(seen, 'delayTime', (first, second) => ({
      'last-wait': second.waited,
      'all-waits': sum(first.waited, second.waited),
      'since-submission': between(first.queued, second.started),
    })),
  ),
  '2.4/execution-time-after-retry': onJob('retried', (seen) =>
    measured(seen, 'executionTime', (first, second) => ({
      'last-run': second.ran,
      'all-runs': sum(first.ran, second.ran),
    })),
  ),
  '2.4/output-before-end': onRecord(
    ['IN_QUEUE', 'IN_PROGRESS'],
    ({ output }) => missing(output) ?? 'progress',
  ),
  '2.4/output-of-failed': onFailed(({ output }, { plan: { streams, outcome } }) => {
    if (isError(output)) return 'error';
    // Only a handler that had produced output shows whether that is kept.
    return streams && outcome === 'error' ? (missing(output) ?? 'partial') : null;
  }),
  '2.4/failure-reason': onFailed((record) => {
    const { error, output } = record;
    if (isText(error)) return 'error-string';
    if (isObject(error)) return 'error-object';
    if (isError(output)) return 'in-output';
    return hasOtherMembers(record, RECORD_FIELDS) ? 'elsewhere' : 'nowhere';
  }),
  '2.4/output-of-null': onJob('any', (seen) => {
    const step = onlyStep(seen);
    const end = seen.first('COMPLETED', 'FAILED');
    if (step === null || step['return'] !== null || end === undefined) return null;
    if (statusIn(end) !== 'COMPLETED') return null;
    return recordOf(end)?.['output'] === undefined ? 'absent' : 'null';
  }),
  '2.4/output-size-limit': onJob('any', (seen) => {
    const bytes = onlyStep(seen)?.['returnBytes'];
    const end = seen.first('COMPLETED', 'FAILED');
    if (typeof bytes !== 'number' || bytes < SEVERAL_MB || end === undefined) return null;
    if (statusIn(end) === 'FAILED') return 'failed';
    return (recordOf(end)?.['output'] ?? null) === null ? 'dropped' : 'kept';
  }),
  ...observedIn('results', '2.5/metrics'),
  '2.5/chunk-other-fields': onAnswer(['stream'], ({ call }) =>
    (chunksOf(jsonOf(call.reply!.body)) ?? []).map((chunk) =>
      !isObject(chunk) ? null : hasOtherMembers(chunk, CHUNK_FIELDS) ? 'some' : 'none',
    ),
  ),
} as const satisfies ObserversOf<'2.3' | '2.4' | '2.5'>;

const RECORD_FIELDS = new Set(['id', 'status', 'output', 'delayTime', 'executionTime', 'error']);
const CHUNK_FIELDS = new Set(['output', 'metrics']);
const UUID_ALONE = new RegExp(`^${UUID.source}$`, 'i');

/**
 * A purged job may also be reported as FAILED without a failure. In recorded traffic a purge of long before, or of long after,
 * may be in the same part of it or not.
 */
function onFailed<T extends ReadingsSeen<string>>(observe: (record: JsonObject, life: Life) => T) {
  return onRecord(['FAILED'], (record, life, call) => {
    const { callIndex, session } = life.context;
    const isMet = (purge: CallEvent): boolean =>
      session.run.capture === undefined || (!precedes(purge, life.job.submitted) && !precedes(call, purge));
    return callIndex.purges.some(isMet) ? null : observe(record, life);
  });
}

/** An object with a member `error`, or a text. */
const isError = (output: Json | undefined): boolean =>
  isText(output) || (isObject(output) && 'error' in output);

/** How many of the four fields an `s3Config` has, whether those are texts, and whether there are others. */
function s3In(call: CallEvent) {
  const given = submissionOf(call)?.['s3Config'];
  if (!isObject(given)) return null;
  const fields = S3_CONFIG_FIELDS.filter((name) => given[name] !== undefined);
  const hasMore = Object.keys(given).length > fields.length;
  const areTexts = fields.every((name) => typeof given[name] === 'string');
  return { given, fields: fields.length, hasMore, areTexts };
}

const SEVERAL_MB = 2_500_000;

/** The only step of the worker's plan; null if there are several. */
function onlyStep({ job: { submission } }: Life): JsonObject | null {
  const input = submission['input'];
  const plan = isObject(input) && Array.isArray(input['plan']) ? (input['plan'] as readonly Json[]) : [];
  const [only] = plan;
  return plan.length === 1 && isObject(only) ? only : null;
}

const sum = (left: Interval, right: Interval): Interval => plus(left, right.fromMs, right.byMs);

/** Which duration the last record of a job that was retried once reports, in an unknown unit. */
function measured<F extends Predictions>(
  seen: Life,
  field: 'delayTime' | 'executionTime',
  predict: (first: Run, second: Run) => F,
): (keyof F & string) | null {
  // A job whose worker dies may run several times by itself.
  const runs = seen.plan.outcome === 'crash' ? null : twoRunsOf(seen);
  const end = seen.reads.findLast(({ observed }) => hasEnded(observed));
  const value = end === undefined ? undefined : recordOf(end.call)?.[field];
  if (runs === null || typeof value !== 'number' || value < 0) return null;
  const predicted = predict(...runs);
  const inUnit = (ms: number, aboutMs = 1) =>
    fits(seen, { fromMs: value * ms - aboutMs, byMs: value * ms + aboutMs }, predicted);
  const inMs = inUnit(1);
  const inSeconds = inUnit(1000, 1000);
  if (inMs !== null && inSeconds !== null && inMs !== inSeconds) return null;
  // Finer units come last: any time is tiny in them.
  return inMs ?? inSeconds ?? inUnit(0.001) ?? inUnit(0.000001);
}

function missing(value: Json | undefined): 'absent' | 'null' | null {
  return value === undefined ? 'absent' : value === null ? 'null' : null;
}

/** A time counts as shown as zero only if it must be so long that no unit would round it down. */
const CERTAINLY_MS = 2_500;

/** How a time in the record of a job in this state is shown before it is known, or while it still changes. */
function onTime<Reading extends string>(
  state: JobStatus,
  name: 'delayTime' | 'executionTime',
  reading: Reading,
  sinceMs: (life: Life, call: CallEvent) => number,
) {
  return onRecord([state], ({ [name]: value }, life, call) => {
    if (typeof value !== 'number') return missing(value);
    if (value > 0) return reading;
    // It cannot exceed the time since submission.
    const isLong =
      call.sentMs - life.job.submitted.sentMs > CERTAINLY_MS && sinceMs(life, call) > CERTAINLY_MS;
    return isLong ? 'zero' : null;
  });
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
