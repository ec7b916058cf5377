/** Faults of section 3: the life of a job. */
import { refuse } from '../call.js';
import type { Endpoint } from '../endpoint.js';
import { MINUTE_MS, SECOND_MS } from '../submission.js';
import { later } from './memory.js';
import { queueLater, killingNext } from './steps.js';
import { breaking } from './fault.js';

export const STATES_FAULTS = [
  breaking('3', '| `IN_QUEUE` | a worker becomes available | a worker is free | `IN_PROGRESS` |', {
    'progress-never-shown': {
      does: 'a running job still shows IN_QUEUE',
      status: (status) => (status === 'IN_PROGRESS' ? 'IN_QUEUE' : status),
    },
    'progress-from-submission': {
      does: 'a waiting job shows IN_PROGRESS',
      status: (status) => (status === 'IN_QUEUE' ? 'IN_PROGRESS' : status),
    },
  }),
  breaking('3', '| `IN_PROGRESS` | handler finishes | success | `COMPLETED` |', {
    'completed-late': {
      does: 'the result becomes visible one minute after the end',
      succeeds(run, output) {
        const { endpoint } = run.job;
        later(endpoint, MINUTE_MS, () => endpoint.workers.finish(run, 'COMPLETED', output, null));
        return null;
      },
    },
    'completed-stays-in-progress': {
      does: 'a finished job stays IN_PROGRESS',
      succeeds(run) {
        run.job.endpoint.workers.leave(run);
        return null;
      },
    },
    'stalled-job-starts-over': {
      does: 'a job that has streamed nothing for a minute goes back to the queue',
      started: (run) =>
        later(run.job.endpoint, MINUTE_MS, () => {
          if (!run.over && run.job.chunks.length === 0) run.job.endpoint.workers.putBack(run);
        }),
    },
    'low-priority-put-back': {
      does: 'a running job with lowPriority goes back to the queue when a job without comes and no worker is free',
      enter(job, queue) {
        const { workers } = job.endpoint;
        queue();
        if (job.lowPriority || workers.free() > 0) return;
        const yielding = [...workers.busy].find((run) => run.job.lowPriority && !run.over);
        if (yielding !== undefined && job.status === 'IN_QUEUE') workers.putBack(yielding);
      },
    },
    'crash-fails-next-job': {
      does: 'the job after a crash fails as well',
      with: () => {
        const crashed = new WeakSet<Endpoint>();
        return {
          crashes: ({ job }) => void crashed.add(job.endpoint),
          succeeds(run, output) {
            if (!crashed.delete(run.job.endpoint)) return { output };
            run.job.endpoint.workers.failed(run, 'broken pipe');
            return null;
          },
        };
      },
    },
    'overrun-signal-hits-next-job': {
      does: 'what ends an overrunning job ends the next job of that worker too',
      with: () => killingNext('FAILED', (kill) => ({ overruns: ({ job }) => kill(job.endpoint) })),
    },
  }),
  breaking('3', '| `IN_PROGRESS` | handler or worker error | error | `FAILED` | |', {
    'handler-error-completes': {
      does: 'a handler error is COMPLETED with the message as output',
      fails(run, message) {
        run.job.endpoint.workers.finish(run, 'COMPLETED', { error: message }, null);
        return true;
      },
    },
    'handler-error-stays-in-progress': {
      does: 'after a handler error the job stays IN_PROGRESS',
      fails(run) {
        run.job.endpoint.workers.leave(run);
        return true;
      },
    },
    'crash-hangs': {
      does: 'after a crash the job stays IN_PROGRESS',
      crashes(run) {
        run.job.endpoint.workers.leave(run);
        return true;
      },
    },
    'crash-completes': {
      does: 'a crashed job is COMPLETED',
      crashes(run) {
        run.job.endpoint.workers.finish(run, 'COMPLETED', null, null);
        return true;
      },
    },
    'crash-forgets-job': {
      does: 'a crashed job is gone: 404',
      crashes({ job }) {
        job.endpoint.remove(job);
        return true;
      },
    },
    'crash-stays-in-queue': {
      does: 'a crashed job goes back to the queue for good, and no worker takes it again',
      crashes(run) {
        run.job.endpoint.workers.stop(run);
        Object.assign(run.job, { status: 'IN_QUEUE', startedMs: null, run: null });
        return true;
      },
    },
    'failed-status-is-500': {
      does: 'the /status of a failed job answers 500',
      statusRefused: (job) => (job.status === 'FAILED' ? refuse(500, 'the job failed') : null),
    },
    'failed-is-timed-out': {
      does: 'a handler error is TIMED_OUT',
      fails(run, message) {
        run.job.endpoint.workers.finish(run, 'TIMED_OUT', undefined, message);
        return true;
      },
    },
    'empty-error-completes': {
      does: 'a handler error with an empty message is COMPLETED',
      fails(run, message) {
        if (message !== '') return false;
        run.job.endpoint.workers.finish(run, 'COMPLETED', null, null);
        return true;
      },
    },
    'crash-after-streaming-completes': {
      does: 'a worker that dies after it has streamed completes its job',
      crashes(run) {
        if (run.job.chunks.length === 0) return false;
        run.job.endpoint.workers.finish(run, 'COMPLETED', [...run.job.chunks], null);
        return true;
      },
    },
    'failure-after-streaming-completes': {
      does: 'a handler error after streaming completes the job',
      fails(run) {
        if (run.job.chunks.length === 0) return false;
        run.job.endpoint.workers.finish(run, 'COMPLETED', [...run.job.chunks], null);
        return true;
      },
    },
    'crash-after-retry-hangs': {
      does: 'a crash in the run after a retry leaves the job IN_PROGRESS',
      crashes(run) {
        if (run.job.retries > 0) run.job.endpoint.workers.leave(run);
        return run.job.retries > 0;
      },
    },
    'crash-of-second-worker-hangs': {
      does: 'a crash while another job runs leaves the job IN_PROGRESS',
      crashes(run) {
        if (run.beside) run.job.endpoint.workers.leave(run);
        return run.beside;
      },
    },
    'crash-requeued-endlessly': {
      does: 'a crashed job is run again after a second, however often it crashes',
      crashes(run) {
        const { job } = run;
        Object.assign(job, { status: 'IN_QUEUE', startedMs: null, run: null, chunks: [], chunksRead: 0 });
        queueLater(job, SECOND_MS);
        job.endpoint.workers.stop(run);
        return true;
      },
    },
  }),
];
