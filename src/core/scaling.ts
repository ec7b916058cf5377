/**
 * The endpoint's own workers come and go: between a minimum and a maximum, after a cold start, until they have been
 * idle for too long. A fixed number of workers is the plainest scaling: minimum and maximum are one.
 */
import { isSet } from './deadlines.js';
import type { Worker } from './worker-pool.js';
import type { ServiceState } from './state.js';
import type { Scaling } from './scaling-settings.js';
import type { Endpoint, Job, ReleaseReason } from './entities.js';

/** The least that a worker stays on when it is still wanted: an idle time of nothing would be over at once, again and again. */
const WANTED_AGAIN_MS = 1_000;

export const fixedScaling = (workers: number): Scaling => ({
  min: workers,
  max: workers,
  coldStartMs: 0,
  idleTimeoutMs: null,
  scaler: null,
});

/** As many workers as must be there whatever waits. */
export function startMinimum(state: ServiceState, endpoint: Endpoint, nowMs: number): void {
  while (endpoint.pool.own.size < endpoint.scaling.min) startWorker(state, endpoint, nowMs);
}

/** Starts workers for the jobs that wait, where the scaler wants them; true when some can work at once. */
export function scaleUp(state: ServiceState, endpoint: Endpoint, nowMs: number): boolean {
  const { pool } = endpoint;
  const wanted = workersWanted(state, endpoint);
  for (let count = 0; count < wanted; count++) startWorker(state, endpoint, nowMs);
  return wanted > 0 && pool.nextFree !== undefined;
}

/** How many workers the scaler would start now, or would if one were not there. */
function workersWanted(state: ServiceState, endpoint: Endpoint, without: Worker | null = null): number {
  const { pool, scaling, jobsPerWorker, scalingJobs, overdueJobs, held } = endpoint;
  if (scaling.scaler === null || scalingJobs.size === 0) return 0;
  return state.rules.workersToStart(scaling, {
    own: pool.own.size - (without === null ? 0 : 1),
    starting: pool.starting,
    capacity: pool.capacity - (without?.capacity ?? 0),
    slots: jobsPerWorker,
    waiting: scalingJobs.size,
    overdue: overdueJobs.size,
    running: held.IN_PROGRESS,
  });
}

/** Whether this job, where it is now, may make the endpoint start workers. Asked at each step of its life. */
export function updateScalingTrigger(state: ServiceState, job: Job): void {
  const { endpoint } = job;
  const { scaler } = endpoint.scaling;
  const waits = job.status === 'IN_QUEUE' && job.present;
  if (scaler === null || !waits || !state.rules.triggersScaling(job)) return clearScalingTrigger(state, job);
  endpoint.scalingJobs.add(job);
  if (scaler.kind !== 'queue-delay' || endpoint.overdueJobs.has(job)) return;
  const dueMs = job.queuedMs + scaler.delayMs;
  if (isSet(job.scaleTimer) && job.scaleTimer.atMs === dueMs) return;
  state.deadlines.drop(job.scaleTimer);
  job.scaleTimer = state.deadlines.set(dueMs, (atMs) => {
    endpoint.overdueJobs.add(job);
    if (scaleUp(state, endpoint, atMs)) endpoint.offer(atMs);
  });
}

function clearScalingTrigger(state: ServiceState, job: Job): void {
  state.deadlines.drop(job.scaleTimer);
  job.scaleTimer = null;
  job.endpoint.scalingJobs.delete(job);
  job.endpoint.overdueJobs.delete(job);
}

function startWorker(state: ServiceState, endpoint: Endpoint, nowMs: number): void {
  const worker = endpoint.pool.add();
  const coldStartMs = state.rules.coldStartMs(endpoint.scaling.coldStartMs);
  if (coldStartMs === 0) return becomesReady(state, endpoint, worker, nowMs);
  worker.timer = state.deadlines.set(nowMs + coldStartMs, (atMs) => {
    becomesReady(state, endpoint, worker, atMs);
    endpoint.offer(atMs);
  });
}

/** It has free slots again, unless there are too many workers: then it takes no more jobs, and goes after its last. */
function becomesReady(state: ServiceState, endpoint: Endpoint, worker: Worker, nowMs: number): void {
  const { pool, scaling } = endpoint;
  const surplus = pool.own.size > scaling.max;
  const empty = worker.usedSlots + worker.restartingSlots === 0;
  if (surplus && empty) return stopWorker(state, endpoint, worker);
  pool.update(worker, { state: 'there', capacity: 0 });
  if (!surplus) restoreCapacity(endpoint, worker);
  if (empty) becomesIdle(state, endpoint, worker, nowMs);
}

/** All its slots that are free take jobs again. */
export function restoreCapacity({ pool, jobsPerWorker }: Endpoint, worker: Worker): void {
  if (worker.state === 'there')
    pool.update(worker, { capacity: jobsPerWorker - worker.usedSlots - worker.restartingSlots });
}

/**
 * It stops when its idle time is over, unless the scaler would start another in its place: a job may wait beside
 * a free worker while its dispatch takes time. Such a worker stays for another idle time.
 */
function becomesIdle(state: ServiceState, endpoint: Endpoint, worker: Worker, nowMs: number): void {
  const timeoutMs = state.rules.idleTimeoutMs(endpoint.scaling.idleTimeoutMs);
  if (timeoutMs === null) return;
  const stopAfter = (fromMs: number, idleMs: number): void => {
    worker.timer = state.deadlines.set(fromMs + idleMs, (atMs) => {
      if (endpoint.pool.own.size <= endpoint.scaling.min) return;
      if (workersWanted(state, endpoint, worker) <= 0) return stopWorker(state, endpoint, worker);
      stopAfter(atMs, Math.max(timeoutMs, WANTED_AGAIN_MS));
    });
  };
  stopAfter(nowMs, timeoutMs);
}

export function stopWorker(state: ServiceState, endpoint: Endpoint, worker: Worker): void {
  state.deadlines.drop(worker.timer);
  endpoint.pool.remove(worker);
}

/** A worker has come to the end of a job. */
export function freeSlot(
  state: ServiceState,
  endpoint: Endpoint,
  worker: Worker,
  reason: ReleaseReason,
  nowMs: number,
): void {
  if (worker.state === 'gone') return;
  const { pool } = endpoint;
  const usedSlots = worker.usedSlots - state.rules.slotsReleased(reason);
  // An external worker asks when it wants another.
  if (worker.external) return pool.update(worker, { usedSlots });
  const restartMs = state.rules.restartMs(reason);
  if (restartMs === 0) {
    pool.update(worker, { usedSlots });
    return becomesReady(state, endpoint, worker, nowMs);
  }
  pool.update(worker, { usedSlots, restartingSlots: worker.restartingSlots + 1 });
  state.deadlines.set(nowMs + restartMs, (atMs) => {
    if (worker.state === 'gone') return;
    pool.update(worker, { restartingSlots: worker.restartingSlots - 1 });
    becomesReady(state, endpoint, worker, atMs);
    endpoint.offer(atMs);
  });
}

/** A worker has died; a fresh one starts in its place. */
export function replaceWorker(state: ServiceState, endpoint: Endpoint, worker: Worker, nowMs: number): void {
  stopWorker(state, endpoint, worker);
  if (state.rules.replacesCrashedWorker() && endpoint.pool.own.size < endpoint.scaling.max)
    startWorker(state, endpoint, nowMs);
}
