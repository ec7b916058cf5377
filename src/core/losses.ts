/** What becomes of a job whose worker is lost, or that the service runs again for another reason (section 3). */
import { dispatch, endJob, forgetAttempt, releaseWorker } from './lifecycle.js';
import type { ServiceState } from './state.js';
import { requeue } from './redelivery.js';
import type { Job, ReleaseReason } from './entities.js';

/** The worker that ran it died, fell silent or left. */
export function loseWorker(state: ServiceState, job: Job, nowMs: number): void {
  forgetAttempt(state, job);
  if (state.rules.redispatchesWhenLost(job)) return redispatch(state, job, 'worker-lost', nowMs);
  job.crashed = true;
  endJob(state, job, state.rules.lostEnding(job), 'worker-lost', nowMs);
}

/** IN_PROGRESS → IN_QUEUE, at its old place: the worker it was given to has not learnt of it. */
export function returnUndelivered(state: ServiceState, job: Job, nowMs: number): void {
  forgetAttempt(state, job);
  releaseWorker(state, job, 'worker-lost', nowMs);
  requeue(state, job, nowMs, 'front');
  job.ranBefore = job.retries + job.redispatches > 0;
  dispatch(state, job.endpoint, 'worker-free', nowMs);
}

/** IN_PROGRESS → IN_QUEUE: the service runs the job again by itself. */
export function redispatch(state: ServiceState, job: Job, reason: ReleaseReason, nowMs: number): void {
  releaseWorker(state, job, reason, nowMs);
  job.redispatches++;
  job.endpoint.redispatched++;
  requeue(state, job, nowMs);
  dispatch(state, job.endpoint, 'worker-free', nowMs);
}
