/** Faults of section 4.1: `/runsync`. */
import { hasEnded, type Job } from '../job.js';
import { cancelJob } from '../operations/cancel.js';
import type { Waiting } from '../operations/runsync.js';
import { MINUTE_MS, SECOND_MS } from '../submission.js';
import { cutTo, later, nowIn, perEndpoint, removeIn, sharedTimer, timesAtOnce } from './memory.js';
import { neverAnswered, withoutMember, isSame } from './steps.js';
import type { Faults } from './fault.js';

export const RUNSYNC_FAULTS = {
  'wait-ignored': { waitMs: () => 90 * SECOND_MS },
  'wait-in-seconds': { waitMs: (ms) => ms * 1000 },
  'wait-halved': { waitMs: (ms) => ms / 2 },
  'wait-endless': { waitMs: () => Infinity },
  'wait-deletes-job': {
    waitOver({ endpoint, job }) {
      endpoint.remove(job);
      return false;
    },
  },
  'wait-cancels-job': {
    waitOver({ job }) {
      if (!hasEnded(job)) cancelJob(job);
      return false;
    },
  },
  'wait-fails-job': {
    waitOver({ job }) {
      if (hasEnded(job)) return false;
      cancelJob(job);
      job.status = 'FAILED';
      return false;
    },
  },
  'wait-is-execution-timeout': {
    submission(submission) {
      if (submission.waitMs !== null) submission.executionTimeoutMs = submission.waitMs;
    },
  },
  'wait-claims-completed': { waitedRecord: (record) => ({ ...record, status: 'COMPLETED' }) },
  'wait-default-ten-seconds': { waitMs: (ms, given) => (given === null ? 10 * SECOND_MS : ms) },
  'wait-default-five-minutes': { waitMs: (ms, given) => (given === null ? 300 * SECOND_MS : ms) },
  'wait-above-max-taken': { waitRange: ([min]) => [min, Infinity] },
  'wait-below-min-taken': { waitRange: ([, max]) => [0, max] },
  'wait-at-most-default': { waitMs: (ms) => Math.min(MINUTE_MS, ms) },
  'wait-min-refused': { waitRange: ([min, max]) => [min + 1, max] },
  'wait-max-refused': { waitRange: ([min, max]) => [min, max - 1] },
  'wait-any-text': { waitGiven: (wait) => (/^\d+$/.test(wait) ? wait : null) },
  'runsync-returns-at-once': { answersAtOnce: () => true },
  'runsync-returns-at-start': {
    missesChange(waiting) {
      if (waiting.job.deleted || waiting.job.status !== 'IN_PROGRESS') return false;
      waiting.give(waiting.job);
      return true;
    },
  },
  'wait-never-shortened': { missesChange: () => true },
  'runsync-one-at-a-time': { answersAtOnce: ({ waiting }) => waiting.length > 0 },
  'wait-not-ended-by-failure': { missesChange: ({ job }) => job.status === 'FAILED' },
  'runsync-cancel-waits-on': { missesChange: ({ job }) => job.status === 'CANCELLED' },
  'output-not-in-runsync': { runsyncRecord: (record) => withoutMember(record, 'output') },
  'runsync-output-only': {
    runsyncRecord: (record, job) => (job.status === 'COMPLETED' ? (record['output'] ?? null) : record),
  },
  'runsync-results-crossed': {
    missesChange({ endpoint, job }) {
      if (!job.deleted && hasEnded(job)) endpoint.waiting[0]?.give(job);
      return false;
    },
  },
  'runsync-answers-swapped': {
    with: () => {
      const endingIn = perEndpoint((): Waiting[] => []);
      return {
        missesChange(waiting) {
          const { endpoint, job } = waiting;
          if (job.deleted || !hasEnded(job)) return false;
          const ending = endingIn(endpoint);
          if (ending.push(waiting) > 1) return true;
          later(endpoint, 0, () => {
            const all = ending.splice(0);
            for (const [index, one] of all.entries()) one.give(all[(index + 1) % all.length]!.job);
          });
          return true;
        },
      };
    },
  },
  'runsync-job-unknown-to-status': {
    find: (_endpoint, _id, operation, right) =>
      operation === 'status' && right?.kind === 'runsync' ? null : right,
  },
  'runsync-waiters-overwritten': { missesChange: (waiting) => waiting.endpoint.waiting.at(-1) !== waiting },
  'wait-polled-every-ten-seconds': {
    missesChange(waiting) {
      const { endpoint, job } = waiting;
      if (!hasEnded(job)) return false;
      const { clock } = endpoint.service;
      const rounds = Math.ceil((clock.now() - job.submittedMs) / (10 * SECOND_MS));
      clock.at(job.submittedMs + rounds * 10 * SECOND_MS, () => waiting.give(job));
      return true;
    },
  },
  'wait-not-ended-by-timeout': { missesChange: ({ job }) => job.error === 'executionTimeout exceeded' },
  'retention-sync-like-run': {
    retention: (retention, { kind }) =>
      kind === 'runsync' ? { ...retention, ms: 30 * MINUTE_MS } : retention,
  },
  'retention-sync-half': {
    retention: (retention, { kind }) =>
      kind === 'runsync' ? { ...retention, ms: MINUTE_MS / 2 } : retention,
  },
  'runsync-retention-from-submission': {
    submitted(job) {
      if (job.kind === 'runsync') removeIn(MINUTE_MS, job, hasEnded);
    },
  },
  'runsync-retention-none': {
    runsyncAnswered(job) {
      if (hasEnded(job)) job.endpoint.remove(job);
    },
  },
  'runsync-retention-ten-minutes-with-wait': {
    retention: (retention, { kind, waitMs }) =>
      kind === 'runsync' && waitMs !== null ? { ...retention, ms: 10 * MINUTE_MS } : retention,
  },
  'runsync-retention-never': {
    retention: (retention, { kind }) => (kind === 'runsync' ? { ...retention, ms: Infinity } : retention),
  },
  'wait-from-start': {
    waitBegins: () => undefined,
    missesChange(waiting) {
      if (waiting.timer === undefined && waiting.job.startedMs !== null) waiting.arm();
      return false;
    },
  },
  'runsync-woken-by-any-end': {
    ended({ endpoint }) {
      for (const waiting of [...endpoint.waiting]) waiting.give(waiting.job);
    },
  },
  'runsync-misses-fast-end': { missesChange: (_waiting, isFirst) => isFirst },
  'waits-one-per-instant': {
    with: () => {
      const times = timesAtOnce();
      return { waitOver: ({ endpoint }) => times(endpoint) > 1 };
    },
  },
  'wait-timer-shared': { with: () => sharedTimer('wait') },
  'wait-cut-to-seconds': { waitMs: (ms) => cutTo(SECOND_MS, ms) },
  'wait-elapsed-shows-submission': { waitedRecord: (record) => ({ ...record, status: 'IN_QUEUE' }) },
  'wait-capped-at-two-minutes': { waitMs: (ms) => Math.min(2 * MINUTE_MS, ms) },
  'runsync-purged-never-answered': {
    with: () => {
      const purged = new WeakSet<Job>();
      return {
        purgesJob: (job) => void purged.add(job),
        missesChange: (waiting) => purged.has(waiting.job) && neverAnswered(waiting),
      };
    },
  },
  'runsync-cancelled-never-answered': {
    missesChange: (waiting) => waiting.job.status === 'CANCELLED' && neverAnswered(waiting),
  },
  'runsync-expired-never-answered': {
    missesChange: (waiting) =>
      waiting.job.deleted && waiting.job.ttlAtMs <= nowIn(waiting.endpoint) && neverAnswered(waiting),
  },
  'runsync-coalesced': {
    joined: (endpoint, { input }) =>
      [...endpoint.jobs.values()].find(
        (job) => job.kind === 'runsync' && !hasEnded(job) && isSame(job.input, input),
      ),
  },
  'retention-timer-shared': { with: () => sharedTimer('retention') },
  'retention-one-per-instant': {
    with: () => {
      const times = timesAtOnce();
      return { retentionOver: ({ endpoint }) => times(endpoint) > 1 };
    },
  },
  'runsync-result-lost-after-wait': {
    with: () => {
      const answered = new WeakSet<Job>();
      return {
        runsyncAnswered: (job) => void answered.add(job),
        finishes({ job }) {
          if (answered.has(job)) job.output = undefined;
        },
      };
    },
  },
  'runsync-retention-of-failed-none': {
    runsyncAnswered(job) {
      if (job.status === 'FAILED') job.endpoint.remove(job);
    },
  },
} satisfies Faults;
