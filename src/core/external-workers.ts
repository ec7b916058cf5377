/**
 * Workers from outside: they ask for jobs, and are given some only while they ask. Each call of theirs is a sign of
 * life; a job that its worker has been silent about for too long is taken from it.
 */
import type { WorkerCall } from './api.js';
import type { Worker } from './worker-pool.js';
import { dispatch } from './lifecycle.js';
import { loseWorker } from './redelivery.js';
import type { ServiceState } from './state.js';
import { heartbeatDueMs, watchHeartbeat } from './heartbeats.js';
import type { Endpoint } from './entities.js';

/** Calls to endpoints that do not exist change nothing. */
export function workerCalls(
  state: ServiceState,
  endpointId: string,
  id: string,
  call: WorkerCall,
  nowMs: number,
): void {
  const endpoint = state.endpoints.get(endpointId);
  if (endpoint === undefined) return;
  const { pool } = endpoint;
  const known = pool.external.get(id);
  if (call.kind === 'worker-leaves') {
    if (known !== undefined) leave(state, endpoint, known, nowMs);
    return;
  }
  if (call.kind === 'worker-withdraws' && known === undefined) return;
  const worker = known ?? join(state, endpoint, id);
  // One that was started anew under its old name asks too, and knows nothing of what it held.
  seen(worker, call.kind === 'worker-seen' ? call.jobs : [], nowMs);
  if (call.kind === 'worker-asks') pool.update(worker, { capacity: call.jobs });
  if (call.kind === 'worker-withdraws') pool.update(worker, { capacity: 0 });
  watchHeartbeat(state, endpoint, worker);
  if (call.kind === 'worker-asks') dispatch(state, endpoint, 'worker-free', nowMs);
}

/** The attempt of this job that this worker has under way; null when it has none. */
export function attemptOf(state: ServiceState, endpoint: string, worker: string, job: string): number | null {
  const held = state.jobs.get(job);
  if (held === undefined || held.endpoint.id !== endpoint || held.heldBy === null) return null;
  return held.heldBy.external && held.heldBy.id === worker ? held.attempt : null;
}

function join(state: ServiceState, endpoint: Endpoint, id: string): Worker {
  return endpoint.pool.addExternal(id, (atMs) => fallsSilent(state, endpoint, id, atMs));
}

/** @param jobs the ids that it named; null when it named none, and means all it holds */
function seen(worker: Worker, jobs: readonly string[] | null, nowMs: number): void {
  worker.lastSeenMs = nowMs;
  for (const job of worker.jobs.keys())
    if (jobs === null || jobs.includes(job.id)) worker.jobs.set(job, nowMs);
}

function leave(state: ServiceState, endpoint: Endpoint, worker: Worker, nowMs: number): void {
  endpoint.pool.remove(worker);
  state.deadlines.drop(worker.timer);
  for (const job of [...worker.jobs.keys()]) loseWorker(state, job, nowMs);
}

function fallsSilent(state: ServiceState, endpoint: Endpoint, id: string, nowMs: number): void {
  const worker = endpoint.pool.external.get(id);
  if (worker === undefined) return;
  const limitMs = state.rules.heartbeatTimeoutMs(endpoint.heartbeatTimeoutMs);
  for (const [job, seenMs] of [...worker.jobs]) if (seenMs + limitMs <= nowMs) loseWorker(state, job, nowMs);
  if (heartbeatDueMs(state, endpoint, worker) > nowMs) watchHeartbeat(state, endpoint, worker);
  else leave(state, endpoint, worker, nowMs);
}
