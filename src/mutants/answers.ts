/**
 * Faults in the contents of answers: fields that are missing, in another form, or left out because they are
 * empty.
 */
import type { RecordField } from '../core/rules/records.js';
import type { Json } from '../history/events.js';
import { isObject } from '../util/json.js';
import { mapMembers } from './json.js';
import { without, type Changes } from './mutant.js';

const isEmpty = (value: Json | undefined): boolean =>
  (Array.isArray(value) && value.length === 0) || (isObject(value) && Object.keys(value).length === 0);

/** Leaves out members that are 0, as some serializers do. */
function withoutZeros(value: Json): Json {
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, each]) => each !== 0);
  return Object.fromEntries(members.map(([name, each]) => [name, withoutZeros(each)]));
}

const isTime = (field: RecordField): boolean => field === 'delayTime' || field === 'executionTime';

export const ANSWERS: Changes = {
  'state-of-runsync-capitalized': (base) => ({
    statusShown: (job, view) => {
      const status = base.statusShown(job, view);
      return view === 'runsync' ? status[0] + status.slice(1).toLowerCase() : status;
    },
  }),
  'run-answers-queued': (base) => ({
    statusShown: (job, view) => (view === 'run' ? 'QUEUED' : base.statusShown(job, view)),
  }),
  'retry-answers-requeued': (base) => ({
    statusShown: (job, view) => (view === 'retry' ? 'REQUEUED' : base.statusShown(job, view)),
  }),
  'cancel-without-id': without((field, view) => field === 'id' && view === 'cancel'),
  'retry-without-id': without((field, view) => field === 'id' && view === 'retry'),
  'retry-without-status': without((field, view) => field === 'status' && view === 'retry'),
  'run-without-status': without((field, view) => field === 'status' && view === 'run'),
  'status-without-id': without((field, view) => field === 'id' && view === 'status'),
  'runsync-without-id': without((field, view) => field === 'id' && view === 'runsync'),
  'id-upper-case-in-cancel': (base) => ({
    idShown: (job, view) => (view === 'cancel' ? job.id.toUpperCase() : base.idShown(job, view)),
  }),
  'times-of-failed-missing': without((field, _, job) => isTime(field) && job.status === 'FAILED'),
  'times-of-timed-out-missing': without((field, _, job) => isTime(field) && job.status === 'TIMED_OUT'),
  'times-of-cancelled-missing': without((field, _, job) => isTime(field) && job.status === 'CANCELLED'),
  'times-of-failed-missing-in-runsync': without(
    (field, view, job) => isTime(field) && view === 'runsync' && job.status === 'FAILED',
  ),
  'output-empty-left-out': (base) => ({
    outputShown: (job, view) => {
      const output = base.outputShown(job, view);
      return isEmpty(output) ? undefined : output;
    },
  }),
  'output-falsy-left-out': (base) => ({
    outputShown: (job, view) => base.outputShown(job, view) || undefined,
  }),
  'output-nulls-lost': (base) => ({
    outputKept: (job, output) =>
      base.outputKept(
        job,
        output === undefined ? output : mapMembers(output, (member) => (member[1] === null ? null : member)),
      ),
  }),
  'output-above-64k-lost': (base) => ({
    outputShown: (job, view) => {
      const output = base.outputShown(job, view);
      return output !== undefined && JSON.stringify(output).length > 65_536 ? undefined : output;
    },
  }),
  'delay-time-zero-left-out': (base) => ({
    shows: (field, view, job) =>
      base.shows(field, view, job) &&
      (field !== 'delayTime' || job.status !== 'COMPLETED' || job.startedMs !== job.queuedMs),
  }),
  'execution-time-zero-left-out': (base) => ({
    shows: (field, view, job) =>
      base.shows(field, view, job) &&
      (field !== 'executionTime' || job.status !== 'COMPLETED' || job.startedMs !== job.endedMs),
  }),
  'removed-zero-left-out': (base) => ({ purgeBody: (removed) => withoutZeros(base.purgeBody(removed)) }),
  'health-zeros-left-out': (base) => ({
    healthOf: (counts, everywhere) => withoutZeros(base.healthOf(counts, everywhere)),
  }),
  'stream-no-body-when-empty': (base) => ({
    streamBody: (job, chunks) => (chunks.length === 0 ? null : base.streamBody(job, chunks)),
  }),
  'metrics-nested': () => ({ chunkOf: (output) => ({ output, metrics: { tokens: { in: 1, out: 1 } } }) }),
  'unauthorized-shows-reason-in-html': (base) => ({
    contentType: (code) => (code === 401 ? 'text/html' : base.contentType(code)),
  }),
  'too-many-as-text': (base) => ({
    contentType: (code) => (code === 429 ? 'text/plain' : base.contentType(code)),
  }),
};
