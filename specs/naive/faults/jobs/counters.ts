/** Wrong counts in `/health`. */
import type { Endpoint } from '../../endpoint.js';
import type { Health, Hooks } from '../../hooks.js';
import type { Job } from '../../job.js';
import type { JsonObject } from '../../json.js';
import { healthOf } from '../../operations/health.js';
import { perEndpoint } from '../memory.js';

export const withJobs = (health: Health, jobs: Partial<Health['jobs']>): Health => ({
  ...health,
  jobs: { ...health.jobs, ...jobs },
});

export const withWorkers = (health: Health, workers: Partial<Health['workers']>): Health => ({
  ...health,
  workers: { ...health.workers, ...workers },
});

/** With the jobs of further endpoints added. */
export function withJobsOf(
  body: JsonObject,
  endpoint: Endpoint,
  which: (other: Endpoint) => boolean,
): JsonObject {
  const jobs = { ...(body['jobs'] as Record<string, number>) };
  for (const other of endpoint.service.endpoints.values())
    if (other !== endpoint && which(other))
      for (const [name, count] of Object.entries(healthOf(other).jobs))
        jobs[name] = (jobs[name] ?? 0) + count;
  return { ...body, jobs };
}

/** One counter of `/health` that gets more and more wrong. */
export function miscounted(counter: keyof Health['jobs']) {
  const wrongOf = perEndpoint(() => ({ by: 0 }));
  return {
    by: (endpoint: Endpoint, count: number): undefined => void (wrongOf(endpoint).by += count),
    health: (health: Health, endpoint: Endpoint): Health =>
      withJobs(health, { [counter]: Math.max(0, health.jobs[counter] + wrongOf(endpoint).by) }),
  };
}

/** Jobs that are still counted when their ttl has expired. */
export function stillCounted(which: (job: Job) => boolean): Partial<Hooks> {
  const queued = miscounted('inQueue');
  const running = miscounted('inProgress');
  return {
    health: (health, endpoint) => running.health(queued.health(health, endpoint), endpoint),
    ttlExpires(job) {
      if (which(job) && job.status === 'IN_QUEUE') queued.by(job.endpoint, 1);
      if (which(job) && job.status === 'IN_PROGRESS') running.by(job.endpoint, 1);
      return false;
    },
  };
}

/** Workers that are counted as running for ever. */
export function leakedWorkers() {
  const leakedOf = perEndpoint(() => ({ count: 0 }));
  return {
    one: (endpoint: Endpoint): undefined => void (leakedOf(endpoint).count += 1),
    health({ jobs, workers: { idle, running } }: Health, endpoint: Endpoint): Health {
      const { count } = leakedOf(endpoint);
      const left = count > 0 ? Math.max(0, idle - count) : idle;
      return { jobs, workers: { idle: left, running: running + count } };
    },
  };
}
