/** Makes job records (section 2.4), as the rules say. */
import type { Json } from '../history/events.js';
import type { Rules } from './rules.js';
import { RECORD_FIELDS } from './rules/records.js';
import type { RecordField, RecordKind } from './rules/records.js';
import type { TimeShown } from './rules/time.js';
import type { JobView } from './entities.js';

export function recordOf(rules: Rules, job: JobView, view: RecordKind, nowMs: number): Json {
  const record: { [field: string]: Json } = {};
  for (const field of RECORD_FIELDS) {
    if (!rules.shows(field, view, job)) continue;
    const value = valueOf(rules, field, job, view, nowMs);
    if (value !== undefined) record[field] = value;
  }
  return record;
}

/** The value of a field; undefined leaves it out. */
function valueOf(
  rules: Rules,
  field: RecordField,
  job: JobView,
  view: RecordKind,
  nowMs: number,
): Json | undefined {
  switch (field) {
    case 'id':
      return rules.idShown(job, view);
    case 'status':
      return rules.statusShown(job, view);
    case 'delayTime':
      return time(rules, rules.delayTimeShown(job), rules.delayTimeMs(job, nowMs));
    case 'executionTime':
      return time(rules, rules.executionTimeShown(job), rules.executionTimeMs(job, nowMs));
    case 'output':
      return rules.outputShown(job, view);
    case 'error':
      return rules.errorShown(job);
    case 'failureReason':
      return rules.reasonShown(job);
    case 'workerId':
      return rules.workerIdShown(job);
    case 'retries':
      return rules.retriesShown(job);
    case 'input':
      return job.submission.input;
    case 'webhook':
      return job.submission.webhook ?? undefined;
  }
}

function time(rules: Rules, shown: TimeShown, ms: number): Json | undefined {
  if (shown === 'absent') return undefined;
  if (shown === 'null') return null;
  return rules.inUnitShown(shown === 'zero' ? 0 : ms);
}
