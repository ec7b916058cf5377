/**
 * The heartbeat timeouts of external workers: of each job that they hold, and of the worker when it holds
 * none.
 */
import { isSet } from '../deadlines.js';
import type { Worker } from './worker-pool.js';
import type { ServiceState } from '../state.js';
import type { Endpoint } from '../entities.js';

/** When the next heartbeat is due; Infinity while the worker holds no job and has an open request. */
export function heartbeatDueMs(state: ServiceState, endpoint: Endpoint, worker: Worker): number {
  const limitMs = state.rules.heartbeatTimeoutMs(endpoint.heartbeatTimeoutMs);
  if (worker.jobs.length === 0) return worker.capacity > 0 ? Infinity : worker.lastSeenMs + limitMs;
  return Math.min(...worker.jobs.map((job) => job.heartbeatMs)) + limitMs;
}

/** Updates the timer of the worker. Called after each heartbeat, and when the worker takes a job. */
export function watchHeartbeat(state: ServiceState, endpoint: Endpoint, worker: Worker): void {
  const dueMs = heartbeatDueMs(state, endpoint, worker);
  if (isSet(worker.timer) && worker.timer.atMs === dueMs) return;
  state.deadlines.drop(worker.timer);
  worker.timer =
    dueMs === Infinity ? null : state.deadlines.set('heartbeat', worker, dueMs, worker.onHeartbeatTimeout);
}
