/** What becomes of a job whose worker is lost, or that the service runs again for another reason (section 3). */
import { dispatch, end, forgetAttempt, release } from './lifecycle.js';
import type { Machine } from './machine.js';
import { backToQueue } from './requeue.js';
import type { Job, ReleaseReason } from './state.js';

/** The worker that ran it died, fell silent or left. */
export function lose(m: Machine, job: Job, nowMs: number): void {
  forgetAttempt(m, job);
  if (m.rules.runsAgainWhenLost(job)) return redispatch(m, job, 'worker-lost', nowMs);
  job.crashed = true;
  end(m, job, m.rules.lostEnding(job), 'worker-lost', nowMs);
}

/** IN_PROGRESS → IN_QUEUE, at its old place: the worker it was given to has not learnt of it. */
export function giveBack(m: Machine, job: Job, nowMs: number): void {
  forgetAttempt(m, job);
  release(m, job, 'worker-lost', nowMs);
  backToQueue(m, job, nowMs, 'front');
  job.ranBefore = job.retries + job.redispatches > 0;
  dispatch(m, job.endpoint, 'worker-free', nowMs);
}

/** IN_PROGRESS → IN_QUEUE: the service runs the job again by itself. */
export function redispatch(m: Machine, job: Job, reason: ReleaseReason, nowMs: number): void {
  release(m, job, reason, nowMs);
  job.redispatches++;
  job.endpoint.redispatched++;
  backToQueue(m, job, nowMs);
  dispatch(m, job.endpoint, 'worker-free', nowMs);
}
