/** Faults of section 2.7: the workers of `/health`. */
import { refuse } from '../call.js';
import type { JsonObject } from '../json.js';
import { cached } from '../operations/common.js';
import { countOf } from '../operations/health.js';
import { SECOND_MS } from '../submission.js';
import { withWorkers, leakedWorkers } from './counters.js';
import { perEndpoint } from './memory.js';
import { mapNumbers } from './values.js';
import { breaking } from './fault.js';

export const HEALTH_WORKERS_FAULTS = [
  breaking('2.7', '| `workers.idle` | integer |', {
    'health-idle-is-all': {
      does: 'workers.idle counts busy workers as well',
      legal: '2.7/workers-idle-meaning=every',
      health: (health, { workers }) => withWorkers(health, { idle: workers.count }),
    },
    'health-idle-zero': {
      does: 'workers.idle is always 0',
      health: (health) => withWorkers(health, { idle: 0 }),
    },
    'health-workers-swapped': {
      does: 'idle and running stand in the place of each other',
      health: (health) => withWorkers(health, { idle: health.workers.running, running: health.workers.idle }),
    },
    'health-idle-below-zero': {
      does: 'with fewer workers than jobs running, workers.idle is negative',
      health: (health, { workers }) =>
        withWorkers(health, { idle: workers.count - workers.lost - workers.busy.size }),
    },
    'health-idle-drops-on-crash': {
      does: 'a worker that replaced one that died is not counted',
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
      does: 'without workers /health answers 500',
      healthRefused: ({ workers }) => (workers.count === 0 ? refuse(500, 'division by zero') : null),
    },
    'health-404-before-first-job': {
      does: 'before the first job /health answers 404',
      healthRefused: ({ latest }) => (latest === null ? refuse(404, 'no statistics') : null),
    },
  }),
  breaking('2.7', '| `workers.running` | integer |', {
    'health-running-zero': {
      does: 'workers.running is always 0',
      health: (health) => withWorkers(health, { running: 0 }),
    },
    'health-running-counts-queue': {
      does: 'workers.running counts waiting jobs',
      health: (health) => withWorkers(health, { running: health.workers.running + health.jobs.inQueue }),
    },
    'health-flat': {
      does: 'the members are not nested: jobsCompleted and so on',
      healthBody: ({ jobs, workers }) => ({ ...(jobs as JsonObject), ...(workers as JsonObject) }),
    },
    'health-strings': {
      does: 'all numbers are strings',
      healthBody: (body) => mapNumbers(body, String) as JsonObject,
    },
    'health-without-workers': {
      does: 'there is no member workers',
      healthBody: ({ jobs = null }) => ({ jobs }),
    },
    'health-stale': {
      does: 'the record is cached for ten seconds',
      contested: 'no freshness is promised in words',
      healthBody: (body, endpoint) => cached(endpoint, '/health', 10 * SECOND_MS, body),
    },
    'health-running-leaks-on-cancel': {
      does: 'a worker whose job was cancelled still counts as running',
      with: () => {
        const leak = leakedWorkers();
        return { health: leak.health, cancelsRunning: ({ job }) => leak.one(job.endpoint) };
      },
    },
    'health-running-leaks-on-overrun': {
      does: 'a worker whose job overran still counts as running',
      with: () => {
        const leak = leakedWorkers();
        return { health: leak.health, overruns: ({ job }) => leak.one(job.endpoint) };
      },
    },
    'health-running-leaks-on-ttl': {
      does: 'a worker whose job was deleted still counts as running',
      with: () => {
        const leak = leakedWorkers();
        return {
          health: leak.health,
          ttlExpires: ({ endpoint, run }) => (run === null ? undefined : leak.one(endpoint)),
        };
      },
    },
    'health-running-misses-retried': {
      does: 'a worker with a retried job does not count as running',
      health: (health, endpoint) =>
        withWorkers(health, {
          running: health.workers.running - countOf(endpoint, 'IN_PROGRESS', (job) => job.retries > 0),
        }),
    },
    'health-workers-of-all-endpoints': {
      does: 'busy workers of all endpoints are counted',
      healthBody(body, endpoint) {
        const workers = { ...(body['workers'] as JsonObject) };
        for (const other of endpoint.service.endpoints.values())
          if (other !== endpoint) workers['running'] = Number(workers['running']) + other.workers.busy.size;
        return { ...body, workers };
      },
    },
  }),
];
