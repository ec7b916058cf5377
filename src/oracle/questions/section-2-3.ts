/** How the target answers what sections 2.3 to 2.5 of the document leave open. */
import type { CallEvent, Json } from '../../history/events.js';
import { S3_CONFIG_FIELDS } from '../../spec/operations.js';
import { hasEnded } from '../jobs/status-observations.js';
import {
  answerOf,
  isObject,
  recordOf,
  sameJson,
  statusIn,
  submissionOf,
  type JsonObject,
} from '../observed/recorded-call.js';
import { observedIn, onCall, onJob, onSession, type ObserversOf } from './observers.js';
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
  ...observedIn('calls', '2.4/other-fields', '2.4/id-shape', '2.4/runsync-id-prefix'),
  ...observedIn('model', '2.4/time-unit'),
  ...observedIn('calls', '2.4/delay-time-in-queue', '2.4/delay-time-in-progress'),
  ...observedIn('calls', '2.4/execution-time-in-queue', '2.4/execution-time-in-progress'),
  ...observedIn('calls', '2.4/times-of-never-run'),
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
  ...observedIn('calls', '2.4/output-before-end', '2.4/output-of-failed', '2.4/failure-reason'),
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
  ...observedIn('calls', '2.5/chunk-other-fields'),
} as const satisfies ObserversOf<'2.3' | '2.4' | '2.5'>;

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
