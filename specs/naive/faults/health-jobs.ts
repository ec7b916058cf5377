/** Faults of section 2.7: the jobs of `/health`. */
import { countOf } from '../operations/health.js';
import { withJobs, miscounted } from './counters.js';
import { hasOverrun } from './steps.js';
import { breaking } from './fault.js';

export const HEALTH_JOBS_FAULTS = [
  breaking('2.7', '| `jobs.completed` | integer |', {
    'health-completed-zero': {
      does: 'jobs.completed is always 0',
      health: (health) => withJobs(health, { completed: 0 }),
    },
    'health-completed-counts-all-ended': {
      does: 'failed and cancelled jobs count as completed',
      health: (health, { counts }) =>
        withJobs(health, { completed: health.jobs.completed + health.jobs.failed + counts.cancelled }),
    },
    'health-completed-twice': {
      does: 'a completed job counts twice',
      counted({ endpoint }, status) {
        if (status === 'COMPLETED') endpoint.counts.completed += 1;
      },
    },
    'purge-zeroes-health': {
      does: 'a purge sets the counts of ended jobs to 0',
      purges({ counts }) {
        Object.assign(counts, { completed: 0, failed: 0, timedOut: 0, retried: 0 });
        return false;
      },
    },
    'health-completed-misses-runsync': {
      does: 'jobs of /runsync are not counted',
      counted({ endpoint, kind }, status) {
        if (status === 'COMPLETED' && kind === 'runsync') endpoint.counts.completed -= 1;
      },
    },
    'health-completed-misses-retried': {
      does: 'jobs that complete after a retry are not counted',
      counted({ endpoint, retries }, status) {
        if (status === 'COMPLETED' && retries > 0) endpoint.counts.completed -= 1;
      },
    },
    'health-completed-twice-for-runsync': {
      does: 'jobs of /runsync whose call waits count twice',
      counted({ endpoint, watchers }, status) {
        if (status === 'COMPLETED' && watchers.size > 0) endpoint.counts.completed += 1;
      },
    },
    'health-completed-misses-streaming': {
      does: 'jobs that streamed are not counted',
      counted({ endpoint, chunks }, status) {
        if (status === 'COMPLETED' && chunks.length > 0) endpoint.counts.completed -= 1;
      },
    },
    'health-completed-counts-stopped': {
      does: 'a cancelled job counts as completed when it would have ended',
      cancelsRunning: (run) => void delete run.handler,
      succeeds({ job }, output) {
        if (job.status !== 'CANCELLED') return { output };
        job.endpoint.counts.completed += 1;
        return null;
      },
    },
  }),
  breaking('2.7', '| `jobs.failed` | integer |', {
    'health-failed-zero': {
      does: 'jobs.failed is always 0',
      health: (health) => withJobs(health, { failed: 0 }),
    },
    'health-failed-counts-cancelled': {
      does: 'cancelled jobs count as failed',
      contested: 'the document gives the members of health no meaning but their names',
      legal: '2.7/failed-includes-cancelled=yes',
      health: (health, { counts }) => withJobs(health, { failed: health.jobs.failed + counts.cancelled }),
    },
    'health-failed-below-zero': {
      does: 'a retried job is subtracted when it is retried and when it is deleted',
      retried: ({ endpoint }) => void (endpoint.counts.failed -= 1),
      removing({ endpoint, retries }) {
        if (retries > 0) endpoint.counts.failed -= 1;
      },
    },
    'health-failed-misses-crashes': {
      does: 'jobs whose worker died are not counted',
      counted({ endpoint, error }) {
        if (error === 'the worker crashed') endpoint.counts.failed -= 1;
      },
    },
    'health-failed-misses-runsync': {
      does: 'failed jobs of /runsync are not counted',
      counted({ endpoint, kind }, status) {
        if (status === 'FAILED' && kind === 'runsync') endpoint.counts.failed -= 1;
      },
    },
  }),
  breaking('2.7', '| `jobs.inProgress` | integer |', {
    'health-progress-zero': {
      does: 'jobs.inProgress is always 0',
      health: (health) => withJobs(health, { inProgress: 0 }),
    },
    'health-progress-not-freed': {
      does: 'jobs that fail still count as running',
      with: () => {
        const miscount = miscounted('inProgress');
        return {
          health: miscount.health,
          fails: ({ job, over }) => miscount.by(job.endpoint, over ? 0 : 1),
        };
      },
    },
    'health-progress-not-freed-on-cancel': {
      does: 'jobs cancelled while running still count as running',
      with: () => {
        const miscount = miscounted('inProgress');
        return {
          health: miscount.health,
          cancelsRunning: ({ job }) => miscount.by(job.endpoint, 1),
        };
      },
    },
    'health-progress-not-freed-second-time': {
      does: 'a job that fails after a retry still counts as running',
      with: () => {
        const miscount = miscounted('inProgress');
        return {
          health: miscount.health,
          fails: ({ job }) => miscount.by(job.endpoint, job.retries > 0 ? 1 : 0),
        };
      },
    },
    'cancel-of-ended-counts-down': {
      does: 'cancelling an ended job takes one from jobs.inProgress',
      with: () => {
        const miscount = miscounted('inProgress');
        return { health: miscount.health, cancelOfEnded: (job) => miscount.by(job.endpoint, -1) };
      },
    },
    'health-progress-below-after-retry': {
      does: 'retrying a job that overran takes one from jobs.inProgress',
      with: () => {
        const miscount = miscounted('inProgress');
        return {
          health: miscount.health,
          retries: (job) => miscount.by(job.endpoint, hasOverrun(job) ? -1 : 0),
        };
      },
    },
    'health-progress-misses-runsync': {
      does: 'running jobs of /runsync are not counted',
      health: (health, endpoint) =>
        withJobs(health, { inProgress: countOf(endpoint, 'IN_PROGRESS', (job) => job.kind === 'run') }),
    },
    'health-progress-misses-retried': {
      does: 'running jobs that were retried are not counted',
      health: (health, endpoint) =>
        withJobs(health, { inProgress: countOf(endpoint, 'IN_PROGRESS', (job) => job.retries === 0) }),
    },
    'health-progress-leaks-on-crash': {
      does: 'jobs whose worker died still count as running',
      with: () => {
        const miscount = miscounted('inProgress');
        return { health: miscount.health, crashes: ({ job }) => miscount.by(job.endpoint, 1) };
      },
    },
    'health-progress-leaks-on-overrun': {
      does: 'jobs that overran still count as running',
      with: () => {
        const miscount = miscounted('inProgress');
        return { health: miscount.health, overruns: ({ job }) => miscount.by(job.endpoint, 1) };
      },
    },
    'health-progress-counts-waiting-calls': {
      does: 'jobs of /runsync that wait for a worker count as running',
      health: (health, endpoint) =>
        withJobs(health, {
          inProgress: health.jobs.inProgress + countOf(endpoint, 'IN_QUEUE', (job) => job.kind === 'runsync'),
        }),
    },
    'health-progress-twice-down-on-cancel': {
      does: 'cancelling a running job takes two from jobs.inProgress',
      with: () => {
        const miscount = miscounted('inProgress');
        return {
          health: miscount.health,
          cancelsRunning: ({ job }) => miscount.by(job.endpoint, -1),
        };
      },
    },
    'health-progress-twice-down-on-overrun': {
      does: 'a job that overruns takes two from jobs.inProgress',
      with: () => {
        const miscount = miscounted('inProgress');
        return { health: miscount.health, overruns: ({ job }) => miscount.by(job.endpoint, -1) };
      },
    },
    'health-progress-twice-down-on-ttl': {
      does: 'a running job that expires takes two from jobs.inProgress',
      with: () => {
        const miscount = miscounted('inProgress');
        return {
          health: miscount.health,
          ttlExpires: ({ endpoint, run }) => miscount.by(endpoint, run === null ? 0 : -1),
        };
      },
    },
  }),
  breaking('2.7', '| `jobs.inQueue` | integer |', {
    'health-queue-zero': {
      does: 'jobs.inQueue is always 0',
      health: (health) => withJobs(health, { inQueue: 0 }),
    },
    'health-queue-counts-running': {
      does: 'running jobs count as waiting too',
      health: (health) => withJobs(health, { inQueue: health.jobs.inQueue + health.jobs.inProgress }),
    },
    'health-queue-not-freed-on-cancel': {
      does: 'jobs cancelled in the queue still count as waiting',
      with: () => {
        const miscount = miscounted('inQueue');
        return {
          health: miscount.health,
          cancelsWaiting: ({ endpoint }) => miscount.by(endpoint, 1),
        };
      },
    },
    'health-queue-not-freed-on-purge': {
      does: 'purged jobs still count as waiting',
      with: () => {
        const miscount = miscounted('inQueue');
        return {
          health: miscount.health,
          purges: (endpoint, taken) => miscount.by(endpoint, taken.length),
        };
      },
    },
    'health-queue-misses-retried': {
      does: 'retried jobs that wait are not counted',
      with: () => {
        const miscount = miscounted('inQueue');
        return { health: miscount.health, retried: ({ endpoint }) => miscount.by(endpoint, -1) };
      },
    },
    'health-queue-not-freed-on-cancel-after-retry': {
      does: 'a retried job cancelled in the queue still counts',
      with: () => {
        const miscount = miscounted('inQueue');
        return {
          health: miscount.health,
          cancelsWaiting: ({ endpoint, retries }) => miscount.by(endpoint, retries > 0 ? 1 : 0),
        };
      },
    },
    'health-queue-not-freed-on-purge-after-retry': {
      does: 'a retried job purged still counts',
      with: () => {
        const miscount = miscounted('inQueue');
        return {
          health: miscount.health,
          purges: (endpoint, taken) => miscount.by(endpoint, taken.filter((job) => job.retries > 0).length),
        };
      },
    },
    'health-queue-misses-low-priority': {
      does: 'waiting jobs with lowPriority are not counted',
      health: (health, endpoint) =>
        withJobs(health, { inQueue: countOf(endpoint, 'IN_QUEUE', (job) => !job.lowPriority) }),
    },
    'health-queue-misses-runsync': {
      does: 'waiting jobs of /runsync are not counted',
      health: (health, endpoint) =>
        withJobs(health, { inQueue: countOf(endpoint, 'IN_QUEUE', (job) => job.kind === 'run') }),
    },
    'health-queue-at-most-ten': {
      does: 'jobs.inQueue stops at 10',
      health: (health) => withJobs(health, { inQueue: Math.min(10, health.jobs.inQueue) }),
    },
    'health-queue-counts-retried-twice': {
      does: 'retried jobs that wait count twice',
      health: (health, endpoint) =>
        withJobs(health, {
          inQueue: health.jobs.inQueue + countOf(endpoint, 'IN_QUEUE', (job) => job.retries > 0),
        }),
    },
  }),
  breaking('2.7', '| `jobs.retried` | integer |', {
    'health-retried-counts-refused': {
      does: 'refused retries are counted',
      with: () => {
        const miscount = miscounted('retried');
        return { health: miscount.health, retryRefused: ({ endpoint }) => miscount.by(endpoint, 1) };
      },
    },
  }),
];
