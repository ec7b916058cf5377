/**
 * Faults of the life-cycle of a job: calls that skip some jobs, only pretend to act, or affect too many jobs.
 */
import type { Changes } from './mutant.js';

export const LIFECYCLE: Changes = {
  'cancel-not-of-runsync': (base) => ({
    mayCancel: (status, job) => job.op === 'run' && base.mayCancel(status, job),
  }),
  'cancel-not-after-retry': (base) => ({
    mayCancel: (status, job) => job.retries === 0 && base.mayCancel(status, job),
  }),
  'cancel-feigned-while-running': (base) => ({
    mayCancel: (status) => status === 'IN_QUEUE',
    cancelOfEnded: (job) => (job.status === 'IN_PROGRESS' ? 'done' : base.cancelOfEnded(job)),
  }),
  'cancel-feigned-while-waiting': (base) => ({
    mayCancel: (status) => status === 'IN_PROGRESS',
    cancelOfEnded: (job) => (job.status === 'IN_QUEUE' ? 'done' : base.cancelOfEnded(job)),
  }),
  'retry-not-of-runsync': (base) => ({
    mayRetry: (status, retries, job) => job.op === 'run' && base.mayRetry(status, retries, job),
  }),
  'retry-not-of-crashed': (base) => ({
    mayRetry: (status, retries, job) => !job.crashed && base.mayRetry(status, retries, job),
  }),
  'retry-feigned-while-running': (base) => ({
    retryOfOther: (job) => (job.status === 'IN_PROGRESS' ? 'done' : base.retryOfOther(job)),
  }),
  'retry-feigned-after-cancel': (base) => ({
    retryOfOther: (job) => (job.status === 'CANCELLED' ? 'done' : base.retryOfOther(job)),
  }),
  'retry-of-failed-feigned': () => ({
    mayRetry: (status) => status === 'TIMED_OUT',
    retryOfOther: (job) => (job.status === 'FAILED' ? 'done' : 400),
  }),
  'execution-time-from-submission-after-retry': (base) => ({
    executionTimeMs: (job, nowMs) =>
      job.retries > 0 && job.endedMs !== null
        ? job.endedMs - job.submittedMs
        : base.executionTimeMs(job, nowMs),
  }),
  'execution-time-of-earlier-runs': (base) => ({
    executionTimeMs: (job, nowMs) =>
      job.retries > 0 && job.endedMs !== null ? job.ranBeforeMs : base.executionTimeMs(job, nowMs),
  }),
  'wait-shared': (base) => {
    let last: number | null = null;
    return { waitMs: (asked) => base.waitMs((last = asked ?? last)) };
  },
  'wait-default-none': () => ({ waitMs: (asked) => asked ?? 0 }),
  'wait-at-most-default': () => ({ waitMs: (asked) => Math.min(60_000, asked ?? 90_000) }),
  'wait-fails-job': (base) => {
    let elapsed = false;
    return {
      elapsedWaitStopsJob: (job) => (elapsed = job.endedMs === null),
      cancelEnding: (job) => {
        const ending = base.cancelEnding(job);
        if (!elapsed) return ending;
        elapsed = false;
        return { ...ending, status: 'FAILED', error: 'wait elapsed' };
      },
    };
  },
  'delay-time-missing-after-retry': (base) => ({
    delayTimeShown: (job) => (job.retries > 0 ? 'absent' : base.delayTimeShown(job)),
  }),
  'purge-spares-low-priority': (base) => ({
    purgeRemoves: (job) => job.submission.policy.lowPriority !== true && base.purgeRemoves(job),
  }),
  'purge-spares-with-webhook': (base) => ({
    purgeRemoves: (job) => job.submission.webhook === null && base.purgeRemoves(job),
  }),
  'purge-removes-failed': (base) => ({
    purgeRemoves: (job) => job.status === 'FAILED' || base.purgeRemoves(job),
  }),
  'purge-removes-cancelled': (base) => ({
    purgeRemoves: (job) => job.status === 'CANCELLED' || base.purgeRemoves(job),
  }),
  'purge-closes-queue': (base) => {
    let closed = 0;
    return {
      purgeCount: (removed, running) => ((closed = 1), base.purgeCount(removed, running)),
      mayStart: (job, here, all) => closed === 0 && base.mayStart(job, here, all),
    };
  },
};
