/** Faults of section 2.7: the workers of `/health`. */
import { refuse } from '../../call.js';
import type { JsonObject } from '../../json.js';
import { cached } from '../../operations/common.js';
import { countOf } from '../../operations/health.js';
import { SECOND_MS } from '../../submission.js';
import { withWorkers, leakedWorkers } from './counters.js';
import { perEndpoint } from '../memory.js';
import { mapNumbers } from '../values.js';
import type { Faults } from '../fault.js';

export const HEALTH_WORKERS_FAULTS = {
  'health-idle-is-all': { health: (health, { workers }) => withWorkers(health, { idle: workers.count }) },
  'health-idle-zero': { health: (health) => withWorkers(health, { idle: 0 }) },
  'health-workers-swapped': {
    health: (health) => withWorkers(health, { idle: health.workers.running, running: health.workers.idle }),
  },
  'health-idle-below-zero': {
    health: (health, { workers }) =>
      withWorkers(health, { idle: workers.count - workers.lost - workers.busy.size }),
  },
  'health-idle-drops-on-crash': {
    with: () => {
      const crashesOf = perEndpoint(() => ({ count: 0 }));
      return {
        crashes: ({ job }) => void (crashesOf(job.endpoint).count += 1),
        health: (health, endpoint) =>
          withWorkers(health, { idle: Math.max(0, health.workers.idle - crashesOf(endpoint).count) }),
      };
    },
  },
  'health-500-without-workers': {
    healthRefused: ({ workers }) => (workers.count === 0 ? refuse(500, 'division by zero') : null),
  },
  'health-404-before-first-job': {
    healthRefused: ({ latest }) => (latest === null ? refuse(404, 'no statistics') : null),
  },
  'health-running-zero': { health: (health) => withWorkers(health, { running: 0 }) },
  'health-running-with-waiting': {
    health: (health) => withWorkers(health, { running: health.workers.running + health.jobs.inQueue }),
  },
  'health-flat': {
    healthBody: ({ jobs, workers }) => ({ ...(jobs as JsonObject), ...(workers as JsonObject) }),
  },
  'health-strings': { healthBody: (body) => mapNumbers(body, String) as JsonObject },
  'health-without-workers': { healthBody: ({ jobs = null }) => ({ jobs }) },
  'health-stale': { healthBody: (body, endpoint) => cached(endpoint, '/health', 10 * SECOND_MS, body) },
  'health-running-leaks-on-cancel': {
    with: () => {
      const leak = leakedWorkers();
      return { health: leak.health, cancelsRunning: ({ job }) => leak.one(job.endpoint) };
    },
  },
  'health-running-leaks-on-overrun': {
    with: () => {
      const leak = leakedWorkers();
      return { health: leak.health, overruns: ({ job }) => leak.one(job.endpoint) };
    },
  },
  'health-running-leaks-on-ttl': {
    with: () => {
      const leak = leakedWorkers();
      return {
        health: leak.health,
        ttlExpires: ({ endpoint, run }) => (run === null ? undefined : leak.one(endpoint)),
      };
    },
  },
  'health-running-misses-retried': {
    health: (health, endpoint) =>
      withWorkers(health, {
        running: health.workers.running - countOf(endpoint, 'IN_PROGRESS', (job) => job.retries > 0),
      }),
  },
  'health-workers-of-all-endpoints': {
    healthBody(body, endpoint) {
      const workers = { ...(body['workers'] as JsonObject) };
      for (const other of endpoint.service.endpoints.values())
        if (other !== endpoint) workers['running'] = Number(workers['running']) + other.workers.busy.size;
      return { ...body, workers };
    },
  },
} satisfies Faults;
