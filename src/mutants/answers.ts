/**
 * Faults in the contents of answers: fields that are missing, in another form, or left out because they are
 * empty.
 */
import type { Json } from '../history/events.js';
import { isObject } from '../util/json.js';
import { mapMembers } from './json.js';
import { fault } from './mutant.js';

const isEmpty = (value: Json | undefined): boolean =>
  (Array.isArray(value) && value.length === 0) || (isObject(value) && Object.keys(value).length === 0);

/** Leaves out members that are 0, as some serializers do. */
function withoutZeros(value: Json): Json {
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, each]) => each !== 0);
  return Object.fromEntries(members.map(([name, each]) => [name, withoutZeros(each)]));
}

export const ANSWERS = [
  fault(
    'state-of-runsync-capitalized',
    '/runsync writes states as Completed and Failed',
    ['2.4/status-known-runsync'],
    (base) => ({
      statusShown: (job, view) => {
        const status = base.statusShown(job, view);
        return view === 'runsync' ? status[0] + status.slice(1).toLowerCase() : status;
      },
    }),
  ),
  fault(
    'run-answers-queued',
    '/run answers QUEUED',
    ['2.4/status-known-run', '4.2/status-in-queue'],
    (base) => ({
      statusShown: (job, view) => (view === 'run' ? 'QUEUED' : base.statusShown(job, view)),
    }),
  ),
  fault(
    'retry-answers-requeued',
    '/retry answers REQUEUED',
    ['2.4/status-known-retry', '4.6/status-in-queue'],
    (base) => ({ statusShown: (job, view) => (view === 'retry' ? 'REQUEUED' : base.statusShown(job, view)) }),
  ),
  fault('cancel-without-id', '/cancel answers with the status only', ['2.4/id-in-cancel'], (base) => ({
    shows: (field, view, job) => !(field === 'id' && view === 'cancel') && base.shows(field, view, job),
  })),
  fault('retry-without-id', '/retry answers with the status only', ['2.4/id-in-retry'], (base) => ({
    shows: (field, view, job) => !(field === 'id' && view === 'retry') && base.shows(field, view, job),
  })),
  fault('retry-without-status', '/retry answers with the id only', ['2.4/status-in-retry'], (base) => ({
    shows: (field, view, job) => !(field === 'status' && view === 'retry') && base.shows(field, view, job),
  })),
  fault('run-without-status', '/run answers with the id only', ['2.4/status-in-run'], (base) => ({
    shows: (field, view, job) => !(field === 'status' && view === 'run') && base.shows(field, view, job),
  })),
  fault('status-without-id', '/status leaves the id out', ['2.4/id-in-status'], (base) => ({
    shows: (field, view, job) => !(field === 'id' && view === 'status') && base.shows(field, view, job),
  })),
  fault(
    'runsync-without-id',
    '/runsync leaves the id out when the job is COMPLETED',
    ['2.4/id-in-runsync', '4.1/complete-result-in-one-answer'],
    (base) => ({
      shows: (field, view, job) => !(field === 'id' && view === 'runsync') && base.shows(field, view, job),
    }),
  ),
  fault(
    'id-upper-case-in-cancel',
    '/cancel answers the id in upper case',
    ['2.4/id-matches-cancel'],
    (base) => ({
      idShown: (job, view) => (view === 'cancel' ? job.id.toUpperCase() : base.idShown(job, view)),
    }),
  ),
  fault(
    'times-of-failed-missing',
    'the record of a failed job holds no times',
    ['2.4/delay-time-in-failed', '2.4/execution-time-in-failed'],
    (base) => ({
      delayTimeShown: (job) => (job.status === 'FAILED' ? 'absent' : base.delayTimeShown(job)),
      executionTimeShown: (job) => (job.status === 'FAILED' ? 'absent' : base.executionTimeShown(job)),
    }),
  ),
  fault(
    'output-empty-left-out',
    'an output of {} or [] is left out',
    [
      '2.4/output-in-status',
      '2.4/output-in-runsync',
      '2.4/output-object-unchanged',
      '2.4/output-array-unchanged',
    ],
    (base) => ({
      outputShown: (job, view) => {
        const output = base.outputShown(job, view);
        return isEmpty(output) ? undefined : output;
      },
    }),
  ),
  fault(
    'output-falsy-left-out',
    'an output of 0, false or "" is left out',
    ['2.4/output-scalar-unchanged', '2.4/output-in-status', '2.4/output-in-runsync'],
    (base) => ({ outputShown: (job, view) => base.outputShown(job, view) || undefined }),
  ),
  fault(
    'output-nulls-lost',
    'members of output whose value is null are lost',
    ['2.4/output-object-unchanged', '2.4/output-array-unchanged'],
    (base) => ({
      outputKept: (job, output) =>
        base.outputKept(
          job,
          output === undefined
            ? output
            : mapMembers(output, (member) => (member[1] === null ? null : member)),
        ),
    }),
  ),
  fault(
    'output-above-64k-lost',
    'an output of more than 64 kB is lost',
    ['2.4/output-object-unchanged', '2.4/output-in-status'],
    (base) => ({
      outputShown: (job, view) => {
        const output = base.outputShown(job, view);
        return output !== undefined && JSON.stringify(output).length > 65_536 ? undefined : output;
      },
    }),
  ),
  fault(
    'delay-time-zero-left-out',
    'a delayTime of 0 is left out',
    ['2.4/delay-time-in-status', '2.4/delay-time-in-runsync', '4.1/complete-result-in-one-answer'],
    (base) => ({
      shows: (field, view, job) =>
        base.shows(field, view, job) &&
        (field !== 'delayTime' || job.status !== 'COMPLETED' || job.startedMs !== job.queuedMs),
    }),
  ),
  fault(
    'execution-time-zero-left-out',
    'an executionTime of 0 is left out',
    ['2.4/execution-time-in-status', '2.4/execution-time-in-runsync', '4.1/complete-result-in-one-answer'],
    (base) => ({
      shows: (field, view, job) =>
        base.shows(field, view, job) &&
        (field !== 'executionTime' || job.status !== 'COMPLETED' || job.startedMs !== job.endedMs),
    }),
  ),
  fault(
    'removed-zero-left-out',
    'a purge that removes nothing answers without `removed`',
    ['2.6/removed-integer', '4.7/empty-queue-removes-nothing', '4.7/second-purge-removes-nothing'],
    (base) => ({ purgeBody: (removed) => withoutZeros(base.purgeBody(removed)) }),
  ),
  fault(
    'health-zeros-left-out',
    'the health record leaves out counts that are 0',
    [
      '2.7/jobs-completed',
      '2.7/jobs-failed',
      '2.7/jobs-in-progress',
      '2.7/jobs-in-queue',
      '2.7/jobs-retried',
      '2.7/workers-idle',
      '2.7/workers-running',
    ],
    (base) => ({ healthOf: (counts, everywhere) => withoutZeros(base.healthOf(counts, everywhere)) }),
  ),
  fault(
    'stream-no-body-when-empty',
    '/stream without new chunks answers without a body',
    ['1/json-body-stream', '4.4/answer-is-array'],
    (base) => ({
      streamBody: (job, chunks) => (chunks.length === 0 ? null : base.streamBody(job, chunks)),
    }),
  ),
  fault('metrics-nested', 'the metrics of a chunk hold nested objects', ['2.5/metrics-values'], () => ({
    chunkOf: (output) => ({ output, metrics: { tokens: { in: 1, out: 1 } } }),
  })),
  fault(
    'unauthorized-shows-reason-in-html',
    'a 401 answer is an HTML page',
    ['1/json-error-content-type-401'],
    (base) => ({ contentType: (code) => (code === 401 ? 'text/html' : base.contentType(code)) }),
  ),
  fault('too-many-as-text', 'a 429 answer is plain text', ['1/json-error-content-type-429'], (base) => ({
    contentType: (code) => (code === 429 ? 'text/plain' : base.contentType(code)),
  })),
] as const;
