/** Faults of section 2.4: ids, states and times of the record. */
import { createHash } from 'node:crypto';
import { hasEnded, type Job } from '../job.js';
import type { Json } from '../json.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../submission.js';
import { perJob } from './memory.js';
import { hasOverrun, withBody, withoutMember, numberIn } from './steps.js';
import { breaking } from './fault.js';

export const RECORDS_FAULTS = [
  breaking('2.4', 'Job identifier, assigned by the service. Stays the same across a retry.', {
    'id-is-number': {
      does: 'id is a JSON number',
      runBody: (body, job) => ({ ...body, id: numberIn(job.id) }),
      record: (record, job) => ({ ...record, id: numberIn(job.id) }),
    },
    'id-reused': {
      does: 'the id of a deleted job is given to a later one',
      with: () => {
        const freed: string[] = [];
        return { jobId: (id) => freed.pop() ?? id, forgotten: (job) => void freed.push(job.id) };
      },
    },
    'id-by-input': {
      does: 'the id is a digest of the input: the same input gives the same job',
      jobId: (_id, { input }) => createHash('sha256').update(JSON.stringify(input)).digest('hex'),
      twin: ({ jobs }, id) => jobs.get(id),
    },
    'id-missing-in-status': {
      does: '/status does not name the id',
      statusRead: (record) => withoutMember(record, 'id'),
    },
    'retry-new-id': {
      does: '/retry makes a new job with a new id',
      retryCall(job, _proceed, answer) {
        job.endpoint.remove(job);
        answer(job.endpoint.submit(job).id);
      },
    },
  }),
  breaking('2.4', 'One of the states in section 3.', {
    'status-lower-case': {
      does: 'status is in lower case',
      status: (status) => status.toLowerCase(),
      idAndStatus: (body) => ({ ...body, status: String(body['status']).toLowerCase() }),
    },
    'status-running': {
      does: 'RUNNING for IN_PROGRESS',
      status: (status) => (status === 'IN_PROGRESS' ? 'RUNNING' : status),
    },
    'status-queued': {
      does: 'QUEUED for IN_QUEUE in /status',
      status: (status) => (status === 'IN_QUEUE' ? 'QUEUED' : status),
    },
    'status-canceled': {
      does: 'CANCELED with one L',
      status: (status) => (status === 'CANCELLED' ? 'CANCELED' : status),
      cancelReply: (reply) => withBody(reply, { status: 'CANCELED' }),
    },
    'status-missing-at-end': {
      does: 'ended jobs have no status',
      record: (record, job) => (hasEnded(job) ? withoutMember(record, 'status') : record),
    },
    'status-error': {
      does: 'ERROR for FAILED',
      status: (status) => (status === 'FAILED' ? 'ERROR' : status),
    },
  }),
  breaking(
    '2.4',
    '| `delayTime` | integer | `/runsync`, `/status` | Time the job waited before execution. Unit: not shown. |',
    {
      'delay-zero': { does: 'delayTime is always 0', times: (times) => ({ ...times, delayMs: 0 }) },
      'delay-includes-execution': {
        does: 'delayTime counts the execution as well',
        times: (times, _job, { endMs, fromMs }) => ({ ...times, delayMs: endMs - fromMs }),
      },
      'delay-and-execution-swapped': {
        does: 'the two times stand in the place of each other',
        times: ({ delayMs, executionMs }) => ({ delayMs: executionMs, executionMs: delayMs }),
      },
      'delay-keeps-growing': {
        does: 'delayTime grows after the job has started',
        times: (times, _job, { nowMs, fromMs }) => ({ ...times, delayMs: nowMs - fromMs }),
      },
      'delay-fractional': {
        does: 'delayTime is no integer',
        record: (record) => ({ ...record, delayTime: Number(record['delayTime']) + 0.5 }),
      },
      'delay-missing': {
        does: 'completed jobs have no delayTime',
        record: (record, job) => (hasEnded(job) ? withoutMember(record, 'delayTime') : record),
      },
      'delay-as-string': {
        does: 'delayTime is a string',
        record: (record) => ({ ...record, delayTime: String(record['delayTime']) }),
      },
    },
  ),
  breaking(
    '2.4',
    '| `executionTime` | integer | `/runsync`, `/status` | Time the job ran. Unit: not shown. |',
    {
      'execution-zero': {
        does: 'executionTime is always 0',
        times: (times) => ({ ...times, executionMs: 0 }),
      },
      'execution-includes-delay': {
        does: 'executionTime counts from submission',
        times: (times, _job, { endMs, fromMs }) => ({ ...times, executionMs: endMs - fromMs }),
      },
      'execution-keeps-growing': {
        does: 'executionTime grows after the job has ended',
        times: (times, { startedMs }, { nowMs }) =>
          startedMs === null ? times : { ...times, executionMs: nowMs - startedMs },
      },
      'execution-missing': {
        does: 'completed jobs have no executionTime',
        record: (record, job) => (hasEnded(job) ? withoutMember(record, 'executionTime') : record),
      },
      'execution-as-string': {
        does: 'executionTime is a string',
        record: (record) => ({ ...record, executionTime: String(record['executionTime']) }),
      },
      'execution-modulo-second': {
        does: 'whole seconds are left out: the milliseconds of a time span are shown',
        times: (times) => ({ ...times, executionMs: times.executionMs % SECOND_MS }),
      },
      'execution-modulo-minute': {
        does: 'whole minutes are left out',
        times: (times) => ({ ...times, executionMs: times.executionMs % MINUTE_MS }),
      },
      'execution-zero-when-failed': {
        does: 'executionTime of failed jobs is 0',
        times: (times, job) => (job.status === 'FAILED' ? { ...times, executionMs: 0 } : times),
      },
      'execution-zero-when-overrun': {
        does: 'executionTime of jobs that overran is 0',
        times: (times, job) => (hasOverrun(job) ? { ...times, executionMs: 0 } : times),
      },
      'execution-of-16-bits': {
        does: 'executionTime is cut to 16 bits',
        times: (times) => ({ ...times, executionMs: times.executionMs % 65_536 }),
      },
      'times-zero-in-runsync': {
        does: 'the times of a record that /runsync answers are 0',
        runsyncRecord: (record) => ({ ...record, delayTime: 0, executionTime: 0 }),
      },
      'times-missing-in-runsync': {
        does: 'the record that /runsync answers has no times',
        runsyncRecord: (record) => withoutMember(withoutMember(record, 'delayTime'), 'executionTime'),
      },
      'execution-frozen-at-first-read': {
        does: 'executionTime is what it was when the job was read first',
        with: () => {
          const shownOf = perJob(() => ({ executionTime: undefined as Json | undefined }));
          return {
            statusRead(record, job) {
              const shown = shownOf(job);
              shown.executionTime ??= record['executionTime'] ?? 0;
              return { ...record, executionTime: shown.executionTime };
            },
          };
        },
      },
      'execution-modulo-hour': {
        does: 'whole hours are left out',
        times: (times) => ({ ...times, executionMs: times.executionMs % HOUR_MS }),
      },
      'execution-of-first-run': {
        does: 'after a retry executionTime is that of the first run',
        with: () => {
          const firstMs = new WeakMap<Job, number>();
          return {
            counted(job) {
              if (job.startedMs !== null && !firstMs.has(job))
                firstMs.set(job, Number(job.endedMs) - job.startedMs);
            },
            times: (times, job) => ({ ...times, executionMs: firstMs.get(job) ?? times.executionMs }),
          };
        },
      },
      'execution-from-first-start': {
        does: 'after a retry executionTime counts from the first start',
        with: () => {
          const firstMs = new WeakMap<Job, number>();
          return {
            started({ job }) {
              if (!firstMs.has(job)) firstMs.set(job, Number(job.startedMs));
            },
            times: (times, job, { endMs }) =>
              job.startedMs === null ? times : { ...times, executionMs: endMs - (firstMs.get(job) ?? endMs) },
          };
        },
      },
    },
  ),
  breaking('2.4', 'Job identifier, assigned by the service.', {
    'id-by-clock': {
      does: 'the id is the time of submission: two jobs of one instant share it',
      jobId: (_id, _submission, { service }) => `at-${service.clock.now()}`,
    },
  }),
  breaking('2.4', 'Time the job waited before execution.', {
    'delay-negative-after-retry': {
      does: 'after a retry delayTime is negative',
      times: (times, job) =>
        job.retries > 0 ? { ...times, delayMs: job.submittedMs - job.queuedMs } : times,
    },
  }),
  breaking('2.4', '| `delayTime` | integer | `/runsync`, `/status` | Time the job waited before execution.', {
    'delay-modulo-second': {
      does: 'whole seconds are left out',
      times: (times) => ({ ...times, delayMs: times.delayMs % SECOND_MS }),
    },
    'delay-modulo-minute': {
      does: 'whole minutes are left out',
      times: (times) => ({ ...times, delayMs: times.delayMs % MINUTE_MS }),
    },
    'delay-zero-when-failed': {
      does: 'delayTime of failed jobs is 0',
      times: (times, job) => (job.status === 'FAILED' ? { ...times, delayMs: 0 } : times),
    },
    'delay-zero-after-wait': {
      does: 'delayTime of jobs that waited in the queue is 0 in /runsync',
      runsyncRecord: (record, job) =>
        Number(job.startedMs) > job.queuedMs ? { ...record, delayTime: 0 } : record,
    },
    'delay-modulo-hour': {
      does: 'whole hours are left out',
      times: (times) => ({ ...times, delayMs: times.delayMs % HOUR_MS }),
    },
  }),
];
