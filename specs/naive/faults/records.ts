/** Faults of section 2.4: ids, states and times of the record. */
import { createHash } from 'node:crypto';
import { hasEnded, type Job } from '../job.js';
import type { Json } from '../json.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../submission.js';
import { perJob } from './memory.js';
import { hasOverrun, withBody, withoutMember, numberIn } from './steps.js';
import type { Faults } from './fault.js';

export const RECORDS_FAULTS = {
  'id-is-number': {
    runBody: (body, job) => ({ ...body, id: numberIn(job.id) }),
    record: (record, job) => ({ ...record, id: numberIn(job.id) }),
  },
  'id-reused': {
    with: () => {
      const freed: string[] = [];
      return { jobId: (id) => freed.pop() ?? id, forgotten: (job) => void freed.push(job.id) };
    },
  },
  'id-by-input': {
    jobId: (_id, { input }) => createHash('sha256').update(JSON.stringify(input)).digest('hex'),
    twin: ({ jobs }, id) => jobs.get(id),
  },
  'id-missing-in-status': { statusRead: (record) => withoutMember(record, 'id') },
  'id-new-on-retry': {
    retryCall(job, _proceed, answer) {
      job.endpoint.remove(job);
      answer(job.endpoint.submit(job).id);
    },
  },
  'status-lower-case': {
    status: (status) => status.toLowerCase(),
    idAndStatus: (body) => ({ ...body, status: String(body['status']).toLowerCase() }),
  },
  'status-running': { status: (status) => (status === 'IN_PROGRESS' ? 'RUNNING' : status) },
  'status-queued': { status: (status) => (status === 'IN_QUEUE' ? 'QUEUED' : status) },
  'status-canceled': {
    status: (status) => (status === 'CANCELLED' ? 'CANCELED' : status),
    cancelReply: (reply) => withBody(reply, { status: 'CANCELED' }),
  },
  'status-missing-at-end': {
    record: (record, job) => (hasEnded(job) ? withoutMember(record, 'status') : record),
  },
  'status-error': { status: (status) => (status === 'FAILED' ? 'ERROR' : status) },
  'delay-zero': { times: (times) => ({ ...times, delayMs: 0 }) },
  'delay-time-includes-run': {
    times: (times, _job, { endMs, fromMs }) => ({ ...times, delayMs: endMs - fromMs }),
  },
  'delay-and-execution-swapped': {
    times: ({ delayMs, executionMs }) => ({ delayMs: executionMs, executionMs: delayMs }),
  },
  'delay-keeps-growing': {
    times: (times, _job, { nowMs, fromMs }) => ({ ...times, delayMs: nowMs - fromMs }),
  },
  'delay-fractional': { record: (record) => ({ ...record, delayTime: Number(record['delayTime']) + 0.5 }) },
  'delay-missing': { record: (record, job) => (hasEnded(job) ? withoutMember(record, 'delayTime') : record) },
  'delay-as-string': { record: (record) => ({ ...record, delayTime: String(record['delayTime']) }) },
  'execution-zero': { times: (times) => ({ ...times, executionMs: 0 }) },
  'execution-time-includes-wait': {
    times: (times, _job, { endMs, fromMs }) => ({ ...times, executionMs: endMs - fromMs }),
  },
  'execution-time-goes-on': {
    times: (times, { startedMs }, { nowMs }) =>
      startedMs === null ? times : { ...times, executionMs: nowMs - startedMs },
  },
  'execution-missing': {
    record: (record, job) => (hasEnded(job) ? withoutMember(record, 'executionTime') : record),
  },
  'execution-as-string': {
    record: (record) => ({ ...record, executionTime: String(record['executionTime']) }),
  },
  'execution-modulo-second': { times: (times) => ({ ...times, executionMs: times.executionMs % SECOND_MS }) },
  'execution-modulo-minute': { times: (times) => ({ ...times, executionMs: times.executionMs % MINUTE_MS }) },
  'execution-zero-when-failed': {
    times: (times, job) => (job.status === 'FAILED' ? { ...times, executionMs: 0 } : times),
  },
  'execution-zero-when-overrun': {
    times: (times, job) => (hasOverrun(job) ? { ...times, executionMs: 0 } : times),
  },
  'execution-of-16-bits': { times: (times) => ({ ...times, executionMs: times.executionMs % 65_536 }) },
  'times-zero-in-runsync': { runsyncRecord: (record) => ({ ...record, delayTime: 0, executionTime: 0 }) },
  'times-missing-in-runsync': {
    runsyncRecord: (record) => withoutMember(withoutMember(record, 'delayTime'), 'executionTime'),
  },
  'execution-frozen-at-first-read': {
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
  'execution-modulo-hour': { times: (times) => ({ ...times, executionMs: times.executionMs % HOUR_MS }) },
  'execution-of-first-run': {
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
  'id-by-clock': { jobId: (_id, _submission, { service }) => `at-${service.clock.now()}` },
  'delay-negative-after-retry': {
    times: (times, job) => (job.retries > 0 ? { ...times, delayMs: job.submittedMs - job.queuedMs } : times),
  },
  'delay-modulo-second': { times: (times) => ({ ...times, delayMs: times.delayMs % SECOND_MS }) },
  'delay-modulo-minute': { times: (times) => ({ ...times, delayMs: times.delayMs % MINUTE_MS }) },
  'delay-zero-when-failed': {
    times: (times, job) => (job.status === 'FAILED' ? { ...times, delayMs: 0 } : times),
  },
  'delay-zero-after-wait': {
    runsyncRecord: (record, job) =>
      Number(job.startedMs) > job.queuedMs ? { ...record, delayTime: 0 } : record,
  },
  'delay-modulo-hour': { times: (times) => ({ ...times, delayMs: times.delayMs % HOUR_MS }) },
} satisfies Faults;
