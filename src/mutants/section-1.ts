/** Violations of sections 1 and 9: dispatch, isolation, content type, version. */
import type { Changes } from './mutant.js';

export const SECTION_1: Changes = {
  'freed-worker-stays-idle': () => ({ dispatchesOn: (occasion) => occasion !== 'worker-free' }),
  'idle-worker-ignores-submission': () => ({ dispatchesOn: (occasion) => occasion === 'worker-free' }),
  'one-job-at-a-time-everywhere': () => ({ mayStart: (_job, _here, inAll) => inAll === 0 }),
  'one-job-at-a-time': () => ({ mayStart: (_job, here) => here === 0 }),
  'second-job-while-busy': () => ({ jobsPerWorker: () => 2 }),
  'dead-worker-not-replaced': () => ({ replacesCrashedWorker: () => false }),
  'success-runs-twice': () => ({
    redispatchesAfter: (job, report) => report.kind === 'success' && job.redispatches < 1,
  }),
  'status-across-endpoints': (base) => ({
    jobVisibleFrom: (own, asked, op) => op === 'status' || base.jobVisibleFrom(own, asked, op),
  }),
  'stream-across-endpoints': (base) => ({
    jobVisibleFrom: (own, asked, op) => op === 'stream' || base.jobVisibleFrom(own, asked, op),
  }),
  'cancel-across-endpoints': (base) => ({
    jobVisibleFrom: (own, asked, op) => op === 'cancel' || base.jobVisibleFrom(own, asked, op),
  }),
  'retry-across-endpoints': (base) => ({
    jobVisibleFrom: (own, asked, op) => op === 'retry' || base.jobVisibleFrom(own, asked, op),
  }),
  'purge-everywhere': () => ({ purgeReaches: () => true }),
  'health-of-last-endpoint': (base) => ({
    healthOf: (_own, everywhere) => base.healthOf(everywhere().at(-1)!, everywhere),
  }),
  'answers-as-text': () => ({ contentType: () => 'text/plain' }),
  'errors-as-html': (base) => ({
    contentType: (code) => (code < 400 ? base.contentType(code) : 'text/html'),
  }),
  'any-version': () => ({ versionServed: () => true }),
};
