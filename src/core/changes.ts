/** What has changed since somebody last asked, by id. Nothing is noted where nobody asks. */
import type { ServiceState } from './state.js';
import type { Delivery, Endpoint, Job } from './entities.js';

export interface Changes {
  readonly endpoints: Set<string>;
  readonly jobs: Set<string>;
  readonly deliveries: Set<number>;
  /** Ids given, where a rule remembers them all. */
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

/** The job, and with it what its endpoint counts. */
export function noteJob(state: ServiceState, job: Job): void {
  if (state.changes === null) return;
  state.changes.jobs.add(job.id);
  state.changes.endpoints.add(job.endpoint.id);
}

export function noteDelivery(state: ServiceState, delivery: Delivery): void {
  state.changes?.deliveries.add(delivery.id);
}
