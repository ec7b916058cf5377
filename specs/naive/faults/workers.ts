/** Faults of section 1: workers, and the jobs that they take. */
import { hasEnded } from '../job.js';
import type { Json } from '../json.js';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../submission.js';
import { RACE_MS, perEndpoint, later, sharedTimer } from './memory.js';
import { queueLater, workerSlots, pausing } from './steps.js';
import { breaking } from './fault.js';

export const WORKERS_FAULTS = [
  breaking('1', "When a worker is free, the worker's handler processes the job.", {
    'queue-not-woken': {
      does: 'a worker that gets free does not look at the queue; only the next submission does',
      wakes: (why) => why !== 'freed',
    },
    'one-worker-only': {
      does: 'however many workers there are, one job runs at a time',
      freeWorkers: (_free, { workers }) => Math.min(1, workers.count - workers.lost) - workers.busy.size,
    },
    'job-runs-twice': {
      does: 'a finished job is run a second time',
      finishes({ job }, status) {
        if (status !== 'COMPLETED' || job.retries > 0) return;
        job.retries += 1;
        job.endpoint.workers.queue.push(job);
      },
    },
    'worker-lost-after-failure': {
      does: 'a worker whose handler failed takes no more jobs',
      fails({ job }) {
        job.endpoint.workers.lost += 1;
        return false;
      },
    },
    'worker-lost-after-crash': {
      does: 'a crashed worker is not replaced',
      crashes({ job }) {
        job.endpoint.workers.lost += 1;
        return false;
      },
    },
    'worker-lost-after-timeout': {
      does: 'a worker whose job overran takes no more jobs',
      overruns({ job }) {
        job.endpoint.workers.lost += 1;
        return false;
      },
    },
    'worker-lost-after-cancel': {
      does: 'a worker whose job was cancelled takes no more jobs',
      cancelsRunning({ job }) {
        job.endpoint.workers.lost += 1;
        return false;
      },
    },
    'worker-lost-after-ttl': {
      does: 'a worker whose job was deleted by ttl takes no more jobs',
      ttlExpires({ endpoint, run }) {
        if (run !== null) endpoint.workers.lost += 1;
        return false;
      },
    },
    'worker-doubled-after-cancel': {
      does: 'cancelling a running job frees its worker twice',
      cancelsRunning({ job }) {
        job.endpoint.workers.lost -= 1;
        return false;
      },
    },
    'input-of-latest-job': {
      does: 'workers get the input of the job submitted last',
      input: (input, { endpoint }) => endpoint.latest?.input ?? input,
    },
    'two-idle-workers-take-one-job': {
      does: 'a job that finds two workers free is run by both',
      begin(job, start) {
        start();
        if (job.run !== null && job.endpoint.workers.free() > 0) start();
        return true;
      },
    },
    'redelivered-after-thirty-seconds': {
      does: 'a job still running after 30 s is given to a worker once more',
      started: (run) =>
        later(run.job.endpoint, MINUTE_MS / 2, () => !run.over && run.job.endpoint.workers.enqueue(run.job)),
    },
    'stale-head-stops-dispatch': {
      does: 'a free worker that finds an expired entry in the queue looks no further',
      leavesQueue: (how) => how !== 'removed',
      begin(job, start) {
        if (job.deleted) return false;
        start();
        return true;
      },
      purgeTaken: (taken) => taken.filter((job) => job.status === 'IN_QUEUE' && !job.deleted),
    },
    'cancelled-head-stops-dispatch': {
      does: 'a free worker that finds a cancelled entry in the queue looks no further',
      leavesQueue: (how) => how !== 'ended',
      begin(job, start) {
        if (hasEnded(job)) return false;
        start();
        return true;
      },
      purgeTaken: (taken) => taken.filter((job) => job.status === 'IN_QUEUE' && !job.deleted),
    },
    'worker-retires-after-twenty-jobs': {
      does: 'a worker is not replaced that has retired after twenty jobs',
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
      does: 'a job running on one endpoint takes a worker from all others',
      freeWorkers(free, endpoint) {
        const others = [...endpoint.service.endpoints.values()].filter((other) => other !== endpoint);
        return others.reduce((left, { workers }) => left - workers.busy.size, free);
      },
    },
    'result-cached-by-input': {
      does: 'a job with the input of a completed one is not run, but given its output',
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
    'execution-timeout-timer-shared': {
      does: 'there is one execution timer: a job that starts takes it from the one running',
      with: () => sharedTimer('overrun'),
    },
    'dispatch-in-batches': {
      does: 'jobs are started together, the next ones when all of them have ended',
      dispatches: ({ workers }) => workers.busy.size === 0,
    },
    'worker-chosen-at-submission': {
      does: 'a job waits for the worker it was given at submission',
      with: () => {
        const slots = workerSlots();
        return { submitted: slots.next, ready: (jobs) => jobs.filter((job) => !slots.isBusy(job)) };
      },
    },
    'retry-waits-for-first-worker': {
      does: 'a retried job waits for the worker that ran it first',
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
      does: 'of submissions that overlap the last to end is queued',
      run({ workers }, submit) {
        const before = [...workers.queue];
        setTimeout(() => {
          workers.queue = before.filter((job) => job.status === 'IN_QUEUE' && !job.deleted);
          submit();
        }, RACE_MS);
      },
    },
    'retry-second-delayed': {
      does: 'a second retry waits ten seconds, though a worker is free',
      requeue(job, queue) {
        if (job.retries > 1) queueLater(job, 10 * SECOND_MS);
        else queue();
      },
    },
    'redelivered-after-an-hour': {
      does: 'a job still running after an hour is given to a worker once more',
      started: (run) =>
        later(run.job.endpoint, HOUR_MS, () => !run.over && run.job.endpoint.workers.enqueue(run.job)),
    },
    'failure-pauses-queue': {
      does: 'after a failure no job is started for thirty seconds',
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
      does: 'after five failures in a row no job is started any more',
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
      does: 'after three crashes no job is started any more',
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
      does: 'after a purge no job is started for ten seconds',
      with: () => {
        const pause = pausing();
        return {
          dispatches: pause.dispatches,
          purges: (endpoint) => pause.for(endpoint, 10 * SECOND_MS),
        };
      },
    },
  }),
];
