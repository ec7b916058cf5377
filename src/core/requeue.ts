/** The ways back into the queue (sections 3, 4.6): by `/retry`, or by the service itself. */
import { noteJob } from './changes.js';
import { arm, forgetAttempt, move } from './lifecycle.js';
import type { Machine } from './machine.js';
import type { Job } from './state.js';

/** FAILED or TIMED_OUT → IN_QUEUE. The caller forms its answer, then calls `dispatch`. */
export function requeue(m: Machine, job: Job, nowMs: number): void {
  const { endpoint } = job;
  forgetAttempt(m, job);
  const id = m.rules.idOnRetry(job, () => m.makeId(endpoint.id, job.op !== 'run'));
  if (id !== job.id) rename(m, job, id);
  endpoint.retriedFrom[job.status]++;
  job.retries++;
  backToQueue(m, job, nowMs);
}

/** Forgets the run before; the job waits again. */
export function backToQueue(m: Machine, job: Job, nowMs: number, place = m.rules.retryGoes()): void {
  const { endpoint } = job;
  if (m.rules.clearsOutputOnRetry()) {
    job.output = undefined;
    job.error = null;
    job.progress = undefined;
  }
  if (m.rules.clearsChunksOnRetry()) {
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
  move(job, 'IN_QUEUE');
  if (place === 'front') endpoint.queue.addFirst(job);
  else if (place === 'back') endpoint.queue.add(job);
  else for (const other of endpoint.queue.addBySubmission(job)) noteJob(m, other);
  arm(m, job, nowMs);
}

function rename(m: Machine, job: Job, id: string): void {
  noteJob(m, job);
  m.jobs.delete(job.id);
  job.endpoint.jobs.delete(job.id);
  job.id = id;
  m.jobs.set(id, job);
  job.endpoint.jobs.set(id, job);
}
