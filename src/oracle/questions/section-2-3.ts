/** How the target answers what sections 2.3 to 2.5 of the document leave open. */
import type { CallEvent, Json } from '../../history/events.js';
import {
  answerOf,
  isObject,
  recordOf,
  sameJson,
  submissionOf,
  type JsonObject,
} from '../observed/reading.js';
import { observedIn, onCall, onJob, onSession, type ObserversOf } from './observers.js';
import type { SeenJob } from './seen-job.js';
import { between, theOne, type Candidates, type Span } from './spans.js';
import { twoRuns } from './two-runs.js';

export const OBSERVED_2_3 = {
  '2.3/required-fields': onSession((scene) => {
    const partly = scene.cast.roll.odd.flatMap((call) => {
      const s3Config = s3Of(call);
      const taken = answerOf(call) === 'ok';
      if (s3Config === null || (call.op !== 'run' && call.op !== 'runsync')) return [];
      const names = Object.keys(s3Config);
      const isOrdinary = names.every((name) => FIELDS.includes(name) && typeof s3Config[name] === 'string');
      const tells = isOrdinary && (taken || call.reply?.status === 400);
      return tells && names.length < FIELDS.length ? [{ fields: names.length, taken }] : [];
    });
    const none = partly.filter(({ fields }) => fields === 0);
    if (none.some(({ taken }) => taken)) return 'none';
    if (none.length === 0) return null;
    if (partly.some(({ taken }) => taken)) return 'some';
    const allButOne = partly.filter(({ fields }) => fields === FIELDS.length - 1);
    return allButOne.length >= FIELDS.length ? 'all' : null;
  }),
  '2.3/unknown-fields': onCall(({ call }) => {
    const s3Config = whole(call);
    if (s3Config === null || !hasMore(s3Config) || !areStrings(s3Config)) return null;
    const output = recordOf(call)?.['output'];
    const told = isObject(output) ? output['s3Config'] : undefined;
    if (told === undefined) return null;
    return sameJson(told, s3Config) ? 'passed-along' : 'dropped';
  }, 'calls'),
  '2.3/field-types': onCall(({ call, answer }) => {
    const s3Config = whole(call);
    if (s3Config === null || hasMore(s3Config) || areStrings(s3Config)) return null;
    return answer === 'ok' ? 'passed-along' : null;
  }, 'calls'),
  '2.4/other-fields': observedIn('calls'),
  '2.4/id-shape': observedIn('calls'),
  '2.4/runsync-id-prefix': observedIn('calls'),
  '2.4/time-unit': observedIn('model'),
  '2.4/delay-time-in-queue': observedIn('calls'),
  '2.4/delay-time-in-progress': observedIn('calls'),
  '2.4/execution-time-in-queue': observedIn('calls'),
  '2.4/execution-time-in-progress': observedIn('calls'),
  '2.4/times-of-never-run': observedIn('calls'),
  '2.4/delay-time-after-retry': onJob((job) => {
    const runs = twoRuns(job);
    if (runs === null) return null;
    const [first, second] = runs;
    const [before, after] = [between(first.queued, first.started), between(second.queued, second.started)];
    return measured(job, 'delayTime', {
      'last-wait': after,
      'all-waits': sum(before, after),
      'since-submission': between(first.queued, second.started),
    });
  }),
  '2.4/execution-time-after-retry': onJob((job) => {
    const runs = twoRuns(job);
    if (runs === null) return null;
    const [before, after] = runs.map(({ started, ended }) => between(started, ended)) as [Span, Span];
    return measured(job, 'executionTime', { 'last-run': after, 'all-runs': sum(before, after) });
  }),
  '2.4/output-before-end': observedIn('calls'),
  '2.4/output-of-failed': observedIn('calls'),
  '2.4/output-of-null': onJob((job) => {
    const step = onlyStep(job);
    const end = job.first('COMPLETED', 'FAILED');
    if (step === null || step['return'] !== null || end?.shows !== 'COMPLETED') return null;
    return recordOf(end.call)?.['output'] === undefined ? 'absent' : 'null';
  }),
  '2.4/failure-reason': observedIn('calls'),
  '2.4/output-size-limit': onJob((job) => {
    const bytes = onlyStep(job)?.['returnBytes'];
    const end = job.first('COMPLETED', 'FAILED');
    if (typeof bytes !== 'number' || bytes < SEVERAL_MB || end === undefined) return null;
    if (end.shows === 'FAILED') return 'failed';
    return (recordOf(end.call)?.['output'] ?? null) === null ? 'dropped' : 'kept';
  }),
  '2.5/metrics': observedIn('results'),
  '2.5/chunk-other-fields': observedIn('calls'),
} as const satisfies ObserversOf<'2.3' | '2.4' | '2.5'>;

const FIELDS: readonly string[] = ['accessId', 'accessSecret', 'bucketName', 'endpointUrl'];

function s3Of(call: CallEvent): JsonObject | null {
  const s3Config = submissionOf(call)?.['s3Config'];
  return isObject(s3Config) ? s3Config : null;
}

/** With all four fields. */
function whole(call: CallEvent): JsonObject | null {
  const s3Config = s3Of(call);
  return s3Config !== null && FIELDS.every((name) => s3Config[name] !== undefined) ? s3Config : null;
}

const hasMore = (s3Config: JsonObject): boolean => Object.keys(s3Config).length > FIELDS.length;

const areStrings = (s3Config: JsonObject): boolean =>
  FIELDS.every((name) => typeof s3Config[name] === 'string');

const SEVERAL_MB = 2_500_000;

/** All that the worker does, where its plan has one step. */
function onlyStep({ job: { submission } }: SeenJob): JsonObject | null {
  const input = submission['input'];
  const plan = isObject(input) && Array.isArray(input['plan']) ? (input['plan'] as readonly Json[]) : [];
  const [only] = plan;
  return plan.length === 1 && isObject(only) ? only : null;
}

function sum(left: Span, right: Span): Span {
  return { fromMs: left.fromMs + right.fromMs, byMs: left.byMs + right.byMs };
}

/** The length of time that the job's last record tells in an unknown unit. */
function measured<C extends Candidates>(
  job: SeenJob,
  field: 'delayTime' | 'executionTime',
  candidates: C,
): (keyof C & string) | null {
  const end = job.last('COMPLETED', 'FAILED', 'TIMED_OUT')!;
  const value = recordOf(end.call)?.[field];
  if (typeof value !== 'number' || value < 0) return null;
  const inUnit = (ms: number, aboutMs = 1): (keyof C & string) | null =>
    theOne(job.scene, { fromMs: value * ms - aboutMs, byMs: value * ms + aboutMs }, candidates);
  const inMs = inUnit(1);
  const inSeconds = inUnit(1000, 1000);
  if (inMs !== null && inSeconds !== null && inMs !== inSeconds) return null;
  // Finer units are asked last: in them any time is next to nothing.
  return inMs ?? inSeconds ?? inUnit(0.001) ?? inUnit(0.000001);
}
