/**
 * The ways back into the queue (sections 3, 4.6): by `/retry`, or because the service runs a job again by
 * itself.
 */
import { noteJob } from '../saved/changes.js';
import type { Job, ReleaseReason } from '../entities.js';
import { changeStatus, dispatch, endJob, forgetAttempt, releaseWorker, setTimers } from '../lifecycle.js';
import type { ServiceState } from '../state.js';

/** FAILED or TIMED_OUT → IN_QUEUE. The caller makes its reply first and then calls `dispatch`. */
export function retryJob(state: ServiceState, job: Job, nowMs: number): void {
  const { endpoint } = job;
  forgetAttempt(state, job);
  const id = state.rules.idOnRetry(job, () => state.makeId(endpoint.id, job.op !== 'run'));
  if (id !== job.id) changeId(state, job, id);
  endpoint.retriedFrom[job.status]++;
  job.retries++;
  requeue(state, job, nowMs);
}

/** The job's worker died, left, or sent no heartbeat for too long. */
export function loseWorker(state: ServiceState, job: Job, nowMs: number): void {
  forgetAttempt(state, job);
  if (state.rules.redispatchesWhenLost(job)) return redispatch(state, job, 'worker-lost', nowMs);
  job.crashed = true;
  endJob(state, job, state.rules.lostEnding(job), 'worker-lost', nowMs);
}

/** IN_PROGRESS → IN_QUEUE, to its old place: the job never reached the worker that it was given to. */
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

/** Clears what the last run left, and puts the job into the queue. */
export function requeue(state: ServiceState, job: Job, nowMs: number, place = state.rules.retryGoes()): void {
  const { endpoint } = job;
  if (state.rules.clearsOutputOnRetry()) {
    job.output = undefined;
    job.error = null;
    job.progress = undefined;
  }
  if (state.rules.clearsChunksOnRetry()) {
    job.chunks = [];
    job.streamed = [];
    job.chunksRead = 0;
  }
  if (job.startedMs !== null) {
    job.waitedBeforeMs += job.startedMs - job.queuedMs;
    job.ranBeforeMs += (job.endedMs ?? nowMs) - job.startedMs;
  }
  job.attempt = null;
  job.startedMs = null;
  job.endedMs = null;
  job.worker = null;
  job.crashed = false;
  job.queuedMs = nowMs;
  changeStatus(job, 'IN_QUEUE');
  if (place === 'front') endpoint.queue.addFirst(job);
  else if (place === 'back') endpoint.queue.add(job);
  else for (const other of endpoint.queue.addBySubmission(job)) noteJob(state, other);
  setTimers(state, job, nowMs);
}

function changeId(state: ServiceState, job: Job, id: string): void {
  noteJob(state, job);
  state.jobs.remove(job);
  job.endpoint.jobs.remove(job);
  job.id = id;
  state.jobs.add(job);
  job.endpoint.jobs.add(job);
}
