/** Requirements whose violation makes doubtful what is deduced from the queue: when a job left it, and how. */
import type { RequirementId } from '../../spec/index.js';

type Ids = readonly RequirementId[];

/** Violated if jobs wait that should run. */
export const STARTED_LATE: Ids = [
  '1/free-worker-takes-job',
  '1/freed-worker-takes-waiting-job',
  '2.2/low-priority-job-runs',
];
/** Violated if a purge has left jobs in the queue, which are counted and complete later. */
export const LEFT_BY_PURGES: Ids = [
  '4.7/removes-all-waiting',
  '4.7/removes-waiting-runsync',
  '4.7/removes-waiting-retried',
  '4.7/removes-waiting-low-priority',
  '4.7/purged-jobs-never-run',
  '2.6/removed-counts-queued',
];
/** Violated if a purge removes jobs that do not wait, and counts them. */
export const TAKEN_BY_PURGES: Ids = ['4.7/keeps-running', '4.7/keeps-finished'];
/** Advice, not followed if a job that ended without failing is processed again. */
export const SECOND_RUN: RequirementId = '1/job-processed-once';
/** Violated if a webhook that fails keeps a worker. */
export const HELD_BY_WEBHOOK: Ids = ['6/failing-webhook-leaves-others-alone'];
/** Violated if jobs live although an answer says that they have ended. */
export const LIVES_ON: Ids = [
  '3/cancel-queued',
  '3/cancel-running',
  '3/cancelled-stays',
  '3/cancelled-never-starts',
  '3/cancelled-never-completes',
  '3/completed-stays',
  '3/failed-stays',
  '3/timed-out-stays',
  '4.5/cancels-runsync-job',
  '4.5/cancels-retried-job',
  '8/refused-call-has-no-effect',
];
/** Violated if jobs live although their ttl is over. */
export const OUTLIVES_TTL: Ids = [
  '2.2/ttl-removes-queued',
  '2.2/ttl-removes-running',
  '2.2/ttl-removes-runsync',
  '2.2/ttl-removes-retried',
  '2.2/ttl-min-enforced',
];
