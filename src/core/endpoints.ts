/** Creates and deletes endpoints, and changes their number of workers. */
import { noteEndpoint } from './saved/changes.js';
import { WorkerPool } from './workers/worker-pool.js';
import { dispatch, deleteJob } from './lifecycle.js';
import type { ServiceState } from './state.js';
import { JobList } from './job-list.js';
import { JobQueue } from './queue.js';
import { startMinimum, fixedScaling, restoreCapacity, stopWorker } from './workers/scaling.js';
import type { WorkerSettings } from './workers/scaling-settings.js';
import { zeroCounts } from './entities.js';
import type { Endpoint } from './entities.js';
import { dropDeliveries } from './webhooks.js';

/**
 * Creates the endpoint. One that exists is replaced by an empty one: no jobs, counters at zero, fresh rate
 * limits.
 */
export function createEndpoint(
  state: ServiceState,
  id: string,
  settings: WorkerSettings,
  nowMs: number,
): void {
  deleteEndpoint(state, id, nowMs);
  startMinimum(state, makeEndpoint(state, id, settings), nowMs);
}

/** Makes an endpoint that has no workers yet. */
export function makeEndpoint(
  state: ServiceState,
  id: string,
  settings: WorkerSettings,
  workersMade = 0,
): Endpoint {
  const { workers } = settings;
  const endpoint: Endpoint = {
    id,
    jobs: new JobList(),
    queue: new JobQueue(),
    pool: new WorkerPool(id, state.workers, workersMade),
    scaling: typeof workers === 'number' ? fixedScaling(workers) : workers,
    jobsPerWorker: state.rules.jobsPerWorker(settings.jobsPerWorker ?? 1),
    heartbeatTimeoutMs: settings.heartbeatTimeoutMs ?? null,
    scalingJobs: new Set(),
    overdueJobs: new Set(),
    offer: (atMs) => dispatch(state, endpoint, 'worker-free', atMs),
    held: zeroCounts(),
    entered: zeroCounts(),
    retriedFrom: zeroCounts(),
    redispatched: 0,
    live: { run: 0, runsync: 0, openai: 0 },
    waiting: new Set(),
    deliveries: new Set(),
    dispatchTimer: null,
    meters: new Set(),
  };
  state.endpoints.set(id, endpoint);
  noteEndpoint(state, endpoint);
  return endpoint;
}

export function deleteEndpoint(state: ServiceState, id: string, nowMs: number): void {
  const endpoint = state.endpoints.get(id);
  if (endpoint === undefined) return;
  state.endpoints.delete(id);
  noteEndpoint(state, endpoint);
  // So that no job starts while others are deleted.
  endpoint.scaling = fixedScaling(0);
  removeAllWorkers(state, endpoint);
  for (const job of endpoint.jobs) deleteJob(state, job, 'endpoint-gone', nowMs);
  state.deadlines.drop(endpoint.dispatchTimer);
  dropDeliveries(state, endpoint);
  for (const scope of endpoint.meters) state.meters.forget(scope);
}

/**
 * Changes the number of workers: new ones are idle; of surplus ones, idle ones stop now and busy ones after
 * their jobs.
 */
export function setWorkers(state: ServiceState, id: string, workers: number, nowMs: number): void {
  const endpoint = state.endpoints.get(id);
  if (endpoint === undefined) return;
  noteEndpoint(state, endpoint);
  endpoint.scaling = fixedScaling(workers);
  for (const worker of endpoint.pool.own) {
    const surplus = endpoint.pool.own.size > workers;
    if (surplus && worker.usedSlots + worker.restartingSlots === 0) stopWorker(state, endpoint, worker);
    else if (!surplus) restoreCapacity(endpoint, worker);
  }
  startMinimum(state, endpoint, nowMs);
  dispatch(state, endpoint, 'more-workers', nowMs);
}

function removeAllWorkers(state: ServiceState, { pool, id }: Endpoint): void {
  for (const worker of [...pool.own, ...pool.external.values()]) {
    state.deadlines.drop(worker.timer);
    if (worker.external && worker.capacity > 0)
      state.effects.push({ kind: 'job-request-ended', endpoint: id, worker: worker.id });
    pool.remove(worker);
  }
}
