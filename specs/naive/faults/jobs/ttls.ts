/** Faults of section 2.2: `ttl`. */
import { refuse } from '../../call.js';
import { hasEnded, type Job } from '../../job.js';
import type { JsonObject } from '../../json.js';
import { MINUTE_MS, SECOND_MS } from '../../submission.js';
import { stillCounted } from './counters.js';
import { nowIn, timesAtOnce, sharedTimer, roundedUp } from '../memory.js';
import { forgetRunning, deletedJobs } from '../steps.js';
import type { Faults } from '../fault.js';

export const TTLS_FAULTS = {
  'ttl-ignored': { ttl: () => null },
  'ttl-from-start': {
    ttl: (ms, job) => (job.startedMs === null ? null : ms),
    started: ({ job }) => job.endpoint.lifespans.restartTtl(job),
  },
  'ttl-restarts-at-start': { started: ({ job }) => job.endpoint.lifespans.restartTtl(job) },
  'ttl-from-end': {
    ttl: (ms, job) => (job.endedMs === null ? null : ms),
    counted: (job) => job.endpoint.lifespans.restartTtl(job),
  },
  'ttl-in-seconds': { ttl: (ms) => ms * 1000 },
  'ttl-halved': { ttl: (ms) => ms / 2 },
  'ttl-doubled': { ttl: (ms) => ms * 2 },
  'ttl-restarts-on-read': {
    statusRead(record, job) {
      job.endpoint.lifespans.restartTtl(job);
      return record;
    },
  },
  'ttl-shared': {
    policy(policy, { defaults }) {
      defaults.ttlMs = policy.ttlMs;
      return policy;
    },
  },
  'ttl-spares-runsync': { ttl: (ms, job) => (job.kind === 'runsync' ? null : ms) },
  'ttl-restarts-on-retry': { retried: (job) => job.endpoint.lifespans.restartTtl(job) },
  'ttl-gone-after-retry': { retried: (job) => job.endpoint.lifespans.expireAt(job, Infinity) },
  'ttl-not-in-queue': { ttlExpires: ({ status }) => status === 'IN_QUEUE' },
  'ttl-ignored-while-running': { ttlExpires: ({ status }) => status === 'IN_PROGRESS' },
  'ttl-ignored-when-completed': { ttlExpires: ({ status }) => status === 'COMPLETED' },
  'ttl-ignored-when-failed': { ttlExpires: ({ status }) => status === 'FAILED' || status === 'TIMED_OUT' },
  'ttl-spares-cancelled': { ttlExpires: ({ status }) => status === 'CANCELLED' },
  'ttl-expired-still-counted': { with: () => stillCounted(() => true) },
  'ttl-expired-still-runs': {
    ttlExpires(job) {
      if (job.status !== 'IN_QUEUE') return false;
      job.endpoint.forget(job);
      return true;
    },
  },
  'ttl-marks-failed': {
    ttlExpires(job) {
      const { endpoint, run } = job;
      if (run !== null) endpoint.workers.finish(run, 'FAILED', undefined, 'expired');
      else if (job.status === 'IN_QUEUE') endpoint.endWaiting(job, 'FAILED');
      else return false;
      return true;
    },
  },
  'ttl-timer-shared': { with: () => sharedTimer('ttl') },
  'ttl-restarts-on-stream': { streamRead: (job) => job.endpoint.lifespans.restartTtl(job) },
  'ttl-ignored-for-low-priority': { ttl: (ms, job) => (job.lowPriority ? null : ms) },
  'ttl-one-per-instant': {
    with: () => {
      const times = timesAtOnce();
      return { ttlExpires: ({ endpoint }) => times(endpoint) > 1 };
    },
  },
  'ttl-swept-each-minute': { swept: (atMs, what) => (what === 'ttl' ? roundedUp(MINUTE_MS, atMs) : null) },
  'ttl-sweep-at-most-ten': {
    with: () => {
      const times = timesAtOnce();
      return {
        swept: (atMs, what) => (what === 'ttl' ? roundedUp(SECOND_MS, atMs) : null),
        ttlExpires: ({ endpoint }) => times(endpoint) > 10,
      };
    },
  },
  'ttl-in-queue-when-picked': {
    ttlExpires: ({ status }) => status === 'IN_QUEUE',
    begin(job, start) {
      if (job.ttlAtMs <= nowIn(job.endpoint)) job.endpoint.remove(job);
      else start();
      return true;
    },
  },
  'ttl-ignored-after-cancel-of-running': {
    ttlExpires: ({ status, startedMs }) => status === 'CANCELLED' && startedMs !== null,
  },
  'ttl-ignored-after-second-failure': {
    ttlExpires: ({ status, retries }) => status === 'FAILED' && retries > 0,
  },
  'ttl-after-retry-keeps-worker': { ttlExpires: (job) => job.retries > 0 && forgetRunning(job) },
  'ttl-ignored-when-streamed': {
    ttlExpires: ({ status, chunks }) => status === 'IN_PROGRESS' && chunks.length > 0,
  },
  'ttl-ignored-beside-webhook': { ttlExpires: ({ webhook }) => webhook !== null },
  'ttl-waits-for-the-run': {
    ttlExpires: ({ status }) => status === 'IN_PROGRESS',
    shown(job) {
      if (job.ttlAtMs <= Number(job.endedMs)) job.endpoint.remove(job);
    },
  },
  'ttl-fails-when-the-run-ends': {
    ttlExpires: ({ status }) => status === 'IN_PROGRESS',
    succeeds(run, output) {
      const { job } = run;
      if (job.ttlAtMs > nowIn(job.endpoint)) return { output };
      job.endpoint.workers.failed(run, 'expired');
      return null;
    },
  },
  'ttl-handler-runs-on': { ttlExpires: forgetRunning },
  'ttl-of-running-drops-last': {
    ttlExpires({ endpoint, run }) {
      if (run !== null) endpoint.workers.queue.pop();
      return false;
    },
  },
  'ttl-result-resurrects': {
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
    with: () => {
      const deleted = deletedJobs();
      return {
        ...deleted.hooks,
        unknown: (endpoint, id) => (deleted.find(endpoint, id) === null ? null : refuse(410, 'gone')),
      };
    },
  },
  'expired-is-200': {
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
    with: () => {
      const deleted = deletedJobs();
      return {
        ...deleted.hooks,
        find: (endpoint, id, operation, right) =>
          right ?? (operation === 'cancel' ? deleted.find(endpoint, id) : null),
      };
    },
  },
  'runsync-waits-past-ttl': { missesChange: ({ job }) => job.deleted },
  'ended-record-cached-past-expiry': {
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
} satisfies Faults;
