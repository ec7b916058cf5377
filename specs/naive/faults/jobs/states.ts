/** Faults of section 3: the life of a job. */
import { refuse } from '../../call.js';
import type { Endpoint } from '../../endpoint.js';
import { MINUTE_MS, SECOND_MS } from '../../submission.js';
import { later } from '../memory.js';
import { queueLater, killingNext } from '../steps.js';
import type { Faults } from '../fault.js';

export const STATES_FAULTS = {
  'progress-shown-as-queued': { status: (status) => (status === 'IN_PROGRESS' ? 'IN_QUEUE' : status) },
  'waiting-shown-in-progress': { status: (status) => (status === 'IN_QUEUE' ? 'IN_PROGRESS' : status) },
  'completed-late': {
    succeeds(run, output) {
      const { endpoint } = run.job;
      later(endpoint, MINUTE_MS, () => endpoint.workers.finish(run, 'COMPLETED', output, null));
      return null;
    },
  },
  'completed-stays-in-progress': {
    succeeds(run) {
      run.job.endpoint.workers.leave(run);
      return null;
    },
  },
  'stalled-job-starts-over': {
    started: (run) =>
      later(run.job.endpoint, MINUTE_MS, () => {
        if (!run.over && run.job.chunks.length === 0) run.job.endpoint.workers.putBack(run);
      }),
  },
  'low-priority-put-back': {
    enter(job, queue) {
      const { workers } = job.endpoint;
      queue();
      if (job.lowPriority || workers.free() > 0) return;
      const yielding = [...workers.busy].find((run) => run.job.lowPriority && !run.over);
      if (yielding !== undefined && job.status === 'IN_QUEUE') workers.putBack(yielding);
    },
  },
  'crash-fails-next-job': {
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
    with: () => killingNext('FAILED', (kill) => ({ overruns: ({ job }) => kill(job.endpoint) })),
  },
  'error-completes': {
    fails(run, message) {
      run.job.endpoint.workers.finish(run, 'COMPLETED', { error: message }, null);
      return true;
    },
  },
  'handler-error-stays-in-progress': {
    fails(run) {
      run.job.endpoint.workers.leave(run);
      return true;
    },
  },
  'crash-forgotten': {
    crashes(run) {
      run.job.endpoint.workers.leave(run);
      return true;
    },
  },
  'crash-completes': {
    crashes(run) {
      run.job.endpoint.workers.finish(run, 'COMPLETED', null, null);
      return true;
    },
  },
  'crash-forgets-job': {
    crashes({ job }) {
      job.endpoint.remove(job);
      return true;
    },
  },
  'crash-stays-in-queue': {
    crashes(run) {
      run.job.endpoint.workers.stop(run);
      Object.assign(run.job, { status: 'IN_QUEUE', startedMs: null, run: null });
      return true;
    },
  },
  'failed-status-is-500': {
    statusRefused: (job) => (job.status === 'FAILED' ? refuse(500, 'the job failed') : null),
  },
  'failed-is-timed-out': {
    fails(run, message) {
      run.job.endpoint.workers.finish(run, 'TIMED_OUT', undefined, message);
      return true;
    },
  },
  'empty-error-completes': {
    fails(run, message) {
      if (message !== '') return false;
      run.job.endpoint.workers.finish(run, 'COMPLETED', null, null);
      return true;
    },
  },
  'crash-after-streaming-completes': {
    crashes(run) {
      if (run.job.chunks.length === 0) return false;
      run.job.endpoint.workers.finish(run, 'COMPLETED', [...run.job.chunks], null);
      return true;
    },
  },
  'failure-after-streaming-completes': {
    fails(run) {
      if (run.job.chunks.length === 0) return false;
      run.job.endpoint.workers.finish(run, 'COMPLETED', [...run.job.chunks], null);
      return true;
    },
  },
  'crash-after-retry-hangs': {
    crashes(run) {
      if (run.job.retries > 0) run.job.endpoint.workers.leave(run);
      return run.job.retries > 0;
    },
  },
  'crash-of-second-worker-hangs': {
    crashes(run) {
      if (run.beside) run.job.endpoint.workers.leave(run);
      return run.beside;
    },
  },
  'crash-requeued-endlessly': {
    crashes(run) {
      const { job } = run;
      Object.assign(job, { status: 'IN_QUEUE', startedMs: null, run: null, chunks: [], chunksRead: 0 });
      queueLater(job, SECOND_MS);
      job.endpoint.workers.stop(run);
      return true;
    },
  },
} satisfies Faults;
