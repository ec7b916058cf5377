/** The ways back into the queue (sections 3, 4.6): by `/retry`, or by the service itself. */
import { noteJob } from './changes.js';
import { setTimers, forgetAttempt, changeStatus } from './lifecycle.js';
import type { ServiceState } from './state.js';
import type { Job } from './entities.js';

/** FAILED or TIMED_OUT → IN_QUEUE. The caller forms its answer, then calls `dispatch`. */
export function retryJob(state: ServiceState, job: Job, nowMs: number): void {
  const { endpoint } = job;
  forgetAttempt(state, job);
  const id = state.rules.idOnRetry(job, () => state.makeId(endpoint.id, job.op !== 'run'));
  if (id !== job.id) changeId(state, job, id);
  endpoint.retriedFrom[job.status]++;
  job.retries++;
  requeue(state, job, nowMs);
}

/** Forgets the run before; the job waits again. */
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
  state.jobs.delete(job.id);
  job.endpoint.jobs.delete(job.id);
  job.id = id;
  state.jobs.set(id, job);
  job.endpoint.jobs.set(id, job);
}
