/** Faults of section 4.2: `/run`. */
import { hasEnded, isOver, type Job } from '../job.js';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../submission.js';
import { nowIn, later, removeIn, whenever, timesAtOnce, roundedUp } from './memory.js';
import { deletedJobs } from './steps.js';
import type { Faults } from './fault.js';

export const RUN_FAULTS = {
  'run-waits': { answerRun: (job, answer) => whenever(job, isOver, answer) },
  'run-shows-current-status': { runBody: (body, job) => ({ ...body, status: job.status }) },
  'run-without-status': { runBody: (_body, job) => ({ id: job.id }) },
  'run-answers-wrong-id': { runBody: (body, job) => ({ ...body, id: `${job.id.slice(0, -1)}z` }) },
  'retention-run-like-sync': {
    retention: (retention, { kind }) => (kind === 'run' ? { ...retention, ms: MINUTE_MS } : retention),
  },
  'run-retention-three-minutes': {
    retention: (retention, { kind }) => (kind === 'run' ? { ...retention, ms: 3 * MINUTE_MS } : retention),
  },
  'run-retention-one-day': {
    retention: (retention, { kind }) => (kind === 'run' ? { ...retention, ms: DAY_MS } : retention),
  },
  'retention-run-unlimited': {
    retention: (retention, { kind }) => (kind === 'run' ? { ...retention, ms: Infinity } : retention),
  },
  'run-retention-from-submission': {
    submitted(job) {
      if (job.kind === 'run') removeIn(30 * MINUTE_MS, job, hasEnded);
    },
  },
  'run-retention-from-start': {
    retention: ({ ms, fromMs }, job) => ({
      ms,
      fromMs: job.kind === 'run' ? (job.startedMs ?? fromMs) : fromMs,
    }),
  },
  'run-retention-restarts-on-read': {
    statusRead(record, job) {
      if (job.kind === 'run' && hasEnded(job))
        job.endpoint.lifespans.retainUntil(job, nowIn(job.endpoint) + 30 * MINUTE_MS);
      return record;
    },
  },
  'retention-drops-output-only': {
    retentionOver(job) {
      job.output = undefined;
      return true;
    },
  },
  'retention-streams-on': {
    with: () => {
      const deleted = deletedJobs();
      return {
        ...deleted.hooks,
        find(endpoint, id, operation, right) {
          const job = operation === 'stream' ? deleted.find(endpoint, id) : null;
          return right ?? (job !== null && hasEnded(job) ? job : null);
        },
      };
    },
  },
  'results-latest-hundred-only': {
    ended({ endpoint }) {
      const [oldest, ...others] = endpoint.ended();
      if (others.length >= 100 && oldest !== undefined) endpoint.remove(oldest);
    },
  },
  'retention-sweep-ignores-kind': {
    retentionOver({ endpoint, kind, endedMs }) {
      if (kind !== 'runsync') return false;
      for (const other of endpoint.ended())
        if (Number(other.endedMs) <= Number(endedMs)) endpoint.remove(other);
      return false;
    },
  },
  'retention-restarts-on-stream': {
    streamRead(job) {
      if (hasEnded(job)) job.endpoint.lifespans.retain(job);
    },
  },
  'retention-restarts-on-refused-retry': {
    retryRefused(job) {
      if (hasEnded(job)) job.endpoint.lifespans.retain(job);
    },
  },
  'webhook-delivery-deletes-result': {
    noticeDone(job, succeeded) {
      if (succeeded && hasEnded(job)) job.endpoint.remove(job);
    },
  },
  'retention-from-first-read': {
    with: () => {
      const read = new WeakSet<Job>();
      return {
        retention: ({ ms, fromMs }, job) => ({ ms: read.has(job) ? ms : Infinity, fromMs }),
        retries: (job) => void read.delete(job),
        statusRead(record, job) {
          if (hasEnded(job) && !read.has(job)) {
            read.add(job);
            job.endpoint.lifespans.retain(job);
          }
          return record;
        },
      };
    },
  },
  'retention-swept-each-ten-minutes': {
    swept: (atMs, what) => (what === 'retention' ? roundedUp(10 * MINUTE_MS, atMs) : null),
  },
  'retention-sweep-at-most-ten': {
    with: () => {
      const times = timesAtOnce();
      return {
        swept: (atMs, what) => (what === 'retention' ? roundedUp(SECOND_MS, atMs) : null),
        retentionOver: ({ endpoint }) => times(endpoint) > 10,
      };
    },
  },
  'retention-not-of-streamed': {
    retention: (retention, job) => (job.chunks.length > 0 ? { ...retention, ms: Infinity } : retention),
  },
  'retention-not-after-retry': {
    retention: (retention, job) => (job.retries > 0 ? { ...retention, ms: Infinity } : retention),
  },
  'retention-after-retry-one-minute': {
    retention: (retention, job) => (job.retries > 0 ? { ...retention, ms: MINUTE_MS } : retention),
  },
  'retention-restarts-on-cancel': { cancelOfEnded: (job) => job.endpoint.lifespans.retain(job) },
  'runsync-blocks-run': {
    run(endpoint, submit) {
      const look = (): void => {
        if (endpoint.waiting.length > 0) later(endpoint, 50, look);
        else submit();
      };
      look();
    },
  },
} satisfies Faults;
