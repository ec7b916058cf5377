/**
 * Workers from outside: they ask for jobs, and are given some only while they ask. Each call of theirs is a sign of
 * life; a job that its worker has been silent about for too long is taken from it.
 */
import type { WorkerCall } from './api.js';
import type { Worker } from './fleet.js';
import { dispatch } from './lifecycle.js';
import { lose } from './losses.js';
import type { Machine } from './machine.js';
import { silentAtMs, watch } from './silence.js';
import type { Endpoint } from './state.js';

/** Calls to endpoints that do not exist change nothing. */
export function workerCalls(
  m: Machine,
  endpointId: string,
  id: string,
  call: WorkerCall,
  nowMs: number,
): void {
  const endpoint = m.endpoints.get(endpointId);
  if (endpoint === undefined) return;
  const { fleet } = endpoint;
  const known = fleet.external.get(id);
  if (call.kind === 'worker-leaves') {
    if (known !== undefined) leave(m, endpoint, known, nowMs);
    return;
  }
  if (call.kind === 'worker-withdraws' && known === undefined) return;
  const worker = known ?? join(m, endpoint, id);
  // One that was started anew under its old name asks too, and knows nothing of what it held.
  seen(worker, call.kind === 'worker-seen' ? call.jobs : [], nowMs);
  if (call.kind === 'worker-asks') fleet.update(worker, { room: call.jobs });
  if (call.kind === 'worker-withdraws') fleet.update(worker, { room: 0 });
  watch(m, endpoint, worker);
  if (call.kind === 'worker-asks') dispatch(m, endpoint, 'worker-free', nowMs);
}

/** The attempt of this job that this worker has under way; null when it has none. */
export function attemptOf(m: Machine, endpoint: string, worker: string, job: string): number | null {
  const held = m.jobs.get(job);
  if (held === undefined || held.endpoint.id !== endpoint || held.heldBy === null) return null;
  return held.heldBy.external && held.heldBy.id === worker ? held.attempt : null;
}

function join(m: Machine, endpoint: Endpoint, id: string): Worker {
  return endpoint.fleet.addExternal(id, (atMs) => fallsSilent(m, endpoint, id, atMs));
}

/** @param jobs the ids that it named; null when it named none, and means all it holds */
function seen(worker: Worker, jobs: readonly string[] | null, nowMs: number): void {
  worker.seenMs = nowMs;
  for (const job of worker.jobs.keys())
    if (jobs === null || jobs.includes(job.id)) worker.jobs.set(job, nowMs);
}

function leave(m: Machine, endpoint: Endpoint, worker: Worker, nowMs: number): void {
  endpoint.fleet.remove(worker);
  m.deadlines.drop(worker.timer);
  for (const job of [...worker.jobs.keys()]) lose(m, job, nowMs);
}

function fallsSilent(m: Machine, endpoint: Endpoint, id: string, nowMs: number): void {
  const worker = endpoint.fleet.external.get(id);
  if (worker === undefined) return;
  const limitMs = m.rules.silenceMs(endpoint.silenceMs);
  for (const [job, seenMs] of [...worker.jobs]) if (seenMs + limitMs <= nowMs) lose(m, job, nowMs);
  if (silentAtMs(m, endpoint, worker) > nowMs) watch(m, endpoint, worker);
  else leave(m, endpoint, worker, nowMs);
}
