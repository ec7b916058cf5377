/** Faults of section 4.6: which jobs `/retry` takes, and what it answers. */
import { hasEnded } from '../job.js';
import { retryJob } from '../operations/retry.js';
import { MINUTE_MS } from '../submission.js';
import { nowIn, whenever } from './memory.js';
import { hasOverrun, deletedJobs, withBody } from './steps.js';
import { breaking } from './fault.js';

export const RETRY_REFUSALS_FAULTS = [
  breaking('4.6', 'Only valid for jobs whose status is `FAILED` or `TIMED_OUT`.', {
    'retry-of-completed': {
      does: 'a COMPLETED job is retried',
      mayRetry: (right, job) => right || job.status === 'COMPLETED',
    },
    'retry-of-cancelled': {
      does: 'a CANCELLED job is retried',
      mayRetry: (right, job) => right || job.status === 'CANCELLED',
    },
    'retry-of-queued': {
      does: 'a queued job is queued a second time',
      mayRetry: (right, job) => right || job.status === 'IN_QUEUE',
    },
    'retry-of-running': {
      does: 'a running job is started a second time',
      mayRetry: (right, job) => right || job.status === 'IN_PROGRESS',
      stopsForRetry: () => false,
    },
    'retry-of-failed-refused': {
      does: 'a FAILED job is refused',
      mayRetry: (right, job) => right && hasOverrun(job),
    },
    'retry-of-timed-out-refused': {
      does: 'a job that overran is refused',
      mayRetry: (right, job) => right && !hasOverrun(job),
    },
    'retry-once-only': {
      does: 'a second retry is refused',
      mayRetry: (right, job) => right && job.retries === 0,
    },
    'retry-unknown-is-200': {
      does: 'an unknown job id is answered with IN_QUEUE',
      unknown: (_endpoint, id, operation) =>
        operation === 'retry' ? { code: 200, body: { id, status: 'IN_QUEUE' } } : null,
    },
    'retry-only-within-a-minute': {
      does: 'a job of /run that failed more than a minute ago is refused',
      mayRetry: (right, job) =>
        right && !(job.kind === 'run' && Number(job.endedMs) < nowIn(job.endpoint) - MINUTE_MS),
    },
    'retry-not-after-three': {
      does: 'a fourth retry is refused',
      legal: '4.6/number-of-retries=limited',
      mayRetry: (right, job) => right && job.retries < 3,
    },
    'refused-retry-removes-output': {
      does: 'a refused retry removes the output',
      retryRefused: (job) => void (job.output = undefined),
    },
    'refused-retry-removes-chunks': {
      does: 'a refused retry removes the chunks',
      retryRefused: (job) => void (job.chunks = []),
    },
    'refused-retry-stops-running': {
      does: 'a refused retry stops the running job for good',
      retryRefused: (job) => job.run?.handler?.stop(),
    },
    'refused-retry-requeues-later': {
      does: 'a retry of a running job is refused, and done when the job has ended',
      retryRefused(job) {
        if (job.status !== 'IN_PROGRESS') return;
        whenever(job, hasEnded, () => retryJob(job));
      },
    },
  }),
  breaking('4.6', 'Expired jobs cannot be retried.', {
    'retry-of-expired': {
      does: 'a job deleted by ttl or retention is brought back',
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
  }),
  breaking('4.6', 'Response: `{id: string, status: string}` with `status` equal to `IN_QUEUE`.', {
    'retry-answers-old-status': {
      does: 'the answer has the status before the retry',
      retryReply: (reply, before) => withBody(reply, { status: before }),
    },
    'retry-answers-no-body': { does: '204 without a body', retryReply: () => ({ code: 204 }) },
  }),
];
