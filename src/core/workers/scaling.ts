/**
 * Starts and stops the endpoint's own workers: between a minimum and a maximum, with a cold start and an idle
 * timeout. A fixed number of workers is the case in which minimum and maximum are equal.
 */
import { isSet } from '../deadlines.js';
import type { Worker } from './worker-pool.js';
import type { ServiceState } from '../state.js';
import type { Scaling } from './scaling-settings.js';
import type { Endpoint, Job, ReleaseReason } from '../entities.js';

/**
 * The least time that a worker stays on when it is still needed: an idle timeout of 0 would fire again and
 * again.
 */
const WANTED_AGAIN_MS = 1_000;

export const fixedScaling = (workers: number): Scaling => ({
  min: workers,
  max: workers,
  coldStartMs: 0,
  idleTimeoutMs: null,
  scaler: null,
});

/** Starts workers up to the minimum. */
export function startMinimum(state: ServiceState, endpoint: Endpoint, nowMs: number): void {
  while (endpoint.pool.own.size < endpoint.scaling.min) startWorker(state, endpoint, nowMs);
}

/** Starts the workers that the scaler asks for; true when a worker is free now. */
export function scaleUp(state: ServiceState, endpoint: Endpoint, nowMs: number): boolean {
  const { pool } = endpoint;
  const wanted = workersWanted(state, endpoint);
  for (let count = 0; count < wanted; count++) startWorker(state, endpoint, nowMs);
  return wanted > 0 && pool.nextFree !== undefined;
}

/** How many workers the scaler would start now. @param without decides as if this worker had stopped */
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

/** Updates whether this job counts for scaling. Called after each transition of the job. */
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
  job.scaleTimer = state.deadlines.set('scale', job, dueMs, (atMs) => {
    endpoint.overdueJobs.add(job);
    if (scaleUp(state, endpoint, atMs)) endpoint.offer(atMs);
  });
}

function clearScalingTrigger(state: ServiceState, job: Job): void {
  if (job.endpoint.scalingJobs.size === 0) return;
  state.deadlines.drop(job.scaleTimer);
  job.scaleTimer = null;
  job.endpoint.scalingJobs.delete(job);
  job.endpoint.overdueJobs.delete(job);
}

function startWorker(state: ServiceState, endpoint: Endpoint, nowMs: number): void {
  const worker = endpoint.pool.add();
  const coldStartMs = state.rules.coldStartMs(endpoint.scaling.coldStartMs);
  if (coldStartMs === 0) return becomesReady(state, endpoint, worker, nowMs);
  worker.timer = state.deadlines.set('cold-start', worker, nowMs + coldStartMs, (atMs) => {
    becomesReady(state, endpoint, worker, atMs);
    endpoint.offer(atMs);
  });
}

/**
 * The worker has free slots. When there are too many workers, it takes no more jobs, and stops after its last
 * one.
 */
function becomesReady(state: ServiceState, endpoint: Endpoint, worker: Worker, nowMs: number): void {
  const { pool, scaling } = endpoint;
  const surplus = pool.own.size > scaling.max;
  const empty = worker.usedSlots + worker.restartingSlots === 0;
  if (surplus && empty) return stopWorker(state, endpoint, worker);
  pool.setState(worker, 'ready', 0);
  if (!surplus) restoreCapacity(endpoint, worker);
  if (empty) becomesIdle(state, endpoint, worker, nowMs);
}

/** All free slots of the worker can take jobs. */
export function restoreCapacity({ pool, jobsPerWorker }: Endpoint, worker: Worker): void {
  if (worker.state === 'ready')
    pool.setCapacity(worker, jobsPerWorker - worker.usedSlots - worker.restartingSlots);
}

/**
 * The worker stops after the idle timeout, unless the scaler would start another one in its place: a job may
 * be waiting while its dispatch takes time. Then the worker stays for another idle timeout.
 */
function becomesIdle(state: ServiceState, endpoint: Endpoint, worker: Worker, nowMs: number): void {
  const timeoutMs = state.rules.idleTimeoutMs(endpoint.scaling.idleTimeoutMs);
  if (timeoutMs === null) return;
  const stopAfter = (fromMs: number, idleMs: number): void => {
    worker.timer = state.deadlines.set('idle-stop', worker, fromMs + idleMs, (atMs) => {
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

/** A job of this worker has ended. */
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
  // An external worker asks for the next job itself.
  if (worker.external) return pool.setSlots(worker, usedSlots);
  const restartMs = state.rules.restartMs(reason);
  if (restartMs === 0) {
    pool.setSlots(worker, usedSlots);
    return becomesReady(state, endpoint, worker, nowMs);
  }
  pool.setSlots(worker, usedSlots, worker.restartingSlots + 1);
  state.deadlines.set('restart', worker, nowMs + restartMs, (atMs) => {
    if (worker.state === 'gone') return;
    pool.setSlots(worker, worker.usedSlots, worker.restartingSlots - 1);
    becomesReady(state, endpoint, worker, atMs);
    endpoint.offer(atMs);
  });
}

/** A worker has died; a new one starts in its place. */
export function replaceWorker(state: ServiceState, endpoint: Endpoint, worker: Worker, nowMs: number): void {
  stopWorker(state, endpoint, worker);
  if (state.rules.replacesCrashedWorker() && endpoint.pool.own.size < endpoint.scaling.max)
    startWorker(state, endpoint, nowMs);
}
