/** Faults of section 4.6: `/retry`. */
import { hasEnded, isOver, type Job } from '../job.js';
import type { JsonObject } from '../json.js';
import { retryJob } from '../operations/retry.js';
import { MINUTE_MS, SECOND_MS } from '../submission.js';
import { RACE_MS, perEndpoint, nowIn, later, whenever } from './memory.js';
import { queueLater, shownForASecond, pendingNotices } from './steps.js';
import { breaking } from './fault.js';

export const RETRY_FAULTS = [
  breaking('4.6', 'Requeues a job with the same id and original input and removes the previous output.', {
    'retry-keeps-output': {
      does: 'the previous output or error stays visible',
      legal: 'a failed job of this server has no output; its error is none',
      retryForgets: (what) => what !== 'output',
    },
    'retry-keeps-chunks': {
      does: 'the chunks of the first run are still streamed',
      retryForgets: (what) => what !== 'chunks',
    },
    'retry-loses-input': {
      does: 'the retried run gets an empty input',
      input: (input, { retries }) => (retries > 0 ? {} : input),
    },
    'retry-wraps-input': {
      does: 'the retried run gets {"input": input}',
      input: (input, { retries }) => (retries > 0 ? { input } : input),
    },
    'retry-loses-policy': {
      does: 'the retried run has the default executionTimeout',
      executionTimeout: ({ ms, fromMs }, { job }) => ({
        ms: job.retries > 0 ? job.endpoint.defaults.executionTimeoutMs : ms,
        fromMs,
      }),
    },
    'retry-not-queued': {
      does: 'the job says IN_QUEUE but no worker ever takes it',
      requeue: () => undefined,
    },
    'retry-queued-twice': {
      does: 'the retried job runs twice',
      requeue(job, queue) {
        job.endpoint.workers.queue.push(job);
        queue();
      },
    },
    'retry-does-nothing': { does: 'the answer says IN_QUEUE, the job stays as it is', retries: () => true },
    'retry-old-retention': {
      does: 'the retention timer of the first run deletes the retried job',
      retryForgets: (what) => what !== 'retention',
    },
    'retry-deletes-old-record': {
      does: 'the job is unknown until the retried run has ended',
      requeue(job, queue) {
        const { jobs } = job.endpoint;
        jobs.delete(job.id);
        job.watchers.add(() => hasEnded(job) && jobs.set(job.id, job));
        queue();
      },
    },
    'retry-skips-queue': {
      does: 'the retried job starts at once, though no worker is free',
      requeue: (job) => job.endpoint.workers.start(job),
    },
    'retry-late-end-of-first-run': {
      does: 'a handler that overran runs on, and its end ends the retried run',
      overruns: (run) => void delete run.handler,
      succeeds(run, output) {
        const { run: latest, endpoint } = run.job;
        if (!run.over || latest === null) return { output };
        endpoint.workers.finish(latest, 'COMPLETED', output, null);
        return null;
      },
    },
    'retry-late-chunks-of-first-run': {
      does: 'a handler that overran runs on and streams into the retried run',
      overruns: (run) => void delete run.handler,
      keepsChunk(run, result) {
        if (run.over && run.job.run !== null) run.job.chunks.push(result);
        return true;
      },
    },
    'retry-output-lost': {
      does: 'a job that completes after a retry has no output',
      finishes({ job }) {
        if (job.retries > 0) job.output = undefined;
      },
    },
    'retry-stream-stays-closed': {
      does: 'what is streamed after a retry is not delivered',
      streamClosed: (job) => job.retries > 0,
    },
    'retry-delayed-ten-seconds': {
      does: 'a retried job waits ten seconds, though a worker is free',
      requeue: (job) => queueLater(job, 10 * SECOND_MS),
    },
    'retry-delayed-a-minute': {
      does: 'a retried job waits a minute, though a worker is free',
      requeue: (job) => queueLater(job, MINUTE_MS),
    },
    'retry-shows-old-state-for-a-second': {
      does: 'for a second after /retry the job shows its old state',
      with: () => {
        const old = shownForASecond();
        return {
          statusRead: old.statusRead,
          retries(job) {
            old.keep(job);
            return false;
          },
        };
      },
    },
    'retry-race': {
      does: 'two retries at once are both accepted, and the job runs twice',
      retryCall: (_job, proceed) => void setTimeout(proceed, RACE_MS),
    },
    'retry-lost-when-busy': {
      does: 'a job retried while no worker is free is never run',
      requeue(job, queue) {
        if (job.endpoint.workers.free() > 0) queue();
      },
    },
    'retry-takes-failed-along': {
      does: '/retry of a failed job puts the others that failed into the queue as well',
      retryCall({ endpoint }, proceed) {
        proceed();
        for (const other of endpoint.jobs.values()) if (other.status === 'FAILED') retryJob(other);
      },
    },
    'retry-adds-attempt-to-input': {
      does: 'the retried run gets the number of its attempt within input',
      input: (input, { retries }) => (retries > 0 ? { ...input, attempt: retries + 1 } : input),
    },
    'retry-refused-while-webhook-pending': {
      does: 'a job whose webhook is still being tried is not retried',
      with: () => {
        const pending = pendingNotices();
        return { ...pending.hooks, mayRetry: (right, job) => right && !pending.has(job) };
      },
    },
    'retry-of-runsync-kept-like-run': {
      does: 'the result of a retried /runsync job is kept for 30 minutes',
      legal: '4.6/retention-after-retry=as-run',
      retention: (retention, job) => (job.retries > 0 ? { ...retention, ms: 30 * MINUTE_MS } : retention),
    },
    'ended-record-cached': {
      does: 'the record of an ended job is cached: after a retry the old one is shown',
      with: () => {
        const records = new WeakMap<Job, JsonObject>();
        return {
          statusRead(record, job) {
            if (hasEnded(job) && !records.has(job)) records.set(job, record);
            return records.get(job) ?? record;
          },
        };
      },
    },
    'retry-answers-when-started': {
      does: 'the call is answered when a worker has taken the job',
      answerRetry: (job, answer) => whenever(job, () => job.status !== 'IN_QUEUE' || job.deleted, answer),
    },
    'retry-answers-at-the-end': {
      does: 'the call is answered when the job has ended again',
      answerRetry: (job, answer) => whenever(job, isOver, answer),
    },
  }),
  breaking('4.6', 'Requeues a job with the same id and original input', {
    'retry-loses-input-second-time': {
      does: 'the second retry runs with an empty input',
      input: (input, { retries }) => (retries > 1 ? {} : input),
    },
    'retry-loses-policy-second-time': {
      does: 'the second retry has the default executionTimeout',
      executionTimeout: ({ ms, fromMs }, { job }) => ({
        ms: job.retries > 1 ? job.endpoint.defaults.executionTimeoutMs : ms,
        fromMs,
      }),
    },
    'cleanup-drops-retry': {
      does: 'a second after its end a job is taken out of the queue, retried or not',
      ended: (job) => later(job.endpoint, SECOND_MS, () => job.endpoint.workers.leaveQueue(job)),
    },
    'purge-drops-later-retries': {
      does: 'jobs older than the last purge are dropped when they are retried',
      with: () => {
        const lastOf = perEndpoint(() => ({ purgedMs: -Infinity }));
        return {
          purges(endpoint) {
            lastOf(endpoint).purgedMs = nowIn(endpoint);
            return false;
          },
          requeue(job, queue) {
            if (job.submittedMs <= lastOf(job.endpoint).purgedMs) job.endpoint.remove(job);
            else queue();
          },
        };
      },
    },
  }),
];
