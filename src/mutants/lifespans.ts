/** Faults of how long a job lives: timers that start or stop at the wrong moment, or spare some jobs. */
import type { JobView } from '../core/entities.js';
import { fault } from './mutant.js';

const NEVER = Number.POSITIVE_INFINITY;

/** The first value that was made for each job. */
function firstOf<T>(make: (job: JobView) => T | null): (job: JobView) => T | null {
  const known = new WeakMap<JobView, { readonly value: T }>();
  return (job) => {
    const value = known.has(job) ? null : make(job);
    if (value !== null) known.set(job, { value });
    return known.get(job)?.value ?? null;
  };
}

export const LIFESPANS = [
  fault(
    'waiting-shown-in-progress',
    '/status shows waiting jobs as IN_PROGRESS',
    [
      '3/submission-starts-in-queue',
      '4.3/shows-current-state',
      '1/waits-when-no-worker-free',
      '1/no-more-jobs-in-progress-than-workers',
    ],
    (base) => ({
      statusShown: (job, view) =>
        view === 'status' && job.status === 'IN_QUEUE' ? 'IN_PROGRESS' : base.statusShown(job, view),
    }),
  ),
  fault(
    'error-lost-for-runsync',
    'an error in the handler of a /runsync job leaves it IN_PROGRESS',
    ['3/handler-error-fails-runsync'],
    (base) => ({
      reportCounts: (job, report) =>
        !(job.op === 'runsync' && report.kind === 'error') && base.reportCounts(job, report),
    }),
  ),
  fault(
    'failed-forgotten-at-once',
    'a failed job is deleted when it has failed',
    [
      '3/failed-stays',
      '3/handler-error-fails-run',
      '3/handler-error-fails-runsync',
      '3/retry-requeues-failed',
    ],
    (base) => ({ retentionMs: (job) => (job.status === 'FAILED' ? 0 : base.retentionMs(job)) }),
  ),
  fault(
    'retention-from-start',
    'retention counts from the pick-up by a worker',
    [
      '4.2/retention-from-completion',
      '4.1/retention-from-completion',
      '4.2/retention-kept',
      '4.1/retention-kept',
    ],
    (base) => ({
      retentionDeadlineMs: (job, retentionMs) =>
        job.endedMs === null || job.startedMs === null
          ? base.retentionDeadlineMs(job, retentionMs)
          : job.startedMs + retentionMs,
    }),
  ),
  fault(
    'retention-of-first-end',
    'the retention of a retried job counts from its first end',
    ['4.2/retention-after-retry', '4.1/retention-after-retry', '4.2/retention-kept', '4.1/retention-kept'],
    () => {
      const firstEnd = firstOf((job) => job.endedMs);
      return {
        retentionDeadlineMs: (job, retentionMs) =>
          job.endedMs === null ? NEVER : firstEnd(job)! + retentionMs,
      };
    },
  ),
  fault(
    'retention-outlives-retry',
    'the retention of the first result deletes the retried job, too',
    [
      '4.6/retried-job-not-expired',
      '4.2/retention-after-retry',
      '4.1/retention-after-retry',
      '4.6/retried-job-runs',
    ],
    (base) => {
      const firstEnd = firstOf((job) => job.endedMs);
      return {
        retentionDeadlineMs: (job, retentionMs) => {
          const from = firstEnd(job);
          return from === null ? base.retentionDeadlineMs(job, retentionMs) : from + retentionMs;
        },
      };
    },
  ),
  fault(
    'retention-sync-like-run-after-a-minute-wait',
    'a /runsync result is kept for 30 minutes where `wait` was above a minute',
    ['4.1/retention-with-wait-gone'],
    (base) => ({
      retentionMs: (job) =>
        job.op === 'runsync' && (job.waitMs ?? 0) > 60_000 ? 1_800_000 : base.retentionMs(job),
    }),
  ),
  fault(
    'retention-from-the-end-of-wait',
    'a /runsync result is kept for a minute from its call',
    ['4.1/retention-from-completion', '4.1/retention-kept'],
    (base) => ({
      retentionDeadlineMs: (job, retentionMs) =>
        job.op === 'runsync' && job.endedMs !== null
          ? job.submittedMs + retentionMs
          : base.retentionDeadlineMs(job, retentionMs),
    }),
  ),
  fault('ttl-gone-after-retry', 'a retried job has no ttl any more', ['2.2/ttl-removes-retried'], (base) => ({
    ttlDeadlineMs: (job, ttlMs) => (job.retries > 0 ? NEVER : base.ttlDeadlineMs(job, ttlMs)),
  })),
  fault('ttl-spares-failed', 'ttl does not touch a failed job', ['2.2/ttl-removes-failed'], (base) => ({
    ttlDeadlineMs: (job, ttlMs) => (job.status === 'FAILED' ? NEVER : base.ttlDeadlineMs(job, ttlMs)),
  })),
  fault(
    'ttl-spares-timed-out',
    'ttl does not touch a timed-out job',
    ['2.2/ttl-removes-timed-out'],
    (base) => ({
      ttlDeadlineMs: (job, ttlMs) => (job.status === 'TIMED_OUT' ? NEVER : base.ttlDeadlineMs(job, ttlMs)),
    }),
  ),
  fault(
    'ttl-after-its-wait',
    'the ttl of a /runsync job counts from the end of its call',
    ['2.2/ttl-removes-runsync', '2.2/ttl-starts-at-submission'],
    (base) => ({
      ttlDeadlineMs: (job, ttlMs) =>
        base.ttlDeadlineMs(job, ttlMs) + (job.op === 'runsync' ? (job.waitMs ?? 90_000) : 0),
    }),
  ),
  fault(
    'ttl-raised-to-timeout',
    'a ttl below executionTimeout is raised to it',
    ['2.2/ttl-ends-before-execution-timeout', '2.2/ttl-removes-running', '2.2/ttl-removes-queued'],
    (base) => ({ ttlMs: (job) => Math.max(base.ttlMs(job), job.submission.policy.executionTimeoutMs ?? 0) }),
  ),
  fault(
    'timeout-lowered-to-default',
    'no executionTimeout above ten minutes holds',
    ['2.2/execution-timeout-long-run', '2.2/execution-timeout-not-early', '2.2/outlives-default'],
    (base) => ({ executionTimeoutMs: (job) => Math.min(600_000, base.executionTimeoutMs(job)) }),
  ),
  fault(
    'timeout-not-for-low-priority',
    'executionTimeout is not enforced for jobs with lowPriority',
    [
      '2.2/execution-timeout-stops-run',
      '2.2/execution-timeout-stops-runsync',
      '2.2/execution-timeout-default-enforced',
    ],
    (base) => ({
      executionDeadlineMs: (job, timeoutMs) =>
        job.submission.policy.lowPriority === true ? NEVER : base.executionDeadlineMs(job, timeoutMs),
    }),
  ),
  fault(
    'timeout-is-ttl',
    'a ttl that is given is enforced as executionTimeout, instead of that which is given',
    ['2.2/execution-timeout-not-early', '2.2/ttl-removes-running'],
    (base) => ({ executionTimeoutMs: (job) => job.submission.policy.ttlMs ?? base.executionTimeoutMs(job) }),
  ),
  fault(
    'status-ttl-only-first',
    'only the first `ttl` of /status holds',
    ['4.3/ttl-shortens-life', '4.3/ttl-lengthens-life'],
    (base) => {
      const first = firstOf((job) => job.ttlSet);
      return {
        ttlDeadlineMs: (job, ttlMs) => base.ttlDeadlineMs({ ...job, ttlSet: first(job) }, ttlMs),
      };
    },
  ),
  fault(
    'status-ttl-never-lengthens',
    'a `ttl` of /status cannot lengthen the life of a job',
    ['4.3/ttl-lengthens-life', '4.3/ttl-not-at-once'],
    (base) => ({
      ttlDeadlineMs: (job, ttlMs) => Math.min(job.submittedMs + ttlMs, base.ttlDeadlineMs(job, ttlMs)),
    }),
  ),
  fault(
    'status-ttl-never-shortens',
    'a `ttl` of /status cannot shorten the life of a job',
    ['4.3/ttl-shortens-life'],
    (base) => ({
      ttlDeadlineMs: (job, ttlMs) => Math.max(job.submittedMs + ttlMs, base.ttlDeadlineMs(job, ttlMs)),
    }),
  ),
  fault(
    'status-ttl-not-while-waiting',
    'a `ttl` of /status has no effect on a job that waits',
    ['4.3/ttl-shortens-life', '4.3/ttl-lengthens-life'],
    (base) => ({
      ttlDeadlineMs: (job, ttlMs) =>
        base.ttlDeadlineMs(job.status === 'IN_QUEUE' ? { ...job, ttlSet: null } : job, ttlMs),
    }),
  ),
  fault(
    'status-ttl-not-while-running',
    'a `ttl` of /status has no effect on a job that runs',
    ['4.3/ttl-shortens-life', '4.3/ttl-lengthens-life'],
    (base) => ({
      ttlDeadlineMs: (job, ttlMs) =>
        base.ttlDeadlineMs(job.status === 'IN_PROGRESS' ? { ...job, ttlSet: null } : job, ttlMs),
    }),
  ),
  fault(
    'status-ttl-for-later-jobs',
    'a `ttl` of /status becomes that of every job submitted afterwards',
    ['4.3/ttl-this-job-only', '2.2/ttl-default-not-early', '2.2/ttl-this-job-only'],
    (base) => {
      let given: number | null = null;
      return {
        ttlMs: (job) => {
          given = job.ttlSet?.ttlMs ?? given;
          return job.ttlSet === null && job.submission.policy.ttlMs === null && given !== null
            ? given
            : base.ttlMs(job);
        },
      };
    },
  ),
] as const;
