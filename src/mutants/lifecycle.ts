/**
 * Faults of the life-cycle of a job: calls that skip some jobs, only pretend to act, or affect too many jobs.
 */
import { fault } from './mutant.js';

export const LIFECYCLE = [
  fault(
    'cancel-not-of-runsync',
    '/cancel refuses jobs submitted by /runsync',
    ['4.5/cancels-runsync-job'],
    (base) => ({
      mayCancel: (status, job) => job.op === 'run' && base.mayCancel(status, job),
    }),
  ),
  fault(
    'cancel-not-after-retry',
    '/cancel refuses jobs that were retried',
    ['4.5/cancels-retried-job'],
    (base) => ({ mayCancel: (status, job) => job.retries === 0 && base.mayCancel(status, job) }),
  ),
  fault(
    'cancel-feigned-while-running',
    '/cancel of a running job answers CANCELLED, but has no effect',
    ['3/cancel-running', '3/cancelled-never-completes', '3/cancelled-stays'],
    (base) => ({
      mayCancel: (status) => status === 'IN_QUEUE',
      cancelOfEnded: (job) => (job.status === 'IN_PROGRESS' ? 'done' : base.cancelOfEnded(job)),
    }),
  ),
  fault(
    'cancel-feigned-while-waiting',
    '/cancel of a waiting job answers CANCELLED, but has no effect',
    ['3/cancel-queued', '3/cancelled-never-starts', '3/cancelled-stays', '3/cancelled-leaves-queue'],
    (base) => ({
      mayCancel: (status) => status === 'IN_PROGRESS',
      cancelOfEnded: (job) => (job.status === 'IN_QUEUE' ? 'done' : base.cancelOfEnded(job)),
    }),
  ),
  fault(
    'retry-not-of-runsync',
    '/retry refuses jobs submitted by /runsync',
    ['4.6/retries-runsync-job'],
    (base) => ({
      mayRetry: (status, retries, job) => job.op === 'run' && base.mayRetry(status, retries, job),
    }),
  ),
  fault(
    'retry-not-of-crashed',
    '/retry refuses jobs whose worker died',
    ['3/retry-requeues-failed'],
    (base) => ({
      mayRetry: (status, retries, job) => !job.crashed && base.mayRetry(status, retries, job),
    }),
  ),
  fault(
    'retry-feigned-while-running',
    '/retry of a running job answers IN_QUEUE, but has no effect',
    ['4.6/refused-in-progress'],
    (base) => ({
      retryOfOther: (job) => (job.status === 'IN_PROGRESS' ? 'done' : base.retryOfOther(job)),
    }),
  ),
  fault(
    'retry-feigned-after-cancel',
    '/retry of a cancelled job answers IN_QUEUE, but has no effect',
    ['4.6/refused-for-cancelled'],
    (base) => ({
      retryOfOther: (job) => (job.status === 'CANCELLED' ? 'done' : base.retryOfOther(job)),
    }),
  ),
  fault(
    'retry-of-failed-feigned',
    '/retry of a failed job answers IN_QUEUE, but has no effect',
    ['3/retry-requeues-failed', '4.6/retried-job-runs', '3/failed-stays', '1/every-job-is-processed'],
    () => ({
      mayRetry: (status) => status === 'TIMED_OUT',
      retryOfOther: (job) => (job.status === 'FAILED' ? 'done' : 400),
    }),
  ),
  fault(
    'execution-time-from-submission-after-retry',
    'the executionTime of a retried job counts from its submission',
    ['2.4/execution-time-excludes-waiting', '2.4/execution-time-measures-run'],
    (base) => ({
      executionTimeMs: (job, nowMs) =>
        job.retries > 0 && job.endedMs !== null
          ? job.endedMs - job.submittedMs
          : base.executionTimeMs(job, nowMs),
    }),
  ),
  fault(
    'execution-time-of-earlier-runs',
    'the executionTime of a retried job leaves out its last run',
    ['2.4/execution-time-measures-run'],
    (base) => ({
      executionTimeMs: (job, nowMs) =>
        job.retries > 0 && job.endedMs !== null ? job.ranBeforeMs : base.executionTimeMs(job, nowMs),
    }),
  ),
  fault(
    'wait-shared',
    'later calls without `wait` use the last `wait` given',
    ['4.1/wait-per-call', '4.1/wait-default-not-early', '4.1/wait-default-answers'],
    (base) => {
      let last: number | null = null;
      return { waitMs: (asked) => base.waitMs((last = asked ?? last)) };
    },
  ),
  fault(
    'wait-default-none',
    '/runsync without `wait` does not wait',
    ['4.1/wait-default-not-early', '4.1/wait-optional', '4.1/wait-answers-on-completion'],
    () => ({ waitMs: (asked) => asked ?? 0 }),
  ),
  fault(
    'wait-at-most-default',
    'a `wait` above one minute is cut to one minute',
    ['4.1/wait-max-honoured', '4.1/wait-not-early', '4.1/wait-default-not-early'],
    () => ({ waitMs: (asked) => Math.min(60_000, asked ?? 90_000) }),
  ),
  fault(
    'wait-fails-job',
    'a job becomes FAILED when the `wait` of its call ends first',
    ['4.1/wait-leaves-job-alive', '3/not-completed-before-handler-ends'],
    (base) => {
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
  ),
  fault(
    'delay-time-missing-after-retry',
    'the record of a retried job holds no delayTime',
    ['2.4/delay-time-in-status'],
    (base) => ({
      delayTimeShown: (job) => (job.retries > 0 ? 'absent' : base.delayTimeShown(job)),
    }),
  ),
  fault(
    'purge-spares-low-priority',
    '/purge-queue does not remove waiting jobs with lowPriority',
    ['4.7/removes-waiting-low-priority', '4.7/removes-all-waiting', '4.7/purged-jobs-never-run'],
    (base) => ({
      purgeRemoves: (job) => job.submission.policy.lowPriority !== true && base.purgeRemoves(job),
    }),
  ),
  fault(
    'purge-spares-with-webhook',
    '/purge-queue does not remove waiting jobs with a webhook',
    ['4.7/removes-all-waiting', '4.7/purged-jobs-never-run'],
    (base) => ({ purgeRemoves: (job) => job.submission.webhook === null && base.purgeRemoves(job) }),
  ),
  fault(
    'purge-removes-failed',
    '/purge-queue also removes failed jobs',
    ['4.7/keeps-finished', '2.6/removed-counts-queued'],
    (base) => ({ purgeRemoves: (job) => job.status === 'FAILED' || base.purgeRemoves(job) }),
  ),
  fault(
    'purge-removes-cancelled',
    '/purge-queue also removes and counts cancelled jobs',
    ['3/cancelled-leaves-queue', '2.6/removed-counts-queued', '4.7/empty-queue-removes-nothing'],
    (base) => ({ purgeRemoves: (job) => job.status === 'CANCELLED' || base.purgeRemoves(job) }),
  ),
  fault(
    'purge-closes-queue',
    'no job starts after /purge-queue',
    ['4.7/later-jobs-unaffected', '1/free-worker-takes-job', '1/every-job-is-processed'],
    (base) => {
      let closed = 0;
      return {
        purgeCount: (removed, running) => ((closed = 1), base.purgeCount(removed, running)),
        mayStart: (job, here, all) => closed === 0 && base.mayStart(job, here, all),
      };
    },
  ),
] as const;
