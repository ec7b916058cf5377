/**
 * External workers: they ask for jobs, and get some only while a request is open. Each call is a heartbeat. A
 * job whose worker has sent no heartbeat for too long counts as lost.
 */
import type { WorkerCall } from '../api.js';
import type { Worker } from './worker-pool.js';
import { dispatch } from '../lifecycle.js';
import { loseWorker } from './redelivery.js';
import type { ServiceState } from '../state.js';
import { heartbeatDueMs, watchHeartbeat } from './heartbeats.js';
import type { Endpoint } from '../entities.js';

/** Handles a call of an external worker. A call to an endpoint that does not exist changes nothing. */
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
  if (call.kind === 'worker-withdraws-request' && known === undefined) return;
  const worker = known ?? join(state, endpoint, id);
  // A request for jobs is no heartbeat of jobs: a worker restarted under its old name does not know what it
  // held.
  recordHeartbeat(worker, call.kind === 'worker-heartbeat' ? call.jobs : [], nowMs);
  if (call.kind === 'worker-requests-jobs') pool.setCapacity(worker, call.jobs);
  if (call.kind === 'worker-withdraws-request') pool.setCapacity(worker, 0);
  watchHeartbeat(state, endpoint, worker);
  if (call.kind === 'worker-requests-jobs') dispatch(state, endpoint, 'worker-free', nowMs);
}

/** The attempt of this job that this external worker is running; null when there is none. */
export function attemptOf(state: ServiceState, endpoint: string, worker: string, job: string): number | null {
  const held = state.jobs.get(job);
  if (held === undefined || held.endpoint.id !== endpoint || held.heldBy === null) return null;
  return held.heldBy.external && held.heldBy.id === worker ? held.attempt : null;
}

function join(state: ServiceState, endpoint: Endpoint, id: string): Worker {
  return endpoint.pool.addExternal(id, (atMs) => heartbeatTimedOut(state, endpoint, id, atMs));
}

/** @param jobs the ids that the heartbeat names; null for all jobs of the worker */
function recordHeartbeat(worker: Worker, jobs: readonly string[] | null, nowMs: number): void {
  worker.lastSeenMs = nowMs;
  for (const job of worker.jobs) if (jobs === null || jobs.includes(job.id)) job.heartbeatMs = nowMs;
}

function leave(state: ServiceState, endpoint: Endpoint, worker: Worker, nowMs: number): void {
  endpoint.pool.remove(worker);
  state.deadlines.drop(worker.timer);
  for (const job of [...worker.jobs]) loseWorker(state, job, nowMs);
}

function heartbeatTimedOut(state: ServiceState, endpoint: Endpoint, id: string, nowMs: number): void {
  const worker = endpoint.pool.external.get(id);
  if (worker === undefined) return;
  const limitMs = state.rules.heartbeatTimeoutMs(endpoint.heartbeatTimeoutMs);
  for (const job of [...worker.jobs]) if (job.heartbeatMs + limitMs <= nowMs) loseWorker(state, job, nowMs);
  if (heartbeatDueMs(state, endpoint, worker) > nowMs) watchHeartbeat(state, endpoint, worker);
  else leave(state, endpoint, worker, nowMs);
}
