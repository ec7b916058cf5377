/** Faults of section 2.2: `executionTimeout`. */
import type { Job, Run } from '../job.js';
import { DAY_MS, MINUTE_MS } from '../submission.js';
import { nowIn, later, timesAtOnce, roundedUp } from './memory.js';
import { breaking } from './fault.js';

export const EXECUTION_TIMEOUTS_FAULTS = [
  breaking('2.2', 'Maximum time a job may run once a worker has picked it up.', {
    'execution-timeout-not-enforced': {
      does: 'nothing ends a job that overruns',
      executionTimeout: () => null,
    },
    'execution-timeout-from-submission': {
      does: 'the time in the queue counts, once the job runs',
      executionTimeout: ({ ms }, { job }) => ({ ms, fromMs: job.submittedMs }),
    },
    'execution-timeout-spans-queue-and-run': {
      does: 'the time counts from the submission, whether the job waits or runs',
      executionTimeout: ({ ms }, { job }) => ({ ms, fromMs: job.submittedMs }),
      submitted(job) {
        later(job.endpoint, job.executionTimeoutMs, () => {
          if (job.status === 'IN_QUEUE' && !job.deleted) job.endpoint.endWaiting(job, 'TIMED_OUT');
        });
      },
    },
    'execution-timeout-in-seconds': {
      does: 'the value is taken as seconds',
      executionTimeout: ({ ms, fromMs }) => ({ ms: ms * 1000, fromMs }),
    },
    'execution-timeout-halved': {
      does: 'fires after half the time',
      executionTimeout: ({ ms, fromMs }) => ({ ms: ms / 2, fromMs }),
    },
    'execution-timeout-doubled': {
      does: 'fires after twice the time',
      executionTimeout: ({ ms, fromMs }) => ({ ms: ms * 2, fromMs }),
    },
    'execution-timeout-policy-ignored': {
      does: 'the default is used whatever the job says',
      policy: (policy, { defaults }) => ({ ...policy, executionTimeoutMs: defaults.executionTimeoutMs }),
    },
    'execution-timeout-deletes-job': {
      does: 'a job that overruns is gone: 404',
      legal: '3/timed-out-state=CANCELLED with 3/status-after-cancel=not-found',
      overruns({ job }) {
        job.endpoint.remove(job);
        return true;
      },
    },
    'execution-timeout-completes': {
      does: 'a job that overruns is COMPLETED',
      overruns(run) {
        run.job.endpoint.workers.finish(run, 'COMPLETED', undefined, null);
        return true;
      },
    },
    'execution-timeout-cancels': {
      does: 'a job that overruns is CANCELLED',
      legal: '3/timed-out-state=CANCELLED',
      overruns(run) {
        run.job.endpoint.workers.finish(run, 'CANCELLED', undefined, null);
        return true;
      },
    },
    'execution-timeout-overwritten': {
      does: 'the handler runs on after the timeout, and its late result replaces the state',
      overruns({ job }) {
        job.endpoint.settle(job, job.endpoint.service.choices.overrun);
        return true;
      },
    },
    'execution-timeout-restarts-on-chunk': {
      does: 'every streamed chunk starts the timeout anew',
      chunks(_chunks, run) {
        run.job.endpoint.workers.watchOverrun(run);
        return run.job;
      },
    },
    'execution-timeout-of-first-run': {
      does: "the first run's timer lives on and ends the retried run",
      stopsOverrun: () => false,
      overrunIs(run) {
        const { run: latest, endpoint } = run.job;
        if (!run.over || latest === null || latest === run) return false;
        endpoint.workers.overran(latest);
        return true;
      },
    },
    'execution-timeout-from-retry': {
      does: 'after a retry the time in the queue counts',
      executionTimeout: ({ ms, fromMs }, { job }) => ({
        ms,
        fromMs: job.retries > 0 ? job.queuedMs : fromMs,
      }),
    },
    'execution-timeout-restarts-on-read': {
      does: 'every /status of a running job starts the timeout anew',
      statusRead(record, job) {
        if (job.run !== null) job.endpoint.workers.watchOverrun(job.run);
        return record;
      },
    },
    'overrun-one-per-instant': {
      does: 'of the jobs that are due at one instant one is stopped',
      with: () => {
        const times = timesAtOnce();
        return { overruns: ({ job }) => times(job.endpoint) > 1 };
      },
    },
    'execution-timeout-looked-at-when-read': {
      does: 'a job that overruns is stopped when it is read',
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
      does: 'a sweep every minute stops the jobs that overrun',
      swept: (atMs, what) => (what === 'overrun' ? roundedUp(MINUTE_MS, atMs) : null),
    },
    'execution-timeout-first-worker-only': {
      does: 'a job that starts while another runs is never stopped',
      executionTimeout: (timeout, { beside }) => (beside ? null : timeout),
    },
    'overrun-after-retry-keeps-worker': {
      does: 'a retried job that overruns keeps its worker',
      overruns(run) {
        const { endpoint, retries } = run.job;
        if (retries === 0) return false;
        run.over = true;
        endpoint.settle(run.job, endpoint.service.choices.overrun);
        return true;
      },
    },
    'execution-timeout-not-when-waited': {
      does: 'a job that had to wait in the queue is never stopped',
      executionTimeout: (timeout, { job }) => (nowIn(job.endpoint) > job.queuedMs ? null : timeout),
    },
    'execution-timeout-ends-with-wait': {
      does: 'once the /runsync call is answered, nothing stops its job',
      with: () => {
        const answered = new WeakSet<Job>();
        return {
          runsyncAnswered: (job) => void answered.add(job),
          overruns: ({ job }) => answered.has(job),
        };
      },
    },
    'overrun-shows-completed-chunks': {
      does: 'a job that overran after it has streamed is COMPLETED',
      overruns(run) {
        if (run.job.chunks.length === 0) return false;
        run.job.endpoint.workers.finish(run, 'COMPLETED', [...run.job.chunks], null);
        return true;
      },
    },
    'execution-timeout-over-all-runs': {
      does: 'what the first run took is missing from the second',
      legal: '2.2/execution-timeout-after-retry=remaining',
      executionTimeout: ({ ms, fromMs }, { job }) => ({
        ms: Math.max(0, ms - job.earlierExecutionMs),
        fromMs,
      }),
    },
    'execution-timeout-none-after-retry': {
      does: 'nothing stops a job that runs after a retry',
      executionTimeout: (timeout, { job }) => (job.retries > 0 ? null : timeout),
    },
    'execution-timeout-capped-at-a-day': {
      does: 'no executionTimeout above a day holds',
      submission(submission) {
        submission.executionTimeoutMs = Math.min(DAY_MS, submission.executionTimeoutMs);
      },
    },
    'overrun-flag-stays-on-job': {
      does: 'a job that overran is stopped as soon as it runs again',
      legal: '2.2/execution-timeout-after-retry=remaining',
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
      does: 'a ttl given to /status takes the timer of the running job',
      statusTtl(ms, { endpoint, run }) {
        endpoint.service.clock.stop(run?.overrunTimer);
        return ms;
      },
    },
  }),
  breaking('2.2', 'Only enforced during execution.', {
    'execution-timeout-in-queue': {
      does: 'a job that waits longer than its executionTimeout is timed out in the queue',
      submitted(job) {
        later(job.endpoint, job.executionTimeoutMs, () => {
          if (job.status === 'IN_QUEUE' && !job.deleted) job.endpoint.endWaiting(job, 'TIMED_OUT');
        });
      },
    },
  }),
  breaking('2.2', "Overrides the endpoint's default setting for this job only.", {
    'execution-timeout-sticks': {
      does: "one job's executionTimeout becomes the default of the jobs after it",
      policy(policy, { defaults }) {
        defaults.executionTimeoutMs = policy.executionTimeoutMs;
        return policy;
      },
    },
  }),
];
