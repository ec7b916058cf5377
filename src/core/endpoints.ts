/** Endpoints come, change their number of workers, and go with all that is theirs. */
import { noteEndpoint } from './changes.js';
import { Fleet } from './fleet.js';
import { dispatch, remove } from './lifecycle.js';
import type { Machine } from './machine.js';
import { JobQueue } from './queue.js';
import { fill, fixed, restoreRoom, stopWorker } from './scaling.js';
import type { WorkersWanted } from './scaling-settings.js';
import { zeroCounts } from './state.js';
import type { Endpoint } from './state.js';
import { dropDeliveries } from './webhooks.js';

/** Makes the endpoint, or empties it: no jobs, counters at zero, full rate allowance, idle workers. */
export function createEndpoint(m: Machine, id: string, wanted: WorkersWanted, nowMs: number): void {
  deleteEndpoint(m, id, nowMs);
  fill(m, makeEndpoint(m, id, wanted), nowMs);
}

/** Without its workers. */
export function makeEndpoint(m: Machine, id: string, wanted: WorkersWanted, workersMade = 0): Endpoint {
  const { workers } = wanted;
  const endpoint: Endpoint = {
    id,
    jobs: new Map(),
    queue: new JobQueue(),
    fleet: new Fleet(id, m.workers, workersMade),
    scaling: typeof workers === 'number' ? fixed(workers) : workers,
    slots: m.rules.jobsPerWorker(wanted.jobsPerWorker ?? 1),
    silenceMs: wanted.silenceMs ?? null,
    waking: new Set(),
    overdue: new Set(),
    offer: (atMs) => dispatch(m, endpoint, 'worker-free', atMs),
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
  m.endpoints.set(id, endpoint);
  noteEndpoint(m, endpoint);
  return endpoint;
}

export function deleteEndpoint(m: Machine, id: string, nowMs: number): void {
  const endpoint = m.endpoints.get(id);
  if (endpoint === undefined) return;
  m.endpoints.delete(id);
  noteEndpoint(m, endpoint);
  // So that no job starts while the others go.
  endpoint.scaling = fixed(0);
  dismiss(m, endpoint);
  for (const job of endpoint.jobs.values()) remove(m, job, 'endpoint-gone', nowMs);
  m.deadlines.drop(endpoint.dispatchTimer);
  dropDeliveries(m, endpoint);
  for (const scope of endpoint.meters) m.meters.forget(scope);
}

/** More workers come idle; of fewer, idle ones go at once and busy ones after their job. */
export function setWorkers(m: Machine, id: string, workers: number, nowMs: number): void {
  const endpoint = m.endpoints.get(id);
  if (endpoint === undefined) return;
  noteEndpoint(m, endpoint);
  endpoint.scaling = fixed(workers);
  for (const worker of endpoint.fleet.own) {
    const surplus = endpoint.fleet.own.size > workers;
    if (surplus && worker.used + worker.away === 0) stopWorker(m, endpoint, worker);
    else if (!surplus) restoreRoom(endpoint, worker);
  }
  fill(m, endpoint, nowMs);
  dispatch(m, endpoint, 'more-workers', nowMs);
}

function dismiss(m: Machine, { fleet, id }: Endpoint): void {
  for (const worker of [...fleet.own, ...fleet.external.values()]) {
    m.deadlines.drop(worker.timer);
    if (worker.external && worker.room > 0)
      m.effects.push({ kind: 'ask-ended', endpoint: id, worker: worker.id });
    fleet.remove(worker);
  }
}
