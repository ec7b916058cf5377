/** Faults of section 1: workers, and the jobs that they take. */
import { hasEnded } from '../../job.js';
import type { Json } from '../../json.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../submission.js';
import { RACE_MS, perEndpoint, later, sharedTimer } from '../memory.js';
import { hasOverrun, pausing, queueLater, sleepsOn, workerSlots } from '../steps.js';
import type { Faults } from '../fault.js';

export const WORKERS_FAULTS = {
  'freed-worker-stays-idle': { wakes: (why) => why !== 'freed' },
  'one-job-at-a-time': {
    freeWorkers: (_free, { workers }) => Math.min(1, workers.count - workers.lost) - workers.busy.size,
  },
  'job-runs-twice': {
    finishes({ job }, status) {
      if (status !== 'COMPLETED' || job.retries > 0) return;
      job.retries += 1;
      job.endpoint.workers.queue.push(job);
    },
  },
  'worker-lost-after-failure': {
    fails({ job }) {
      job.endpoint.workers.lost += 1;
      return false;
    },
  },
  'dead-worker-not-replaced': {
    crashes({ job }) {
      job.endpoint.workers.lost += 1;
      return false;
    },
  },
  'timeout-keeps-worker': {
    overruns({ job }) {
      job.endpoint.workers.lost += 1;
      return false;
    },
  },
  'worker-lost-after-cancel': {
    cancelsRunning({ job }) {
      job.endpoint.workers.lost += 1;
      return false;
    },
  },
  'ttl-keeps-worker': {
    ttlExpires({ endpoint, run }) {
      if (run !== null) endpoint.workers.lost += 1;
      return false;
    },
  },
  'worker-sleeps-on-after-cancel': { left: sleepsOn(({ status }) => status === 'CANCELLED') },
  'worker-sleeps-on-after-timeout': { left: sleepsOn(hasOverrun) },
  'worker-sleeps-on-after-ttl': { left: sleepsOn(({ deleted }) => deleted) },
  'worker-doubled-after-cancel': {
    cancelsRunning({ job }) {
      job.endpoint.workers.lost -= 1;
      return false;
    },
  },
  'input-of-the-last-submission': { input: (input, { endpoint }) => endpoint.latest?.input ?? input },
  'two-idle-workers-take-one-job': {
    begin(job, start) {
      start();
      if (job.run !== null && job.endpoint.workers.free() > 0) start();
      return true;
    },
  },
  'redelivered-after-thirty-seconds': {
    started: (run) =>
      later(run.job.endpoint, MINUTE_MS / 2, () => !run.over && run.job.endpoint.workers.enqueue(run.job)),
  },
  'stale-head-stops-dispatch': {
    leavesQueue: (how) => how !== 'removed',
    begin(job, start) {
      if (job.deleted) return false;
      start();
      return true;
    },
    purgeTaken: (taken) => taken.filter((job) => job.status === 'IN_QUEUE' && !job.deleted),
  },
  'cancelled-head-stops-dispatch': {
    leavesQueue: (how) => how !== 'ended',
    begin(job, start) {
      if (hasEnded(job)) return false;
      start();
      return true;
    },
    purgeTaken: (taken) => taken.filter((job) => job.status === 'IN_QUEUE' && !job.deleted),
  },
  'worker-retires-after-twenty-jobs': {
    with: () => {
      const runsOf = perEndpoint(() => ({ count: 0 }));
      return {
        left({ job }) {
          const runs = runsOf(job.endpoint);
          runs.count += 1;
          if (runs.count % 20 === 0) job.endpoint.workers.lost += 1;
        },
      };
    },
  },
  'workers-shared-by-endpoints': {
    freeWorkers(free, endpoint) {
      const others = [...endpoint.service.endpoints.values()].filter((other) => other !== endpoint);
      return others.reduce((left, { workers }) => left - workers.busy.size, free);
    },
  },
  'result-cached-by-input': {
    with: () => {
      const outputsOf = perEndpoint(() => new Map<string, Json>());
      return {
        outputKnown: ({ endpoint, input }) => outputsOf(endpoint).get(JSON.stringify(input)),
        succeeds({ job }, output) {
          outputsOf(job.endpoint).set(JSON.stringify(job.input), output);
          return { output };
        },
      };
    },
  },
  'execution-timeout-timer-shared': { with: () => sharedTimer('overrun') },
  'dispatch-in-batches': { dispatches: ({ workers }) => workers.busy.size === 0 },
  'worker-chosen-at-submission': {
    with: () => {
      const slots = workerSlots();
      return { submitted: slots.next, ready: (jobs) => jobs.filter((job) => !slots.isBusy(job)) };
    },
  },
  'retry-waits-for-first-worker': {
    with: () => {
      const slots = workerSlots();
      return {
        submitted: slots.next,
        ready: (jobs) => jobs.filter((job) => job.retries === 0 || !slots.isBusy(job)),
        starts({ job }) {
          if (job.retries === 0) slots.takeFree(job);
        },
      };
    },
  },
  'submissions-at-once-overwritten': {
    run({ workers }, submit) {
      const before = [...workers.queue];
      setTimeout(() => {
        workers.queue = before.filter((job) => job.status === 'IN_QUEUE' && !job.deleted);
        submit();
      }, RACE_MS);
    },
  },
  'retry-second-delayed': {
    requeue(job, queue) {
      if (job.retries > 1) queueLater(job, 10 * SECOND_MS);
      else queue();
    },
  },
  'redelivered-after-an-hour': {
    started: (run) =>
      later(run.job.endpoint, HOUR_MS, () => !run.over && run.job.endpoint.workers.enqueue(run.job)),
  },
  'failure-pauses-queue': {
    with: () => {
      const pause = pausing();
      return {
        dispatches: pause.dispatches,
        counted({ endpoint }, status) {
          if (status === 'FAILED') pause.for(endpoint, MINUTE_MS / 2);
        },
      };
    },
  },
  'queue-stops-after-five-failures': {
    with: () => {
      const failuresOf = perEndpoint(() => ({ inARow: 0 }));
      return {
        dispatches: (endpoint) => failuresOf(endpoint).inARow < 5,
        counted({ endpoint }, status) {
          const failures = failuresOf(endpoint);
          failures.inARow = status === 'FAILED' ? failures.inARow + 1 : 0;
        },
      };
    },
  },
  'queue-stops-after-three-crashes': {
    with: () => {
      const crashesOf = perEndpoint(() => ({ count: 0 }));
      return {
        dispatches: (endpoint) => crashesOf(endpoint).count < 3,
        counted({ endpoint, error }) {
          if (error === 'the worker crashed') crashesOf(endpoint).count += 1;
        },
      };
    },
  },
  'purge-holds-queue-ten-seconds': {
    with: () => {
      const pause = pausing();
      return {
        dispatches: pause.dispatches,
        purges: (endpoint) => pause.for(endpoint, 10 * SECOND_MS),
      };
    },
  },
} satisfies Faults;
