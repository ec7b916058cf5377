/** Violations of sections 2.4 to 2.7 and 4.8: contents of answers, and counts of /health. */
import type { Json } from '../history/events.js';
import { fault } from './mutant.js';

/** The health record with members of `jobs` or `workers` replaced; undefined leaves a member out. */
function patched(
  health: Json,
  group: 'jobs' | 'workers',
  change: (counts: { [name: string]: number }) => { [name: string]: number | undefined },
): Json {
  const record = health as { readonly [group: string]: { readonly [name: string]: number } };
  const counts = { ...record[group] };
  const entries = Object.entries({ ...counts, ...change(counts) }).filter(([, value]) => value !== undefined);
  return { ...record, [group]: Object.fromEntries(entries) as { [name: string]: number } };
}

export const SECTION_2_4 = [
  fault(
    'id-new-on-retry',
    'a retried job gets a new id',
    ['2.4/id-kept-across-retry', '2.4/id-matches-retry'],
    () => ({
      idOnRetry: (_job, fresh) => fresh(),
    }),
  ),
  fault('status-lower-case', '/status writes states in lower case', ['2.4/status-known-status'], (base) => ({
    statusShown: (job, view) => (view === 'status' ? job.status.toLowerCase() : base.statusShown(job, view)),
  })),
  fault(
    'status-misspelt-on-cancel',
    '/cancel answers CANCELED',
    ['2.4/status-known-cancel', '4.5/status-cancelled-queued', '4.5/status-cancelled-running'],
    (base) => ({
      statusShown: (job, view) => (view === 'cancel' ? 'CANCELED' : base.statusShown(job, view)),
    }),
  ),
  fault(
    'output-wrapped',
    'output is wrapped in an object',
    ['2.4/output-object-unchanged', '2.4/output-array-unchanged', '2.4/output-scalar-unchanged'],
    () => ({
      outputKept: (_job, output) => (output === undefined ? undefined : { result: output }),
    }),
  ),
  fault(
    'output-as-text',
    'an output that is a list is returned as JSON text',
    ['2.4/output-array-unchanged'],
    () => ({
      outputKept: (_job, output) => (Array.isArray(output) ? JSON.stringify(output) : output),
    }),
  ),
  fault('output-ascii-only', 'non-ASCII text in output is garbled', ['2.4/output-unicode-unchanged'], () => ({
    outputKept: (_job, output) =>
      output === undefined
        ? undefined
        : (JSON.parse(JSON.stringify(output).replace(/[^\0-\x7f]/g, '?')) as Json),
  })),
  fault(
    'output-not-in-status',
    '/status leaves output out',
    ['2.4/output-in-status', '4.1/answer-agrees-with-status'],
    (base) => ({
      shows: (field, view, job) => !(field === 'output' && view === 'status') && base.shows(field, view, job),
    }),
  ),
  fault(
    'output-not-in-runsync',
    '/runsync leaves output out',
    ['2.4/output-in-runsync', '4.1/complete-result-in-one-answer'],
    (base) => ({
      shows: (field, view, job) =>
        !(field === 'output' && view === 'runsync') && base.shows(field, view, job),
    }),
  ),
  fault(
    'output-of-another-job',
    'a job shows the output of the job that ended before it',
    ['2.4/output-of-this-job', '2.4/output-object-unchanged'],
    () => {
      let before: Json | undefined;
      return {
        outputKept: (_job, output) => {
          const shown = before ?? output;
          before = output;
          return shown;
        },
      };
    },
  ),
  fault(
    'output-while-queued',
    'a waiting job shows an empty output',
    ['2.4/no-output-while-queued'],
    (base) => ({
      outputShown: (job, view) => (job.status === 'IN_QUEUE' ? {} : base.outputShown(job, view)),
    }),
  ),
  fault(
    'delay-time-missing',
    'a record holds no delayTime',
    ['2.4/delay-time-in-status', '2.4/delay-time-in-runsync'],
    () => ({
      delayTimeShown: () => 'absent',
    }),
  ),
  fault(
    'execution-time-missing',
    'a record holds no executionTime',
    ['2.4/execution-time-in-status', '2.4/execution-time-in-runsync'],
    () => ({
      executionTimeShown: () => 'absent',
    }),
  ),
  fault(
    'delay-time-includes-run',
    'delayTime includes the time the job ran',
    ['2.4/delay-time-excludes-execution', '2.4/delay-time-measures-waiting'],
    () => ({
      delayTimeMs: (job, nowMs) => (job.endedMs ?? nowMs) - job.queuedMs,
    }),
  ),
  fault(
    'execution-time-includes-wait',
    'executionTime includes the time the job waited',
    ['2.4/execution-time-excludes-waiting', '2.4/execution-time-measures-run'],
    () => ({
      executionTimeMs: (job, nowMs) =>
        job.startedMs === null ? 0 : (job.endedMs ?? nowMs) - job.submittedMs,
    }),
  ),
  fault(
    'execution-time-goes-on',
    'executionTime keeps growing after the end of the job',
    ['2.4/times-settled', '2.4/execution-time-measures-run'],
    () => ({
      executionTimeMs: (job, nowMs) => (job.startedMs === null ? 0 : nowMs - job.startedMs),
    }),
  ),
  fault(
    'times-with-fraction',
    'times have a fraction',
    [
      '2.4/delay-time-integer-status',
      '2.4/execution-time-integer-status',
      '2.4/delay-time-integer-runsync',
      '2.4/execution-time-integer-runsync',
    ],
    (base) => ({
      inUnitShown: (ms) => base.inUnitShown(ms) + 0.5,
    }),
  ),
  fault(
    'delay-time-in-seconds',
    'delayTime is in seconds, executionTime in milliseconds',
    ['2.4/times-same-unit'],
    (base) => ({
      delayTimeMs: (job, nowMs) => Math.floor(base.delayTimeMs(job, nowMs) / 1000),
    }),
  ),
  fault(
    'chunk-bare',
    'the elements of a stream are the bare results',
    ['2.5/chunk-is-object', '2.5/chunk-has-output'],
    () => ({
      chunkOf: (output) => output,
    }),
  ),
  fault(
    'chunk-misnamed',
    'chunks have the member `data` instead of `output`',
    ['2.5/chunk-has-output'],
    () => ({
      chunkOf: (output) => ({ data: output }),
    }),
  ),
  fault(
    'chunk-as-text',
    'the output of a chunk is the result as JSON text',
    ['2.5/chunk-output-unchanged'],
    () => ({
      chunkOf: (output) => ({ output: typeof output === 'string' ? output : JSON.stringify(output) }),
    }),
  ),
  fault('metrics-as-list', 'chunks hold metrics as a list', ['2.5/metrics-optional-object'], () => ({
    chunkOf: (output) => ({ output, metrics: [] }),
  })),
  fault('purge-status-upper-case', 'a purge result has status COMPLETED', ['2.6/status-completed'], () => ({
    purgeBody: (removed) => ({ removed, status: 'COMPLETED' }),
  })),
  fault(
    'purge-counts-running',
    '`removed` also counts running jobs',
    ['2.6/removed-counts-queued', '4.7/second-purge-removes-nothing', '4.7/empty-queue-removes-nothing'],
    () => ({
      purgeCount: (removed, running) => removed + running,
    }),
  ),
  fault('purge-counts-nothing', '`removed` is always 0', ['2.6/removed-counts-queued'], () => ({
    purgeCount: () => 0,
  })),
  fault('purge-count-as-text', '`removed` is a string', ['2.6/removed-integer'], (base) => ({
    purgeBody: (removed) => ({
      ...(base.purgeBody(removed) as { readonly [name: string]: Json }),
      removed: String(removed),
    }),
  })),
  fault('health-without-idle', 'the health record lacks workers.idle', ['2.7/workers-idle'], (base) => ({
    healthOf: (counts, everywhere) =>
      patched(base.healthOf(counts, everywhere), 'workers', () => ({ idle: undefined })),
  })),
  fault('health-without-retried', 'the health record lacks jobs.retried', ['2.7/jobs-retried'], (base) => ({
    healthOf: (counts, everywhere) =>
      patched(base.healthOf(counts, everywhere), 'jobs', () => ({ retried: undefined })),
  })),
  fault(
    'health-queue-with-running',
    'jobs.inQueue also counts running jobs',
    ['4.8/counts-in-queue'],
    (base) => ({
      healthOf: (counts, everywhere) =>
        patched(base.healthOf(counts, everywhere), 'jobs', (jobs) => ({
          inQueue: jobs['inQueue']! + counts.held.IN_PROGRESS,
        })),
    }),
  ),
  fault(
    'health-queue-only-grows',
    'jobs.inQueue counts every job that was ever waiting',
    ['4.8/counts-in-queue'],
    (base) => ({
      healthOf: (counts, everywhere) =>
        patched(base.healthOf(counts, everywhere), 'jobs', () => ({ inQueue: counts.entered.IN_QUEUE })),
    }),
  ),
  fault(
    'health-progress-only-grows',
    'jobs.inProgress counts every job that was ever running',
    ['4.8/counts-in-progress'],
    (base) => ({
      healthOf: (counts, everywhere) =>
        patched(base.healthOf(counts, everywhere), 'jobs', () => ({
          inProgress: counts.entered.IN_PROGRESS,
        })),
    }),
  ),
  fault(
    'health-completed-with-failed',
    'jobs.completed also counts failed jobs',
    ['4.8/completed-counts-nothing-else'],
    (base) => ({
      healthOf: (counts, everywhere) =>
        patched(base.healthOf(counts, everywhere), 'jobs', (jobs) => ({
          completed: jobs['completed']! + counts.entered.FAILED,
        })),
    }),
  ),
  fault(
    'health-completed-with-cancelled',
    'jobs.completed also counts cancelled jobs',
    ['4.8/completed-counts-nothing-else'],
    (base) => ({
      healthOf: (counts, everywhere) =>
        patched(base.healthOf(counts, everywhere), 'jobs', (jobs) => ({
          completed: jobs['completed']! + counts.entered.CANCELLED,
        })),
    }),
  ),
  fault('health-completed-stuck', 'jobs.completed stays 0', ['4.8/counts-completed'], (base) => ({
    healthOf: (counts, everywhere) =>
      patched(base.healthOf(counts, everywhere), 'jobs', () => ({ completed: 0 })),
  })),
  fault('health-failed-stuck', 'jobs.failed stays 0', ['4.8/counts-failed'], (base) => ({
    healthOf: (counts, everywhere) =>
      patched(base.healthOf(counts, everywhere), 'jobs', () => ({ failed: 0 })),
  })),
  fault(
    'health-failed-with-completed',
    'jobs.failed also counts completed jobs',
    ['4.8/failed-not-completed'],
    (base) => ({
      healthOf: (counts, everywhere) =>
        patched(base.healthOf(counts, everywhere), 'jobs', (jobs) => ({
          failed: jobs['failed']! + counts.entered.COMPLETED,
        })),
    }),
  ),
  fault(
    'health-retried-counts-failures',
    'jobs.retried counts failures',
    ['4.8/retried-counts-nothing-else'],
    (base) => ({
      healthOf: (counts, everywhere) =>
        patched(base.healthOf(counts, everywhere), 'jobs', () => ({ retried: counts.entered.FAILED })),
    }),
  ),
] as const;
