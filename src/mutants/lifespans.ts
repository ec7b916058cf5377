/** Faults of timers: they start or stop at the wrong moment, or skip some jobs. */
import type { JobView } from '../core/entities.js';
import { fault } from './mutant.js';

const NEVER = Number.POSITIVE_INFINITY;

/** Memoizes a value per job. */
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
    'a handler error leaves a /runsync job IN_PROGRESS',
    ['3/handler-error-fails-runsync'],
    (base) => ({
      reportCounts: (job, report) =>
        !(job.op === 'runsync' && report.kind === 'error') && base.reportCounts(job, report),
    }),
  ),
  fault(
    'failed-forgotten-at-once',
    'a job is deleted as soon as it has failed',
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
    'retention counts from the start of execution',
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
    'retention of a retried job counts from its first end',
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
    'retention of the first result deletes the retried job',
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
    'a /runsync result is kept for 30 minutes when `wait` was above one minute',
    ['4.1/retention-with-wait-gone'],
    (base) => ({
      retentionMs: (job) =>
        job.op === 'runsync' && (job.waitMs ?? 0) > 60_000 ? 1_800_000 : base.retentionMs(job),
    }),
  ),
  fault(
    'retention-from-the-end-of-wait',
    'a /runsync result is kept for one minute from the call, not from the end of the job',
    ['4.1/retention-from-completion', '4.1/retention-kept'],
    (base) => ({
      retentionDeadlineMs: (job, retentionMs) =>
        job.op === 'runsync' && job.endedMs !== null
          ? job.submittedMs + retentionMs
          : base.retentionDeadlineMs(job, retentionMs),
    }),
  ),
  fault('ttl-gone-after-retry', 'a retried job has no ttl', ['2.2/ttl-removes-retried'], (base) => ({
    ttlDeadlineMs: (job, ttlMs) => (job.retries > 0 ? NEVER : base.ttlDeadlineMs(job, ttlMs)),
  })),
  fault('ttl-spares-failed', 'ttl does not delete failed jobs', ['2.2/ttl-removes-failed'], (base) => ({
    ttlDeadlineMs: (job, ttlMs) => (job.status === 'FAILED' ? NEVER : base.ttlDeadlineMs(job, ttlMs)),
  })),
  fault(
    'ttl-spares-timed-out',
    'ttl does not delete timed-out jobs',
    ['2.2/ttl-removes-timed-out'],
    (base) => ({
      ttlDeadlineMs: (job, ttlMs) => (job.status === 'TIMED_OUT' ? NEVER : base.ttlDeadlineMs(job, ttlMs)),
    }),
  ),
  fault(
    'ttl-after-its-wait',
    'the ttl of a /runsync job counts from the answer to its call',
    ['2.2/ttl-removes-runsync', '2.2/ttl-starts-at-submission'],
    (base) => ({
      ttlDeadlineMs: (job, ttlMs) =>
        base.ttlDeadlineMs(job, ttlMs) + (job.op === 'runsync' ? (job.waitMs ?? 90_000) : 0),
    }),
  ),
  fault(
    'ttl-raised-to-timeout',
    'a ttl below executionTimeout is raised to executionTimeout',
    ['2.2/ttl-ends-before-execution-timeout', '2.2/ttl-removes-running', '2.2/ttl-removes-queued'],
    (base) => ({ ttlMs: (job) => Math.max(base.ttlMs(job), job.submission.policy.executionTimeoutMs ?? 0) }),
  ),
  fault(
    'timeout-lowered-to-default',
    'an executionTimeout above ten minutes is cut to ten minutes',
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
    'the ttl is enforced as executionTimeout, and executionTimeout is ignored',
    ['2.2/execution-timeout-not-early', '2.2/ttl-removes-running'],
    (base) => ({ executionTimeoutMs: (job) => job.submission.policy.ttlMs ?? base.executionTimeoutMs(job) }),
  ),
  fault(
    'status-ttl-only-first',
    'only the first `ttl` given to /status has an effect',
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
    '`ttl` of /status can only shorten the life of a job',
    ['4.3/ttl-lengthens-life', '4.3/ttl-not-at-once'],
    (base) => ({
      ttlDeadlineMs: (job, ttlMs) => Math.min(job.submittedMs + ttlMs, base.ttlDeadlineMs(job, ttlMs)),
    }),
  ),
  fault(
    'status-ttl-never-shortens',
    '`ttl` of /status can only lengthen the life of a job',
    ['4.3/ttl-shortens-life'],
    (base) => ({
      ttlDeadlineMs: (job, ttlMs) => Math.max(job.submittedMs + ttlMs, base.ttlDeadlineMs(job, ttlMs)),
    }),
  ),
  fault(
    'status-ttl-not-while-waiting',
    '`ttl` of /status has no effect on waiting jobs',
    ['4.3/ttl-shortens-life', '4.3/ttl-lengthens-life'],
    (base) => ({
      ttlDeadlineMs: (job, ttlMs) =>
        base.ttlDeadlineMs(job.status === 'IN_QUEUE' ? { ...job, ttlSet: null } : job, ttlMs),
    }),
  ),
  fault(
    'status-ttl-not-while-running',
    '`ttl` of /status has no effect on running jobs',
    ['4.3/ttl-shortens-life', '4.3/ttl-lengthens-life'],
    (base) => ({
      ttlDeadlineMs: (job, ttlMs) =>
        base.ttlDeadlineMs(job.status === 'IN_PROGRESS' ? { ...job, ttlSet: null } : job, ttlMs),
    }),
  ),
  fault(
    'status-ttl-for-later-jobs',
    '`ttl` of /status also applies to all jobs submitted later',
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
