/** Faults of section 4.6: which jobs `/retry` takes, and what it answers. */
import { hasEnded } from '../../job.js';
import { retryJob } from '../../operations/retry.js';
import { MINUTE_MS } from '../../submission.js';
import { nowIn, whenever } from '../memory.js';
import { hasOverrun, deletedJobs, withBody } from '../steps.js';
import type { Faults } from '../fault.js';

export const RETRY_REFUSALS_FAULTS = {
  'retry-completed': { mayRetry: (right, job) => right || job.status === 'COMPLETED' },
  'retry-cancelled': { mayRetry: (right, job) => right || job.status === 'CANCELLED' },
  'retry-of-queued': { mayRetry: (right, job) => right || job.status === 'IN_QUEUE' },
  'retry-of-running': {
    mayRetry: (right, job) => right || job.status === 'IN_PROGRESS',
    stopsForRetry: () => false,
  },
  'retry-not-failed': { mayRetry: (right, job) => right && hasOverrun(job) },
  'retry-not-timed-out': { mayRetry: (right, job) => right && !hasOverrun(job) },
  'retry-once': { mayRetry: (right, job) => right && job.retries === 0 },
  'retry-unknown-is-200': {
    unknown: (_endpoint, id, operation) =>
      operation === 'retry' ? { code: 200, body: { id, status: 'IN_QUEUE' } } : null,
  },
  'retry-only-within-a-minute': {
    mayRetry: (right, job) =>
      right && !(job.kind === 'run' && Number(job.endedMs) < nowIn(job.endpoint) - MINUTE_MS),
  },
  'retry-not-after-three': { mayRetry: (right, job) => right && job.retries < 3 },
  'refused-retry-removes-output': { retryRefused: (job) => void (job.output = undefined) },
  'refused-retry-removes-chunks': { retryRefused: (job) => void (job.chunks = []) },
  'refused-retry-stops-running': { retryRefused: (job) => job.run?.handler?.stop() },
  'refused-retry-requeues-later': {
    retryRefused(job) {
      if (job.status !== 'IN_PROGRESS') return;
      whenever(job, hasEnded, () => retryJob(job));
    },
  },
  'retry-of-expired': {
    with: () => {
      const deleted = deletedJobs();
      return {
        ...deleted.hooks,
        find(endpoint, id, operation, right) {
          const job = operation === 'retry' ? deleted.find(endpoint, id) : null;
          if (right !== null || job === null) return right;
          job.deleted = false;
          endpoint.jobs.set(id, job);
          return job;
        },
      };
    },
  },
  'retry-status-kept': { retryReply: (reply, before) => withBody(reply, { status: before }) },
  'retry-answers-no-body': { retryReply: () => ({ code: 204 }) },
} satisfies Faults;
