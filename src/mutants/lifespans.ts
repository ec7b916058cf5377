/** Faults of timers: they start or stop at the wrong moment, or skip some jobs. */
import type { JobView } from '../core/entities.js';
import { MINUTE_MS } from '../spec/limits.js';
import { ttlSpares, type Changes } from './mutant.js';

const NEVER = Number.POSITIVE_INFINITY;

const isLow = ({ submission }: JobView): boolean => submission.policy.lowPriority === true;

/** Memoizes a value per job. */
function firstOf<T>(make: (job: JobView) => T | null): (job: JobView) => T | null {
  const known = new WeakMap<JobView, { readonly value: T }>();
  return (job) => {
    const value = known.has(job) ? null : make(job);
    if (value !== null) known.set(job, { value });
    return known.get(job)?.value ?? null;
  };
}

export const LIFESPANS: Changes = {
  'waiting-shown-in-progress': (base) => ({
    statusShown: (job, view) =>
      view === 'status' && job.status === 'IN_QUEUE' ? 'IN_PROGRESS' : base.statusShown(job, view),
  }),
  'error-lost-for-runsync': (base) => ({
    reportCounts: (job, report) =>
      !(job.op === 'runsync' && report.kind === 'error') && base.reportCounts(job, report),
  }),
  'failed-forgotten-at-once': (base) => ({
    retentionMs: (job) => (job.status === 'FAILED' ? 0 : base.retentionMs(job)),
  }),
  'retention-from-start': (base) => ({
    retentionDeadlineMs: (job, retentionMs) =>
      job.endedMs === null || job.startedMs === null
        ? base.retentionDeadlineMs(job, retentionMs)
        : job.startedMs + retentionMs,
  }),
  'retention-of-first-end': () => {
    const firstEnd = firstOf((job) => job.endedMs);
    return {
      retentionDeadlineMs: (job, retentionMs) =>
        job.endedMs === null ? NEVER : firstEnd(job)! + retentionMs,
    };
  },
  'retention-outlives-retry': (base) => {
    const firstEnd = firstOf((job) => job.endedMs);
    return {
      retentionDeadlineMs: (job, retentionMs) => {
        const from = firstEnd(job);
        return from === null ? base.retentionDeadlineMs(job, retentionMs) : from + retentionMs;
      },
    };
  },
  'retention-sync-like-run-after-a-minute-wait': (base) => ({
    retentionMs: (job) =>
      job.op === 'runsync' && (job.waitMs ?? 0) > 60_000 ? 1_800_000 : base.retentionMs(job),
  }),
  'retention-from-the-end-of-wait': (base) => ({
    retentionDeadlineMs: (job, retentionMs) =>
      job.op === 'runsync' && job.endedMs !== null
        ? job.submittedMs + retentionMs
        : base.retentionDeadlineMs(job, retentionMs),
  }),
  'ttl-gone-after-retry': ttlSpares((job) => job.retries > 0),
  'ttl-spares-failed': ttlSpares((job) => job.status === 'FAILED'),
  'ttl-spares-timed-out': ttlSpares((job) => job.status === 'TIMED_OUT'),
  'ttl-after-its-wait': (base) => ({
    ttlDeadlineMs: (job, ttlMs) =>
      base.ttlDeadlineMs(job, ttlMs) + (job.op === 'runsync' ? (job.waitMs ?? 90_000) : 0),
  }),
  'ttl-raised-to-timeout': (base) => ({
    ttlMs: (job) => Math.max(base.ttlMs(job), job.submission.policy.executionTimeoutMs ?? 0),
  }),
  'timeout-lowered-to-default': (base) => ({
    executionTimeoutMs: (job) => Math.min(600_000, base.executionTimeoutMs(job)),
  }),
  'timeout-not-for-low-priority': (base) => ({
    executionDeadlineMs: (job, timeoutMs) => (isLow(job) ? NEVER : base.executionDeadlineMs(job, timeoutMs)),
  }),
  'timeout-of-low-priority-from-submission': (base) => ({
    executionDeadlineMs: (job, timeoutMs) =>
      isLow(job) && job.status === 'IN_PROGRESS'
        ? job.queuedMs + timeoutMs
        : base.executionDeadlineMs(job, timeoutMs),
  }),
  'ttl-of-low-priority-halved': (base) => ({
    ttlMs: (job) => Math.floor(base.ttlMs(job) / (isLow(job) ? 2 : 1)),
  }),
  'retention-of-low-priority-like-sync': (base) => ({
    retentionMs: (job) => (isLow(job) && job.op === 'run' ? MINUTE_MS : base.retentionMs(job)),
  }),
  'retry-not-of-low-priority': (base) => ({
    mayRetry: (status, retries, job) => !isLow(job) && base.mayRetry(status, retries, job),
  }),
  'timeout-is-ttl': (base) => ({
    executionTimeoutMs: (job) => job.submission.policy.ttlMs ?? base.executionTimeoutMs(job),
  }),
  'status-ttl-only-first': (base) => {
    const first = firstOf((job) => job.ttlSet);
    return {
      ttlDeadlineMs: (job, ttlMs) => base.ttlDeadlineMs({ ...job, ttlSet: first(job) }, ttlMs),
    };
  },
  'status-ttl-never-lengthens': (base) => ({
    ttlDeadlineMs: (job, ttlMs) => Math.min(job.submittedMs + ttlMs, base.ttlDeadlineMs(job, ttlMs)),
  }),
  'status-ttl-never-shortens': (base) => ({
    ttlDeadlineMs: (job, ttlMs) => Math.max(job.submittedMs + ttlMs, base.ttlDeadlineMs(job, ttlMs)),
  }),
  'status-ttl-not-while-waiting': (base) => ({
    ttlDeadlineMs: (job, ttlMs) =>
      base.ttlDeadlineMs(job.status === 'IN_QUEUE' ? { ...job, ttlSet: null } : job, ttlMs),
  }),
  'status-ttl-not-while-running': (base) => ({
    ttlDeadlineMs: (job, ttlMs) =>
      base.ttlDeadlineMs(job.status === 'IN_PROGRESS' ? { ...job, ttlSet: null } : job, ttlMs),
  }),
  'status-ttl-for-later-jobs': (base) => {
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
};
