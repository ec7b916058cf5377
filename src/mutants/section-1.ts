/** Violations of sections 1 and 9: dispatch, isolation, content type, version. */
import { fault } from './mutant.js';

export const SECTION_1 = [
  fault(
    'freed-worker-stays-idle',
    'a worker that becomes free takes no waiting job until the next submission',
    ['1/freed-worker-takes-waiting-job', '1/every-job-is-processed'],
    () => ({ dispatchesOn: (occasion) => occasion !== 'worker-free' }),
  ),
  fault(
    'idle-worker-ignores-submission',
    'a job submitted while a worker is free waits until another job ends',
    ['1/free-worker-takes-job', '1/every-job-is-processed'],
    () => ({ dispatchesOn: (occasion) => occasion === 'worker-free' }),
  ),
  fault(
    'one-job-at-a-time-everywhere',
    'a job starts only when all workers of all endpoints are idle',
    ['1/endpoints-isolated-workers', '1/free-worker-takes-job'],
    () => ({ mayStart: (_job, _here, inAll) => inAll === 0 }),
  ),
  fault(
    'one-job-at-a-time',
    'a job starts only when all workers of the endpoint are idle',
    ['1/free-worker-takes-job', '1/every-job-is-processed'],
    () => ({ mayStart: (_job, here) => here === 0 }),
  ),
  fault(
    'second-job-while-busy',
    'a worker takes a second job while it runs one',
    ['1/no-more-jobs-in-progress-than-workers', '1/waits-when-no-worker-free'],
    () => ({ jobsPerWorker: () => 2 }),
  ),
  fault(
    'dead-worker-not-replaced',
    'a worker that died is never replaced',
    ['1/every-job-is-processed', '1/freed-worker-takes-waiting-job'],
    () => ({ replacesCrashedWorker: () => false }),
  ),
  fault(
    'success-runs-twice',
    'a job that succeeded runs a second time',
    ['1/job-processed-once', '3/no-return-to-queue'],
    () => ({ redispatchesAfter: (job, report) => report.kind === 'success' && job.redispatches < 1 }),
  ),
  fault(
    'status-across-endpoints',
    '/status finds jobs of other endpoints',
    ['1/endpoints-isolated-status'],
    (base) => ({
      jobVisibleFrom: (own, asked, op) => op === 'status' || base.jobVisibleFrom(own, asked, op),
    }),
  ),
  fault(
    'stream-across-endpoints',
    '/stream finds jobs of other endpoints',
    ['1/endpoints-isolated-stream'],
    (base) => ({
      jobVisibleFrom: (own, asked, op) => op === 'stream' || base.jobVisibleFrom(own, asked, op),
    }),
  ),
  fault(
    'cancel-across-endpoints',
    '/cancel finds jobs of other endpoints',
    ['1/endpoints-isolated-cancel'],
    (base) => ({
      jobVisibleFrom: (own, asked, op) => op === 'cancel' || base.jobVisibleFrom(own, asked, op),
    }),
  ),
  fault(
    'retry-across-endpoints',
    '/retry finds jobs of other endpoints',
    ['1/endpoints-isolated-retry'],
    (base) => ({ jobVisibleFrom: (own, asked, op) => op === 'retry' || base.jobVisibleFrom(own, asked, op) }),
  ),
  fault(
    'purge-everywhere',
    '/purge-queue empties the queues of all endpoints',
    ['1/endpoints-isolated-purge'],
    () => ({ purgeReaches: () => true }),
  ),
  fault(
    'health-of-last-endpoint',
    '/health shows the jobs of another endpoint',
    ['1/endpoints-isolated-health'],
    (base) => ({
      healthOf: (_own, everywhere) => base.healthOf(everywhere().at(-1)!, everywhere),
    }),
  ),
  fault(
    'answers-as-text',
    'JSON answers have the content type text/plain',
    ['1/json-content-type-run', '1/json-content-type-status'],
    () => ({
      contentType: () => 'text/plain',
    }),
  ),
  fault(
    'errors-as-html',
    'error answers have the content type text/html',
    ['1/json-error-content-type-404', '1/json-error-content-type-400'],
    (base) => ({
      contentType: (code) => (code < 400 ? base.contentType(code) : 'text/html'),
    }),
  ),
  fault('any-version', 'any version segment in the path is accepted', ['9/other-version-not-served'], () => ({
    versionServed: () => true,
  })),
] as const;
