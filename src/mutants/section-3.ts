/** Violations of sections 3, 4.5 to 4.7: transitions of jobs, cancel, retry, purge. */
import type { Changes } from './mutant.js';

/** Characters of JSON: what a message of many queues holds. */
const LARGE_INPUT = 65_536;

export const SECTION_3: Changes = {
  'crash-forgotten': (base) => ({
    endingOf: (report) => (report.kind === 'crash' ? null : base.endingOf(report)),
  }),
  'crash-takes-others': () => ({ lostWith: () => true }),
  'error-completes': (base) => ({
    endingOf: (report) =>
      report.kind === 'error'
        ? { status: 'COMPLETED', output: report.message, error: null }
        : base.endingOf(report),
  }),
  'error-runs-again': () => ({
    redispatchesAfter: (job, report) => report.kind === 'error' && job.redispatches < 1,
  }),
  'progress-shown-as-queued': (base) => ({
    statusShown: (job, view) =>
      view === 'status' && job.status === 'IN_PROGRESS' ? 'IN_QUEUE' : base.statusShown(job, view),
  }),
  'completed-too-soon': (base) => ({
    statusShown: (job, view) =>
      view === 'status' && job.status === 'IN_PROGRESS' ? 'COMPLETED' : base.statusShown(job, view),
  }),
  'cancel-finds-nothing': (base) => ({
    jobVisibleFrom: (own, asked, op) => op !== 'cancel' && base.jobVisibleFrom(own, asked, op),
  }),
  'cancel-only-queued': () => ({ mayCancel: (status) => status === 'IN_QUEUE' }),
  'cancel-only-running': () => ({ mayCancel: (status) => status === 'IN_PROGRESS' }),
  'cancel-fails-job': () => ({
    cancelEnding: () => ({ status: 'FAILED', output: undefined, error: 'cancelled' }),
  }),
  'cancelled-completes': () => ({
    stopsHandlerOn: (reason) => reason !== 'cancel',
    reportCounts: (job) => job.status === 'IN_PROGRESS' || job.status === 'CANCELLED',
  }),
  'cancelled-streams-on': () => ({
    stopsHandlerOn: (reason) => reason !== 'cancel',
    reportCounts: (job, report) =>
      job.status === 'IN_PROGRESS' || (job.status === 'CANCELLED' && report.kind === 'stream'),
  }),
  'cancel-keeps-worker': (base) => ({
    freesWorkerOn: (reason) => reason !== 'cancel' && base.freesWorkerOn(reason),
  }),
  'cancel-frees-twice': () => ({ slotsReleased: (reason) => (reason === 'cancel' ? 2 : 1) }),
  'retry-not-timed-out': () => ({ mayRetry: (status) => status === 'FAILED' }),
  'retry-not-failed': () => ({ mayRetry: (status) => status === 'TIMED_OUT' }),
  'retry-completed': (base) => ({
    mayRetry: (status, retries, job) => status === 'COMPLETED' || base.mayRetry(status, retries, job),
  }),
  'retry-cancelled': (base) => ({
    mayRetry: (status, retries, job) => status === 'CANCELLED' || base.mayRetry(status, retries, job),
  }),
  'retry-feigned': (base) => ({
    retryOfOther: (job) => (job.status === 'COMPLETED' ? 'done' : base.retryOfOther(job)),
  }),
  'retry-once': (base) => ({
    mayRetry: (status, retries, job) => retries < 1 && base.mayRetry(status, retries, job),
  }),
  'retry-loses-input': (base) => ({
    inputForHandler: (job) => (job.retries > 0 ? {} : base.inputForHandler(job)),
  }),
  'retry-loses-large-input': (base) => ({
    inputForHandler: (job) =>
      job.retries > 0 && JSON.stringify(job.submission.input).length > LARGE_INPUT
        ? {}
        : base.inputForHandler(job),
  }),
  'retry-keeps-output': (base) => ({
    clearsOutputOnRetry: () => false,
    outputShown: (job, view) =>
      job.retries > 0 && job.endedMs === null ? { error: job.error } : base.outputShown(job, view),
  }),
  'retry-keeps-stream': () => ({ clearsChunksOnRetry: () => false }),
  'retry-status-kept': (base) => ({
    statusShown: (job, view) => (view === 'retry' ? 'FAILED' : base.statusShown(job, view)),
  }),
  'retry-loses-policy': (base) => ({
    executionTimeoutMs: (job) => (job.retries > 0 ? 600_000 : base.executionTimeoutMs(job)),
  }),
  'retry-without-timeout': (base) => ({
    executionTimeoutMs: (job) => (job.retries > 0 ? Number.POSITIVE_INFINITY : base.executionTimeoutMs(job)),
  }),
  'retry-not-run': () => ({ dispatchesOn: (occasion) => occasion !== 'retry' }),
  'purge-kills-running': () => ({ purgeRemoves: (job) => job.endedMs === null }),
  'purge-removes-finished': () => ({ purgeRemoves: (job) => job.status !== 'IN_PROGRESS' }),
  'purge-spares-runsync': (base) => ({ purgeRemoves: (job) => job.op === 'run' && base.purgeRemoves(job) }),
  'purge-spares-retried': (base) => ({ purgeRemoves: (job) => job.retries === 0 && base.purgeRemoves(job) }),
};
