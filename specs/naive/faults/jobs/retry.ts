/** Faults of section 4.6: `/retry`. */
import { hasEnded, isOver, type Job } from '../../job.js';
import type { JsonObject } from '../../json.js';
import { retryJob } from '../../operations/retry.js';
import { MINUTE_MS, SECOND_MS } from '../../submission.js';
import { RACE_MS, perEndpoint, nowIn, later, whenever } from '../memory.js';
import { queueLater, shownForASecond, pendingNotices } from '../steps.js';
import type { Faults } from '../fault.js';

export const RETRY_FAULTS = {
  'retry-keeps-output': { retryForgets: (what) => what !== 'output' },
  'retry-keeps-chunks': { retryForgets: (what) => what !== 'chunks' },
  'retry-loses-input': { input: (input, { retries }) => (retries > 0 ? {} : input) },
  'retry-wraps-input': { input: (input, { retries }) => (retries > 0 ? { input } : input) },
  'retry-loses-policy': {
    executionTimeout: ({ ms, fromMs }, { job }) => ({
      ms: job.retries > 0 ? job.endpoint.defaults.executionTimeoutMs : ms,
      fromMs,
    }),
  },
  'retry-not-queued': { requeue: () => undefined },
  'retry-queued-twice': {
    requeue(job, queue) {
      job.endpoint.workers.queue.push(job);
      queue();
    },
  },
  'retry-does-nothing': { retries: () => true },
  'retention-outlives-retry': { retryForgets: (what) => what !== 'retention' },
  'retry-deletes-old-record': {
    requeue(job, queue) {
      const { jobs } = job.endpoint;
      jobs.delete(job.id);
      job.watchers.add(() => hasEnded(job) && jobs.set(job.id, job));
      queue();
    },
  },
  'retry-skips-queue': { requeue: (job) => job.endpoint.workers.start(job) },
  'retry-late-end-of-first-run': {
    overruns: (run) => void delete run.handler,
    succeeds(run, output) {
      const { run: latest, endpoint } = run.job;
      if (!run.over || latest === null) return { output };
      endpoint.workers.finish(latest, 'COMPLETED', output, null);
      return null;
    },
  },
  'retry-late-chunks-of-first-run': {
    overruns: (run) => void delete run.handler,
    keepsChunk(run, result) {
      if (run.over && run.job.run !== null) run.job.chunks.push(result);
      return true;
    },
  },
  'retry-output-lost': {
    finishes({ job }) {
      if (job.retries > 0) job.output = undefined;
    },
  },
  'retry-stream-stays-closed': { streamClosed: (job) => job.retries > 0 },
  'retry-delayed-ten-seconds': { requeue: (job) => queueLater(job, 10 * SECOND_MS) },
  'retry-delayed-a-minute': { requeue: (job) => queueLater(job, MINUTE_MS) },
  'retry-shows-old-state-for-a-second': {
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
  'retry-race': { retryCall: (_job, proceed) => void setTimeout(proceed, RACE_MS) },
  'retry-lost-when-busy': {
    requeue(job, queue) {
      if (job.endpoint.workers.free() > 0) queue();
    },
  },
  'retry-takes-failed-along': {
    retryCall({ endpoint }, proceed) {
      proceed();
      for (const other of endpoint.jobs.values()) if (other.status === 'FAILED') retryJob(other);
    },
  },
  'retry-adds-attempt-to-input': {
    input: (input, { retries }) => (retries > 0 ? { ...input, attempt: retries + 1 } : input),
  },
  'retry-refused-while-webhook-pending': {
    with: () => {
      const pending = pendingNotices();
      return { ...pending.hooks, mayRetry: (right, job) => right && !pending.has(job) };
    },
  },
  'retry-of-runsync-kept-like-run': {
    retention: (retention, job) => (job.retries > 0 ? { ...retention, ms: 30 * MINUTE_MS } : retention),
  },
  'ended-record-cached': {
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
    answerRetry: (job, answer) => whenever(job, () => job.status !== 'IN_QUEUE' || job.deleted, answer),
  },
  'retry-answers-at-the-end': { answerRetry: (job, answer) => whenever(job, isOver, answer) },
  'retry-loses-input-second-time': { input: (input, { retries }) => (retries > 1 ? {} : input) },
  'retry-loses-policy-second-time': {
    executionTimeout: ({ ms, fromMs }, { job }) => ({
      ms: job.retries > 1 ? job.endpoint.defaults.executionTimeoutMs : ms,
      fromMs,
    }),
  },
  'cleanup-drops-retry': {
    ended: (job) => later(job.endpoint, SECOND_MS, () => job.endpoint.workers.leaveQueue(job)),
  },
  'purge-drops-later-retries': {
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
} satisfies Faults;
