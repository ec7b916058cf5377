/**
 * The ids of what has changed since the last `takeChanges`. Nothing is recorded unless the service was told
 * to.
 */
import type { ServiceState } from '../state.js';
import type { Delivery, Endpoint, Job } from '../entities.js';

export interface Changes {
  readonly endpoints: Set<string>;
  readonly jobs: Set<string>;
  readonly deliveries: Set<number>;
  /** Job ids assigned, where the rules need to remember all of them. */
  readonly ids: Set<string>;
  readonly purged: Set<string>;
}

export const noChanges = (): Changes => ({
  endpoints: new Set(),
  jobs: new Set(),
  deliveries: new Set(),
  ids: new Set(),
  purged: new Set(),
});

export const isEmpty = ({ endpoints, jobs, deliveries, ids, purged }: Changes): boolean =>
  endpoints.size + jobs.size + deliveries.size + ids.size + purged.size === 0;

export function noteEndpoint(state: ServiceState, endpoint: Endpoint): void {
  state.changes?.endpoints.add(endpoint.id);
}

/** A job changed, and with it the counters of its endpoint. */
export function noteJob(state: ServiceState, job: Job): void {
  if (state.changes === null) return;
  state.changes.jobs.add(job.id);
  state.changes.endpoints.add(job.endpoint.id);
}

export function noteDelivery(state: ServiceState, delivery: Delivery): void {
  state.changes?.deliveries.add(delivery.id);
}
