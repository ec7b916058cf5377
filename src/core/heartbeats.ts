/** When an external worker has been silent for too long about a job, or altogether. */
import { isSet } from './deadlines.js';
import type { Worker } from './worker-pool.js';
import type { ServiceState } from './state.js';
import type { Endpoint } from './entities.js';

/** When its silence is over the limit; Infinity while it asks and holds nothing. */
export function heartbeatDueMs(state: ServiceState, endpoint: Endpoint, worker: Worker): number {
  const limitMs = state.rules.heartbeatTimeoutMs(endpoint.heartbeatTimeoutMs);
  if (worker.jobs.size === 0) return worker.capacity > 0 ? Infinity : worker.lastSeenMs + limitMs;
  return Math.min(...worker.jobs.values()) + limitMs;
}

/** Sets its timer anew; called whenever the worker is heard of or takes a job. */
export function watchHeartbeat(state: ServiceState, endpoint: Endpoint, worker: Worker): void {
  const dueMs = heartbeatDueMs(state, endpoint, worker);
  if (isSet(worker.timer) && worker.timer.atMs === dueMs) return;
  state.deadlines.drop(worker.timer);
  worker.timer = dueMs === Infinity ? null : state.deadlines.set(dueMs, worker.onHeartbeatTimeout);
}
