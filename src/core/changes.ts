/** What has changed since somebody last asked, by id. Nothing is noted where nobody asks. */
import type { Machine } from './machine.js';
import type { Delivery, Endpoint, Job } from './state.js';

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

export function noteEndpoint(m: Machine, endpoint: Endpoint): void {
  m.changes?.endpoints.add(endpoint.id);
}

/** The job, and with it what its endpoint counts. */
export function noteJob(m: Machine, job: Job): void {
  if (m.changes === null) return;
  m.changes.jobs.add(job.id);
  m.changes.endpoints.add(job.endpoint.id);
}

export function noteDelivery(m: Machine, delivery: Delivery): void {
  m.changes?.deliveries.add(delivery.id);
}
