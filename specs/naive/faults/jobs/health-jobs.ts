/** Faults of section 2.7: the jobs of `/health`. */
import { countOf } from '../../operations/health.js';
import { withJobs, miscounted } from './counters.js';
import { hasOverrun } from '../steps.js';
import type { Faults } from '../fault.js';

export const HEALTH_JOBS_FAULTS = {
  'health-completed-stuck': { health: (health) => withJobs(health, { completed: 0 }) },
  'health-completed-counts-all-ended': {
    health: (health, { counts }) =>
      withJobs(health, { completed: health.jobs.completed + health.jobs.failed + counts.cancelled }),
  },
  'health-completed-twice': {
    counted({ endpoint }, status) {
      if (status === 'COMPLETED') endpoint.counts.completed += 1;
    },
  },
  'purge-zeroes-health': {
    purges({ counts }) {
      Object.assign(counts, { completed: 0, failed: 0, timedOut: 0, retried: 0 });
      return false;
    },
  },
  'health-completed-misses-runsync': {
    counted({ endpoint, kind }, status) {
      if (status === 'COMPLETED' && kind === 'runsync') endpoint.counts.completed -= 1;
    },
  },
  'health-completed-misses-retried': {
    counted({ endpoint, retries }, status) {
      if (status === 'COMPLETED' && retries > 0) endpoint.counts.completed -= 1;
    },
  },
  'health-completed-twice-for-runsync': {
    counted({ endpoint, watchers }, status) {
      if (status === 'COMPLETED' && watchers.size > 0) endpoint.counts.completed += 1;
    },
  },
  'health-completed-misses-streaming': {
    counted({ endpoint, chunks }, status) {
      if (status === 'COMPLETED' && chunks.length > 0) endpoint.counts.completed -= 1;
    },
  },
  'health-completed-counts-stopped': {
    cancelsRunning: (run) => void delete run.handler,
    succeeds({ job }, output) {
      if (job.status !== 'CANCELLED') return { output };
      job.endpoint.counts.completed += 1;
      return null;
    },
  },
  'health-failed-stuck': { health: (health) => withJobs(health, { failed: 0 }) },
  'health-failed-counts-cancelled': {
    health: (health, { counts }) => withJobs(health, { failed: health.jobs.failed + counts.cancelled }),
  },
  'health-failed-below-zero': {
    retried: ({ endpoint }) => void (endpoint.counts.failed -= 1),
    removing({ endpoint, retries }) {
      if (retries > 0) endpoint.counts.failed -= 1;
    },
  },
  'health-failed-misses-crashes': {
    counted({ endpoint, error }) {
      if (error === 'the worker crashed') endpoint.counts.failed -= 1;
    },
  },
  'health-failed-misses-runsync': {
    counted({ endpoint, kind }, status) {
      if (status === 'FAILED' && kind === 'runsync') endpoint.counts.failed -= 1;
    },
  },
  'health-progress-zero': { health: (health) => withJobs(health, { inProgress: 0 }) },
  'health-progress-leaks-on-failure': {
    with: () => {
      const miscount = miscounted('inProgress');
      return {
        health: miscount.health,
        fails: ({ job, over }) => miscount.by(job.endpoint, over ? 0 : 1),
      };
    },
  },
  'health-progress-leaks-on-cancel': {
    with: () => {
      const miscount = miscounted('inProgress');
      return {
        health: miscount.health,
        cancelsRunning: ({ job }) => miscount.by(job.endpoint, 1),
      };
    },
  },
  'health-progress-not-freed-second-time': {
    with: () => {
      const miscount = miscounted('inProgress');
      return {
        health: miscount.health,
        fails: ({ job }) => miscount.by(job.endpoint, job.retries > 0 ? 1 : 0),
      };
    },
  },
  'cancel-of-ended-counts-down': {
    with: () => {
      const miscount = miscounted('inProgress');
      return { health: miscount.health, cancelOfEnded: (job) => miscount.by(job.endpoint, -1) };
    },
  },
  'health-progress-below-after-retry': {
    with: () => {
      const miscount = miscounted('inProgress');
      return {
        health: miscount.health,
        retries: (job) => miscount.by(job.endpoint, hasOverrun(job) ? -1 : 0),
      };
    },
  },
  'health-progress-misses-runsync': {
    health: (health, endpoint) =>
      withJobs(health, { inProgress: countOf(endpoint, 'IN_PROGRESS', (job) => job.kind === 'run') }),
  },
  'health-progress-misses-retried': {
    health: (health, endpoint) =>
      withJobs(health, { inProgress: countOf(endpoint, 'IN_PROGRESS', (job) => job.retries === 0) }),
  },
  'health-progress-leaks-on-crash': {
    with: () => {
      const miscount = miscounted('inProgress');
      return { health: miscount.health, crashes: ({ job }) => miscount.by(job.endpoint, 1) };
    },
  },
  'health-progress-leaks-on-timeout': {
    with: () => {
      const miscount = miscounted('inProgress');
      return { health: miscount.health, overruns: ({ job }) => miscount.by(job.endpoint, 1) };
    },
  },
  'health-progress-counts-waiting-calls': {
    health: (health, endpoint) =>
      withJobs(health, {
        inProgress: health.jobs.inProgress + countOf(endpoint, 'IN_QUEUE', (job) => job.kind === 'runsync'),
      }),
  },
  'health-progress-twice-down-on-cancel': {
    with: () => {
      const miscount = miscounted('inProgress');
      return {
        health: miscount.health,
        cancelsRunning: ({ job }) => miscount.by(job.endpoint, -1),
      };
    },
  },
  'health-progress-twice-down-on-overrun': {
    with: () => {
      const miscount = miscounted('inProgress');
      return { health: miscount.health, overruns: ({ job }) => miscount.by(job.endpoint, -1) };
    },
  },
  'health-progress-twice-down-on-ttl': {
    with: () => {
      const miscount = miscounted('inProgress');
      return {
        health: miscount.health,
        ttlExpires: ({ endpoint, run }) => miscount.by(endpoint, run === null ? 0 : -1),
      };
    },
  },
  'health-queue-zero': { health: (health) => withJobs(health, { inQueue: 0 }) },
  'health-queue-with-running': {
    health: (health) => withJobs(health, { inQueue: health.jobs.inQueue + health.jobs.inProgress }),
  },
  'health-queue-not-freed-on-cancel': {
    with: () => {
      const miscount = miscounted('inQueue');
      return {
        health: miscount.health,
        cancelsWaiting: ({ endpoint }) => miscount.by(endpoint, 1),
      };
    },
  },
  'health-queue-not-freed-on-purge': {
    with: () => {
      const miscount = miscounted('inQueue');
      return {
        health: miscount.health,
        purges: (endpoint, taken) => miscount.by(endpoint, taken.length),
      };
    },
  },
  'health-queue-misses-retried': {
    with: () => {
      const miscount = miscounted('inQueue');
      return { health: miscount.health, retried: ({ endpoint }) => miscount.by(endpoint, -1) };
    },
  },
  'health-queue-not-freed-on-cancel-after-retry': {
    with: () => {
      const miscount = miscounted('inQueue');
      return {
        health: miscount.health,
        cancelsWaiting: ({ endpoint, retries }) => miscount.by(endpoint, retries > 0 ? 1 : 0),
      };
    },
  },
  'health-queue-not-freed-on-purge-after-retry': {
    with: () => {
      const miscount = miscounted('inQueue');
      return {
        health: miscount.health,
        purges: (endpoint, taken) => miscount.by(endpoint, taken.filter((job) => job.retries > 0).length),
      };
    },
  },
  'health-queue-misses-low-priority': {
    health: (health, endpoint) =>
      withJobs(health, { inQueue: countOf(endpoint, 'IN_QUEUE', (job) => !job.lowPriority) }),
  },
  'health-queue-misses-runsync': {
    health: (health, endpoint) =>
      withJobs(health, { inQueue: countOf(endpoint, 'IN_QUEUE', (job) => job.kind === 'run') }),
  },
  'health-queue-at-most-ten': {
    health: (health) => withJobs(health, { inQueue: Math.min(10, health.jobs.inQueue) }),
  },
  'health-queue-counts-retried-twice': {
    health: (health, endpoint) =>
      withJobs(health, {
        inQueue: health.jobs.inQueue + countOf(endpoint, 'IN_QUEUE', (job) => job.retries > 0),
      }),
  },
  'health-retried-counts-refused': {
    with: () => {
      const miscount = miscounted('retried');
      return { health: miscount.health, retryRefused: ({ endpoint }) => miscount.by(endpoint, 1) };
    },
  },
} satisfies Faults;
