/** When an external worker has been silent for too long about a job, or altogether. */
import type { Worker } from './fleet.js';
import type { Machine } from './machine.js';
import type { Endpoint } from './state.js';

/** When its silence is over the limit; Infinity while it asks and holds nothing. */
export function silentAtMs(m: Machine, endpoint: Endpoint, worker: Worker): number {
  const limitMs = m.rules.silenceMs(endpoint.silenceMs);
  if (worker.jobs.size === 0) return worker.room > 0 ? Infinity : worker.seenMs + limitMs;
  return Math.min(...worker.jobs.values()) + limitMs;
}

/** Sets its timer anew; called whenever the worker is heard of or takes a job. */
export function watch(m: Machine, endpoint: Endpoint, worker: Worker): void {
  const dueMs = silentAtMs(m, endpoint, worker);
  if (worker.timer !== null && worker.timer.index >= 0 && worker.timer.atMs === dueMs) return;
  m.deadlines.drop(worker.timer);
  worker.timer = dueMs === Infinity ? null : m.deadlines.set(dueMs, worker.fallsSilent);
}
