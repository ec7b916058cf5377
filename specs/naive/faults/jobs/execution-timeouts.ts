/** Faults of section 2.2: `executionTimeout`. */
import type { Job, Run } from '../../job.js';
import { DAY_MS, MINUTE_MS } from '../../submission.js';
import { nowIn, later, timesAtOnce, roundedUp } from '../memory.js';
import type { Faults } from '../fault.js';

export const EXECUTION_TIMEOUTS_FAULTS = {
  'timeout-not-enforced': { executionTimeout: () => null },
  'timeout-from-submission': {
    executionTimeout: ({ ms }, { job }) => ({ ms, fromMs: job.submittedMs }),
  },
  'execution-timeout-spans-queue-and-run': {
    executionTimeout: ({ ms }, { job }) => ({ ms, fromMs: job.submittedMs }),
    submitted(job) {
      later(job.endpoint, job.executionTimeoutMs, () => {
        if (job.status === 'IN_QUEUE' && !job.deleted) job.endpoint.endWaiting(job, 'TIMED_OUT');
      });
    },
  },
  'execution-timeout-in-seconds': { executionTimeout: ({ ms, fromMs }) => ({ ms: ms * 1000, fromMs }) },
  'execution-timeout-halved': { executionTimeout: ({ ms, fromMs }) => ({ ms: ms / 2, fromMs }) },
  'execution-timeout-doubled': { executionTimeout: ({ ms, fromMs }) => ({ ms: ms * 2, fromMs }) },
  'timeout-of-job-ignored': {
    policy: (policy, { defaults }) => ({ ...policy, executionTimeoutMs: defaults.executionTimeoutMs }),
  },
  'execution-timeout-deletes-job': {
    overruns({ job }) {
      job.endpoint.remove(job);
      return true;
    },
  },
  'execution-timeout-completes': {
    overruns(run) {
      run.job.endpoint.workers.finish(run, 'COMPLETED', undefined, null);
      return true;
    },
  },
  'execution-timeout-cancels': {
    overruns(run) {
      run.job.endpoint.workers.finish(run, 'CANCELLED', undefined, null);
      return true;
    },
  },
  'execution-timeout-overwritten': {
    overruns({ job }) {
      job.endpoint.settle(job, job.endpoint.service.choices.overrun);
      return true;
    },
  },
  'execution-timeout-restarts-on-chunk': {
    chunks(_chunks, run) {
      run.job.endpoint.workers.watchOverrun(run);
      return run.job;
    },
  },
  'execution-timeout-of-first-run': {
    stopsOverrun: () => false,
    overrunIs(run) {
      const { run: latest, endpoint } = run.job;
      if (!run.over || latest === null || latest === run) return false;
      endpoint.workers.overran(latest);
      return true;
    },
  },
  'execution-timeout-from-retry': {
    executionTimeout: ({ ms, fromMs }, { job }) => ({
      ms,
      fromMs: job.retries > 0 ? job.queuedMs : fromMs,
    }),
  },
  'execution-timeout-restarts-on-read': {
    statusRead(record, job) {
      if (job.run !== null) job.endpoint.workers.watchOverrun(job.run);
      return record;
    },
  },
  'overrun-one-per-instant': {
    with: () => {
      const times = timesAtOnce();
      return { overruns: ({ job }) => times(job.endpoint) > 1 };
    },
  },
  'execution-timeout-looked-at-when-read': {
    with: () => {
      const dueMs = new WeakMap<Run, number>();
      return {
        executionTimeout({ fromMs, ms }, run) {
          if (Number.isFinite(ms)) dueMs.set(run, fromMs + ms);
          return null;
        },
        statusRead(record, job) {
          const { run, endpoint } = job;
          if (run === null || Number(dueMs.get(run)) > nowIn(endpoint)) return record;
          endpoint.workers.overran(run);
          return endpoint.record(job);
        },
      };
    },
  },
  'execution-timeout-swept-each-minute': {
    swept: (atMs, what) => (what === 'overrun' ? roundedUp(MINUTE_MS, atMs) : null),
  },
  'execution-timeout-first-worker-only': {
    executionTimeout: (timeout, { beside }) => (beside ? null : timeout),
  },
  'overrun-after-retry-keeps-worker': {
    overruns(run) {
      const { endpoint, retries } = run.job;
      if (retries === 0) return false;
      run.over = true;
      endpoint.settle(run.job, endpoint.service.choices.overrun);
      return true;
    },
  },
  'execution-timeout-not-when-waited': {
    executionTimeout: (timeout, { job }) => (nowIn(job.endpoint) > job.queuedMs ? null : timeout),
  },
  'execution-timeout-ends-with-wait': {
    with: () => {
      const answered = new WeakSet<Job>();
      return {
        runsyncAnswered: (job) => void answered.add(job),
        overruns: ({ job }) => answered.has(job),
      };
    },
  },
  'overrun-shows-completed-chunks': {
    overruns(run) {
      if (run.job.chunks.length === 0) return false;
      run.job.endpoint.workers.finish(run, 'COMPLETED', [...run.job.chunks], null);
      return true;
    },
  },
  'retry-deducts-earlier-runs': {
    executionTimeout: ({ ms, fromMs }, { job }) => ({
      ms: Math.max(0, ms - job.earlierExecutionMs),
      fromMs,
    }),
  },
  'retry-without-timeout': {
    executionTimeout: (timeout, { job }) => (job.retries > 0 ? null : timeout),
  },
  'execution-timeout-capped-at-a-day': {
    submission(submission) {
      submission.executionTimeoutMs = Math.min(DAY_MS, submission.executionTimeoutMs);
    },
  },
  'overrun-flag-stays-on-job': {
    with: () => {
      const overran = new WeakSet<Job>();
      return {
        overruns: ({ job }) => void overran.add(job),
        started(run) {
          const { endpoint } = run.job;
          if (overran.has(run.job)) later(endpoint, 100, () => endpoint.workers.overran(run));
        },
      };
    },
  },
  'status-ttl-clears-execution-timeout': {
    statusTtl(ms, { endpoint, run }) {
      endpoint.service.clock.stop(run?.overrunTimer);
      return ms;
    },
  },
  'timeout-in-queue': {
    submitted(job) {
      later(job.endpoint, job.executionTimeoutMs, () => {
        if (job.status === 'IN_QUEUE' && !job.deleted) job.endpoint.endWaiting(job, 'TIMED_OUT');
      });
    },
  },
  'timeout-shared': {
    policy(policy, { defaults }) {
      defaults.executionTimeoutMs = policy.executionTimeoutMs;
      return policy;
    },
  },
} satisfies Faults;
