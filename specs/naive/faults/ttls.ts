/** Faults of section 2.2: `ttl`. */
import { refuse } from '../call.js';
import { hasEnded, type Job } from '../job.js';
import type { JsonObject } from '../json.js';
import { MINUTE_MS, SECOND_MS } from '../submission.js';
import { stillCounted } from './counters.js';
import { nowIn, timesAtOnce, sharedTimer, roundedUp } from './memory.js';
import { forgetRunning, deletedJobs } from './steps.js';
import { breaking } from './fault.js';

export const TTLS_FAULTS = [
  breaking(
    '2.2',
    'The timer starts at submission and covers queue time, execution time and anything between.',
    {
      'ttl-ignored': { does: 'ttl has no effect', ttl: () => null },
      'ttl-from-start': {
        does: 'the timer starts when a worker picks the job up; queued jobs do not expire',
        ttl: (ms, job) => (job.startedMs === null ? null : ms),
        started: ({ job }) => job.endpoint.lifespans.restartTtl(job),
      },
      'ttl-restarts-at-start': {
        does: 'picking the job up starts the timer anew',
        started: ({ job }) => job.endpoint.lifespans.restartTtl(job),
      },
      'ttl-from-end': {
        does: 'the timer starts when the job ends',
        ttl: (ms, job) => (job.endedMs === null ? null : ms),
        counted: (job) => job.endpoint.lifespans.restartTtl(job),
      },
      'ttl-in-seconds': { does: 'the value is taken as seconds', ttl: (ms) => ms * 1000 },
      'ttl-halved': { does: 'expires after half the time', ttl: (ms) => ms / 2 },
      'ttl-doubled': { does: 'expires after twice the time', ttl: (ms) => ms * 2 },
      'ttl-restarts-on-read': {
        does: 'every /status starts the timer anew',
        statusRead(record, job) {
          job.endpoint.lifespans.restartTtl(job);
          return record;
        },
      },
      'ttl-sticks': {
        does: "one job's ttl becomes the default of the jobs after it",
        policy(policy, { defaults }) {
          defaults.ttlMs = policy.ttlMs;
          return policy;
        },
      },
      'ttl-ignored-for-runsync': {
        does: 'jobs of /runsync do not expire by ttl',
        ttl: (ms, job) => (job.kind === 'runsync' ? null : ms),
      },
      'ttl-restarts-on-retry': {
        does: 'a retry starts the timer anew',
        retried: (job) => job.endpoint.lifespans.restartTtl(job),
      },
      'ttl-gone-after-retry': {
        does: 'a retried job has no ttl any more',
        retried: (job) => job.endpoint.lifespans.expireAt(job, Infinity),
      },
    },
  ),
  breaking('2.2', 'When `ttl` expires, the job is deleted whatever its state.', {
    'ttl-ignored-in-queue': {
      does: 'a waiting job does not expire',
      ttlExpires: ({ status }) => status === 'IN_QUEUE',
    },
    'ttl-ignored-while-running': {
      does: 'a running job does not expire, nor its result',
      ttlExpires: ({ status }) => status === 'IN_PROGRESS',
    },
    'ttl-ignored-when-completed': {
      does: 'a completed job lives its retention',
      ttlExpires: ({ status }) => status === 'COMPLETED',
    },
    'ttl-ignored-when-failed': {
      does: 'a failed job lives its retention',
      ttlExpires: ({ status }) => status === 'FAILED' || status === 'TIMED_OUT',
    },
    'ttl-ignored-when-cancelled': {
      does: 'a cancelled job lives its retention',
      ttlExpires: ({ status }) => status === 'CANCELLED',
    },
    'ttl-expired-still-counted': {
      does: 'an expired job still counts as waiting or running in /health',
      with: () => stillCounted(() => true),
    },
    'ttl-expired-still-runs': {
      does: 'the expired job is forgotten but its entry in the queue still occupies a worker',
      ttlExpires(job) {
        if (job.status !== 'IN_QUEUE') return false;
        job.endpoint.forget(job);
        return true;
      },
    },
    'ttl-marks-failed': {
      does: 'a job whose ttl expires becomes FAILED instead of being deleted',
      ttlExpires(job) {
        const { endpoint, run } = job;
        if (run !== null) endpoint.workers.finish(run, 'FAILED', undefined, 'expired');
        else if (job.status === 'IN_QUEUE') endpoint.endWaiting(job, 'FAILED');
        else return false;
        return true;
      },
    },
    'ttl-timer-shared': {
      does: 'there is one ttl timer: a later submission takes it from the earlier',
      with: () => sharedTimer('ttl'),
    },
    'ttl-restarts-on-stream': {
      does: 'every /stream starts the ttl anew',
      streamRead: (job) => job.endpoint.lifespans.restartTtl(job),
    },
    'ttl-ignored-for-low-priority': {
      does: 'jobs with lowPriority do not expire by ttl',
      ttl: (ms, job) => (job.lowPriority ? null : ms),
    },
    'ttl-one-per-instant': {
      does: 'of the jobs that are due at one instant one is deleted',
      with: () => {
        const times = timesAtOnce();
        return { ttlExpires: ({ endpoint }) => times(endpoint) > 1 };
      },
    },
    'ttl-swept-each-minute': {
      does: 'a sweep every minute deletes what is due',
      swept: (atMs, what) => (what === 'ttl' ? roundedUp(MINUTE_MS, atMs) : null),
    },
    'ttl-sweep-at-most-ten': {
      does: 'a sweep every second deletes at most ten jobs; of more, the others stay for good',
      with: () => {
        const times = timesAtOnce();
        return {
          swept: (atMs, what) => (what === 'ttl' ? roundedUp(SECOND_MS, atMs) : null),
          ttlExpires: ({ endpoint }) => times(endpoint) > 10,
        };
      },
    },
    'ttl-in-queue-when-picked': {
      does: 'a waiting job is deleted when a worker gets to it',
      ttlExpires: ({ status }) => status === 'IN_QUEUE',
      begin(job, start) {
        if (job.ttlAtMs <= nowIn(job.endpoint)) job.endpoint.remove(job);
        else start();
        return true;
      },
    },
    'ttl-ignored-after-cancel-of-running': {
      does: 'cancelling a running job stops its ttl',
      ttlExpires: ({ status, startedMs }) => status === 'CANCELLED' && startedMs !== null,
    },
    'ttl-ignored-after-second-failure': {
      does: 'a job that has failed twice does not expire',
      ttlExpires: ({ status, retries }) => status === 'FAILED' && retries > 0,
    },
    'ttl-after-retry-keeps-worker': {
      does: 'a retried job deleted while it runs keeps its worker',
      ttlExpires: (job) => job.retries > 0 && forgetRunning(job),
    },
    'ttl-ignored-when-streamed': {
      does: 'a job that has streamed does not expire while it runs',
      ttlExpires: ({ status, chunks }) => status === 'IN_PROGRESS' && chunks.length > 0,
    },
    'ttl-ignored-beside-webhook': {
      does: 'jobs with a webhook do not expire',
      ttlExpires: ({ webhook }) => webhook !== null,
    },
  }),
  breaking('2.2', 'If it expires while the job runs, the job is removed at once', {
    'ttl-waits-for-the-run': {
      does: 'a running job is removed when its run has ended',
      ttlExpires: ({ status }) => status === 'IN_PROGRESS',
      shown(job) {
        if (job.ttlAtMs <= Number(job.endedMs)) job.endpoint.remove(job);
      },
    },
    'ttl-fails-when-the-run-ends': {
      does: 'a running job is FAILED when its run has ended',
      ttlExpires: ({ status }) => status === 'IN_PROGRESS',
      succeeds(run, output) {
        const { job } = run;
        if (job.ttlAtMs > nowIn(job.endpoint)) return { output };
        job.endpoint.workers.failed(run, 'expired');
        return null;
      },
    },
    'ttl-handler-runs-on': {
      does: 'the job is gone but its handler keeps the worker until it is done',
      ttlExpires: forgetRunning,
    },
    'ttl-of-running-drops-last': {
      does: 'a running job that expires takes the last of the queue out as well',
      ttlExpires({ endpoint, run }) {
        if (run !== null) endpoint.workers.queue.pop();
        return false;
      },
    },
  }),
  breaking('2.2', 'later status checks return 404 even if the job would have completed', {
    'ttl-result-resurrects': {
      does: 'the result reported after the expiry brings the job back',
      ttlExpires(job) {
        if (job.run === null) return false;
        job.endpoint.forget(job);
        return true;
      },
      revives(job) {
        job.deleted = false;
        job.endpoint.jobs.set(job.id, job);
        return true;
      },
    },
    'expired-is-410': {
      does: 'expired jobs answer 410',
      with: () => {
        const deleted = deletedJobs();
        return {
          ...deleted.hooks,
          unknown: (endpoint, id) => (deleted.find(endpoint, id) === null ? null : refuse(410, 'gone')),
        };
      },
    },
    'expired-is-200': {
      does: 'expired jobs answer 200 with status EXPIRED',
      with: () => {
        const deleted = deletedJobs();
        return {
          ...deleted.hooks,
          unknown: (endpoint, id) =>
            deleted.find(endpoint, id) === null ? null : { code: 200, body: { id, status: 'EXPIRED' } },
        };
      },
    },
    'expired-still-streams': {
      does: '/stream still answers for a deleted job',
      with: () => {
        const deleted = deletedJobs();
        return {
          ...deleted.hooks,
          find: (endpoint, id, operation, right) =>
            right ?? (operation === 'stream' ? deleted.find(endpoint, id) : null),
        };
      },
    },
    'expired-still-cancels': {
      does: '/cancel still answers for a deleted job',
      with: () => {
        const deleted = deletedJobs();
        return {
          ...deleted.hooks,
          find: (endpoint, id, operation, right) =>
            right ?? (operation === 'cancel' ? deleted.find(endpoint, id) : null),
        };
      },
    },
    'runsync-waits-past-ttl': {
      does: 'a waiting /runsync is not answered when the job expires, only when wait has elapsed',
      legal: '4.1/ttl-during-wait=at-wait-end',
      missesChange: ({ job }) => job.deleted,
    },
    'ended-record-cached-past-expiry': {
      does: 'the record of an ended job that was read is shown for good',
      with: () => {
        const deleted = deletedJobs();
        const records = new WeakMap<Job, JsonObject>();
        return {
          ...deleted.hooks,
          find(endpoint, id, operation, right) {
            const job = deleted.find(endpoint, id);
            return right ?? (operation === 'status' && job !== null && records.has(job) ? job : null);
          },
          statusRead(record, job) {
            if (hasEnded(job) && !records.has(job)) records.set(job, record);
            return record;
          },
        };
      },
    },
  }),
];
