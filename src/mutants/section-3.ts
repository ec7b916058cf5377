/** Violations of sections 3, 4.5 to 4.7: transitions of jobs, cancel, retry, purge. */
import { fault } from './mutant.js';

export const SECTION_3 = [
  fault(
    'crash-forgotten',
    'a job whose worker died stays IN_PROGRESS',
    ['3/worker-crash-fails', '1/every-job-is-processed'],
    (base) => ({
      endingOf: (report) => (report.kind === 'crash' ? null : base.endingOf(report)),
    }),
  ),
  fault(
    'crash-takes-others',
    'when a worker dies, the jobs of the other workers are lost, too',
    ['3/crash-leaves-other-jobs-alone'],
    () => ({ lostWith: () => true }),
  ),
  fault(
    'error-completes',
    'a handler error ends in COMPLETED',
    ['3/handler-error-fails-run', '3/handler-error-fails-runsync'],
    (base) => ({
      endingOf: (report) =>
        report.kind === 'error'
          ? { status: 'COMPLETED', output: report.message, error: null }
          : base.endingOf(report),
    }),
  ),
  fault(
    'error-runs-again',
    'a job that failed runs again without a /retry',
    ['3/no-return-to-queue', '3/handler-error-fails-run'],
    () => ({
      redispatchesAfter: (job, report) => report.kind === 'error' && job.redispatches < 1,
    }),
  ),
  fault(
    'progress-shown-as-queued',
    '/status shows running jobs as waiting',
    ['3/start-moves-to-in-progress', '4.3/shows-current-state', '1/free-worker-takes-job'],
    (base) => ({
      statusShown: (job, view) =>
        view === 'status' && job.status === 'IN_PROGRESS' ? 'IN_QUEUE' : base.statusShown(job, view),
    }),
  ),
  fault(
    'completed-too-soon',
    '/status shows running jobs as completed',
    ['3/not-completed-before-handler-ends', '3/start-moves-to-in-progress'],
    (base) => ({
      statusShown: (job, view) =>
        view === 'status' && job.status === 'IN_PROGRESS' ? 'COMPLETED' : base.statusShown(job, view),
    }),
  ),
  fault(
    'cancel-finds-nothing',
    '/cancel answers 404 for every job',
    ['4/operation-cancel', '3/cancel-queued', '3/cancel-running'],
    (base) => ({
      jobVisibleFrom: (own, asked, op) => op !== 'cancel' && base.jobVisibleFrom(own, asked, op),
    }),
  ),
  fault(
    'cancel-only-queued',
    'a running job cannot be cancelled',
    ['3/cancel-running', '4.5/status-cancelled-running'],
    () => ({
      mayCancel: (status) => status === 'IN_QUEUE',
    }),
  ),
  fault(
    'cancel-only-running',
    'a waiting job cannot be cancelled',
    ['3/cancel-queued', '4.5/status-cancelled-queued'],
    () => ({
      mayCancel: (status) => status === 'IN_PROGRESS',
    }),
  ),
  fault(
    'cancel-fails-job',
    'a cancelled job becomes FAILED',
    ['4.5/status-cancelled-queued', '4.5/status-cancelled-running', '3/cancel-queued', '3/cancel-running'],
    () => ({
      cancelEnding: () => ({ status: 'FAILED', output: undefined, error: 'cancelled' }),
    }),
  ),
  fault(
    'cancelled-completes',
    'a job cancelled while running still becomes COMPLETED',
    ['3/cancelled-never-completes', '3/cancelled-stays'],
    () => ({
      stopsHandlerOn: (reason) => reason !== 'cancel',
      reportCounts: (job) => job.status === 'IN_PROGRESS' || job.status === 'CANCELLED',
    }),
  ),
  fault(
    'cancelled-streams-on',
    'a job cancelled while running keeps streaming',
    ['3/cancelled-stops-streaming'],
    () => ({
      stopsHandlerOn: (reason) => reason !== 'cancel',
      reportCounts: (job, report) =>
        job.status === 'IN_PROGRESS' || (job.status === 'CANCELLED' && report.kind === 'stream'),
    }),
  ),
  fault(
    'cancel-keeps-worker',
    'a worker whose job was cancelled is never free again',
    ['3/cancel-frees-worker', '1/freed-worker-takes-waiting-job'],
    (base) => ({
      freesWorkerOn: (reason) => reason !== 'cancel' && base.freesWorkerOn(reason),
    }),
  ),
  fault(
    'cancel-frees-twice',
    'a cancelled job frees its worker twice, so that the worker runs two jobs at once',
    ['1/no-more-jobs-in-progress-than-workers', '1/waits-when-no-worker-free'],
    () => ({ slotsReleased: (reason) => (reason === 'cancel' ? 2 : 1) }),
  ),
  fault('retry-not-timed-out', '/retry refuses timed-out jobs', ['3/retry-requeues-timed-out'], () => ({
    mayRetry: (status) => status === 'FAILED',
  })),
  fault('retry-not-failed', '/retry refuses failed jobs', ['3/retry-requeues-failed'], () => ({
    mayRetry: (status) => status === 'TIMED_OUT',
  })),
  fault(
    'retry-completed',
    '/retry requeues completed jobs',
    ['4.6/no-effect-on-completed', '4.6/refused-for-completed', '3/completed-stays'],
    (base) => ({
      mayRetry: (status, retries, job) => status === 'COMPLETED' || base.mayRetry(status, retries, job),
    }),
  ),
  fault(
    'retry-cancelled',
    '/retry requeues cancelled jobs',
    ['4.6/no-effect-on-cancelled', '4.6/refused-for-cancelled', '3/cancelled-stays'],
    (base) => ({
      mayRetry: (status, retries, job) => status === 'CANCELLED' || base.mayRetry(status, retries, job),
    }),
  ),
  fault(
    'retry-feigned',
    '/retry of a completed job answers IN_QUEUE, but has no effect',
    ['4.6/refused-for-completed'],
    (base) => ({
      retryOfOther: (job) => (job.status === 'COMPLETED' ? 'done' : base.retryOfOther(job)),
    }),
  ),
  fault('retry-once', 'a job can be retried only once', ['4.6/failed-again-can-be-retried'], (base) => ({
    mayRetry: (status, retries, job) => retries < 1 && base.mayRetry(status, retries, job),
  })),
  fault(
    'retry-loses-input',
    'a retried job runs with an empty input',
    ['4.6/keeps-input', '4.6/retried-job-runs'],
    (base) => ({
      inputForHandler: (job) => (job.retries > 0 ? {} : base.inputForHandler(job)),
    }),
  ),
  fault(
    'retry-keeps-output',
    'a retried job shows the reason of its earlier failure as its output',
    ['4.6/removes-output'],
    (base) => ({
      clearsOutputOnRetry: () => false,
      outputShown: (job, view) =>
        job.retries > 0 && job.endedMs === null ? { error: job.error } : base.outputShown(job, view),
    }),
  ),
  fault(
    'retry-keeps-stream',
    'after /retry the chunks of the previous run are still delivered',
    ['4.6/removes-stream', '2.4/output-object-unchanged'],
    () => ({
      clearsChunksOnRetry: () => false,
    }),
  ),
  fault(
    'retry-status-kept',
    '/retry answers with the state the job had before',
    ['4.6/status-in-queue'],
    (base) => ({
      statusShown: (job, view) => (view === 'retry' ? 'FAILED' : base.statusShown(job, view)),
    }),
  ),
  fault(
    'retry-loses-policy',
    'a retried job runs with the default executionTimeout',
    ['4.6/keeps-policy'],
    (base) => ({
      executionTimeoutMs: (job) => (job.retries > 0 ? 600_000 : base.executionTimeoutMs(job)),
    }),
  ),
  fault(
    'retry-without-timeout',
    'executionTimeout is not enforced in the run after a retry',
    ['2.2/execution-timeout-stops-retried', '4.6/keeps-policy'],
    (base) => ({
      executionTimeoutMs: (job) =>
        job.retries > 0 ? Number.POSITIVE_INFINITY : base.executionTimeoutMs(job),
    }),
  ),
  fault(
    'retry-not-run',
    'a retried job waits until another job ends',
    ['4.6/retried-job-runs', '1/free-worker-takes-job', '1/every-job-is-processed'],
    () => ({
      dispatchesOn: (occasion) => occasion !== 'retry',
    }),
  ),
  fault(
    'purge-kills-running',
    '/purge-queue also removes running jobs',
    ['4.7/keeps-running', '2.6/removed-counts-queued'],
    () => ({
      purgeRemoves: (job) => job.endedMs === null,
    }),
  ),
  fault(
    'purge-removes-finished',
    '/purge-queue also removes finished jobs',
    ['4.7/keeps-finished', '2.6/removed-counts-queued'],
    () => ({
      purgeRemoves: (job) => job.status !== 'IN_PROGRESS',
    }),
  ),
  fault(
    'purge-spares-runsync',
    '/purge-queue does not remove waiting /runsync jobs',
    ['4.7/removes-waiting-runsync', '4.7/removes-all-waiting', '4.7/purged-jobs-never-run'],
    (base) => ({
      purgeRemoves: (job) => job.op === 'run' && base.purgeRemoves(job),
    }),
  ),
  fault(
    'purge-spares-retried',
    '/purge-queue does not remove retried jobs that wait',
    ['4.7/removes-waiting-retried', '4.7/removes-all-waiting'],
    (base) => ({
      purgeRemoves: (job) => job.retries === 0 && base.purgeRemoves(job),
    }),
  ),
] as const;
