/** Makes job records (section 2.4), as the rules say. */
import type { Json } from '../../history/events.js';
import type { Rules } from '../rules.js';
import type { RecordField, RecordKind } from '../rules/records.js';
import type { TimeShown } from '../rules/time.js';
import type { JobView } from '../entities.js';

type JobRecord = { -readonly [F in RecordField]?: Json };

/** A record has the fields that the rules show and that have a value, in this order. */
export function recordOf(rules: Rules, job: JobView, view: RecordKind, nowMs: number): Json {
  const record: JobRecord = {};
  const delayTime = rules.shows('delayTime', view, job)
    ? time(rules, rules.delayTimeShown(job), rules.delayTimeMs(job, nowMs))
    : undefined;
  if (delayTime !== undefined) record.delayTime = delayTime;
  const executionTime = rules.shows('executionTime', view, job)
    ? time(rules, rules.executionTimeShown(job), rules.executionTimeMs(job, nowMs))
    : undefined;
  if (executionTime !== undefined) record.executionTime = executionTime;
  if (rules.shows('id', view, job)) record.id = rules.idShown(job, view);
  const output = rules.shows('output', view, job) ? rules.outputShown(job, view) : undefined;
  if (output !== undefined) record.output = output;
  const error = rules.shows('error', view, job) ? rules.errorShown(job) : undefined;
  if (error !== undefined) record.error = error;
  const failureReason = rules.shows('failureReason', view, job) ? rules.reasonShown(job) : undefined;
  if (failureReason !== undefined) record.failureReason = failureReason;
  if (rules.shows('status', view, job)) record.status = rules.statusShown(job, view);
  const workerId = rules.shows('workerId', view, job) ? rules.workerIdShown(job) : undefined;
  if (workerId !== undefined) record.workerId = workerId;
  const retries = rules.shows('retries', view, job) ? rules.retriesShown(job) : undefined;
  if (retries !== undefined) record.retries = retries;
  if (rules.shows('input', view, job)) record.input = job.submission.input;
  const { webhook } = job.submission;
  if (webhook !== null && rules.shows('webhook', view, job)) record.webhook = webhook;
  return record;
}

function time(rules: Rules, shown: TimeShown, ms: number): Json | undefined {
  if (shown === 'absent') return undefined;
  if (shown === 'null') return null;
  return rules.inUnitShown(shown === 'zero' ? 0 : ms);
}
