/**
 * The endpoint's own workers come and go: between a minimum and a maximum, after a cold start, until they have been
 * idle for too long. A fixed number of workers is the plainest scaling: minimum and maximum are one.
 */
import type { Worker } from './fleet.js';
import type { Machine } from './machine.js';
import type { Scaling } from './scaling-settings.js';
import type { Endpoint, Job, ReleaseReason } from './state.js';

/** The least that a worker stays on when it is still wanted: an idle time of nothing would be over at once, again and again. */
const WANTED_AGAIN_MS = 1_000;

export const fixed = (workers: number): Scaling => ({
  min: workers,
  max: workers,
  coldStartMs: 0,
  idleTimeoutMs: null,
  scaler: null,
});

/** As many workers as must be there whatever waits. */
export function fill(m: Machine, endpoint: Endpoint, nowMs: number): void {
  while (endpoint.fleet.own.size < endpoint.scaling.min) startWorker(m, endpoint, nowMs);
}

/** Starts workers for the jobs that wait, where the scaler wants them; true when some can work at once. */
export function scale(m: Machine, endpoint: Endpoint, nowMs: number): boolean {
  const { fleet } = endpoint;
  const wanted = workersWanted(m, endpoint);
  for (let count = 0; count < wanted; count++) startWorker(m, endpoint, nowMs);
  return wanted > 0 && fleet.free !== undefined;
}

/** How many workers the scaler would start now, or would if one were not there. */
function workersWanted(m: Machine, endpoint: Endpoint, without: Worker | null = null): number {
  const { fleet, scaling, slots, waking, overdue, held } = endpoint;
  if (scaling.scaler === null || waking.size === 0) return 0;
  return m.rules.workersToStart(scaling, {
    own: fleet.own.size - (without === null ? 0 : 1),
    starting: fleet.starting,
    room: fleet.room - (without?.room ?? 0),
    slots,
    waiting: waking.size,
    overdue: overdue.size,
    running: held.IN_PROGRESS,
  });
}

/** Whether this job, where it is now, may make the endpoint start workers. Asked at each step of its life. */
export function countWait(m: Machine, job: Job): void {
  const { endpoint } = job;
  const { scaler } = endpoint.scaling;
  const waits = job.status === 'IN_QUEUE' && job.present;
  if (scaler === null || !waits || !m.rules.wakesWorkers(job)) return forgetWait(m, job);
  endpoint.waking.add(job);
  if (scaler.kind !== 'queue-delay' || endpoint.overdue.has(job)) return;
  const dueMs = job.queuedMs + scaler.delayMs;
  if (job.scaleTimer?.atMs === dueMs && job.scaleTimer.index >= 0) return;
  m.deadlines.drop(job.scaleTimer);
  job.scaleTimer = m.deadlines.set(dueMs, (atMs) => {
    endpoint.overdue.add(job);
    if (scale(m, endpoint, atMs)) endpoint.offer(atMs);
  });
}

function forgetWait(m: Machine, job: Job): void {
  m.deadlines.drop(job.scaleTimer);
  job.scaleTimer = null;
  job.endpoint.waking.delete(job);
  job.endpoint.overdue.delete(job);
}

function startWorker(m: Machine, endpoint: Endpoint, nowMs: number): void {
  const worker = endpoint.fleet.add();
  const coldStartMs = m.rules.coldStartMs(endpoint.scaling.coldStartMs);
  if (coldStartMs === 0) return isReady(m, endpoint, worker, nowMs);
  worker.timer = m.deadlines.set(nowMs + coldStartMs, (atMs) => {
    isReady(m, endpoint, worker, atMs);
    endpoint.offer(atMs);
  });
}

/** It has free slots again, unless there are too many workers: then it takes no more jobs, and goes after its last. */
function isReady(m: Machine, endpoint: Endpoint, worker: Worker, nowMs: number): void {
  const { fleet, scaling } = endpoint;
  const surplus = fleet.own.size > scaling.max;
  const empty = worker.used + worker.away === 0;
  if (surplus && empty) return stopWorker(m, endpoint, worker);
  fleet.update(worker, { state: 'there', room: 0 });
  if (!surplus) restoreRoom(endpoint, worker);
  if (empty) becomesIdle(m, endpoint, worker, nowMs);
}

/** All its slots that are free take jobs again. */
export function restoreRoom({ fleet, slots }: Endpoint, worker: Worker): void {
  if (worker.state === 'there') fleet.update(worker, { room: slots - worker.used - worker.away });
}

/**
 * It stops when its idle time is over, unless the scaler would start another in its place: a job may wait beside
 * a free worker while its dispatch takes time. Such a worker stays for another idle time.
 */
function becomesIdle(m: Machine, endpoint: Endpoint, worker: Worker, nowMs: number): void {
  const timeoutMs = m.rules.idleTimeoutMs(endpoint.scaling.idleTimeoutMs);
  if (timeoutMs === null) return;
  const stopAfter = (fromMs: number, idleMs: number): void => {
    worker.timer = m.deadlines.set(fromMs + idleMs, (atMs) => {
      if (endpoint.fleet.own.size <= endpoint.scaling.min) return;
      if (workersWanted(m, endpoint, worker) <= 0) return stopWorker(m, endpoint, worker);
      stopAfter(atMs, Math.max(timeoutMs, WANTED_AGAIN_MS));
    });
  };
  stopAfter(nowMs, timeoutMs);
}

export function stopWorker(m: Machine, endpoint: Endpoint, worker: Worker): void {
  m.deadlines.drop(worker.timer);
  endpoint.fleet.remove(worker);
}

/** A worker has come to the end of a job. */
export function freeSlot(
  m: Machine,
  endpoint: Endpoint,
  worker: Worker,
  reason: ReleaseReason,
  nowMs: number,
): void {
  if (worker.state === 'gone') return;
  const { fleet } = endpoint;
  const used = worker.used - m.rules.slotsGivenBack(reason);
  // An external worker asks when it wants another.
  if (worker.external) return fleet.update(worker, { used });
  const restartMs = m.rules.restartMs(reason);
  if (restartMs === 0) {
    fleet.update(worker, { used });
    return isReady(m, endpoint, worker, nowMs);
  }
  fleet.update(worker, { used, away: worker.away + 1 });
  m.deadlines.set(nowMs + restartMs, (atMs) => {
    if (worker.state === 'gone') return;
    fleet.update(worker, { away: worker.away - 1 });
    isReady(m, endpoint, worker, atMs);
    endpoint.offer(atMs);
  });
}

/** A worker has died; a fresh one starts in its place. */
export function replace(m: Machine, endpoint: Endpoint, worker: Worker, nowMs: number): void {
  stopWorker(m, endpoint, worker);
  if (m.rules.replacesCrashedWorker() && endpoint.fleet.own.size < endpoint.scaling.max)
    startWorker(m, endpoint, nowMs);
}
