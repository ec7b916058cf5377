/** Endpoints come, change their number of workers, and go with all that is theirs. */
import { dispatch, makeWorker, remove } from './lifecycle.js';
import type { Machine } from './machine.js';
import { JobQueue } from './queue.js';
import { zeroCounts } from './state.js';
import type { Endpoint } from './state.js';
import { dropDeliveries } from './webhooks.js';

/** Makes the endpoint, or empties it: no jobs, counters at zero, full rate allowance, idle workers. */
export function createEndpoint(m: Machine, id: string, workers: number, nowMs: number): void {
  deleteEndpoint(m, id, nowMs);
  const endpoint: Endpoint = {
    id,
    jobs: new Map(),
    queue: new JobQueue(),
    idle: [],
    busy: new Set(),
    wantedWorkers: workers,
    workersMade: 0,
    held: zeroCounts(),
    entered: zeroCounts(),
    retriedFrom: zeroCounts(),
    redispatched: 0,
    live: { run: 0, runsync: 0, openai: 0 },
    restarting: 0,
    waiting: new Set(),
    deliveries: new Set(),
    dispatchTimer: null,
    meters: new Set(),
  };
  while (endpoint.idle.length < workers) endpoint.idle.push(makeWorker(endpoint));
  m.endpoints.set(id, endpoint);
}

export function deleteEndpoint(m: Machine, id: string, nowMs: number): void {
  const endpoint = m.endpoints.get(id);
  if (endpoint === undefined) return;
  m.endpoints.delete(id);
  endpoint.wantedWorkers = 0;
  endpoint.idle.length = 0; // so that no job starts while the others go
  for (const job of endpoint.jobs.values()) remove(m, job, 'endpoint-gone', nowMs);
  m.deadlines.drop(endpoint.dispatchTimer);
  dropDeliveries(m, endpoint);
  for (const scope of endpoint.meters) m.meters.forget(scope);
}

/** More workers come idle; of fewer, idle ones go at once and busy ones after their job. */
export function setWorkers(m: Machine, id: string, workers: number, nowMs: number): void {
  const endpoint = m.endpoints.get(id);
  if (endpoint === undefined) return;
  endpoint.wantedWorkers = workers;
  const total = (): number => endpoint.idle.length + endpoint.busy.size + endpoint.restarting;
  while (total() > workers && endpoint.idle.length > 0) endpoint.idle.pop();
  while (total() < workers) endpoint.idle.push(makeWorker(endpoint));
  dispatch(m, endpoint, 'more-workers', nowMs);
}
