/** Faults of section 4.1: `/runsync`. */
import { hasEnded, type Job } from '../job.js';
import { cancelJob } from '../operations/cancel.js';
import { MINUTE_MS, SECOND_MS } from '../submission.js';
import { nowIn, removeIn, timesAtOnce, sharedTimer, cutTo } from './memory.js';
import { neverAnswered, withoutMember, isSame } from './steps.js';
import { breaking } from './fault.js';

export const RUNSYNC_FAULTS = [
  breaking(
    '4.1',
    'It sets how long the the service waits for completion; it does not set how long results are kept.',
    {
      'wait-ignored': { does: 'the call waits 90 seconds whatever wait says', waitMs: () => 90 * SECOND_MS },
      'wait-in-seconds': { does: 'wait is taken as seconds', waitMs: (ms) => ms * 1000 },
      'wait-halved': { does: 'the call waits half as long', waitMs: (ms) => ms / 2 },
      'wait-endless': { does: 'the call waits until the job has ended', waitMs: () => Infinity },
      'wait-deletes-job': {
        does: 'the job is deleted when wait elapses',
        waitOver({ endpoint, job }) {
          endpoint.remove(job);
          return false;
        },
      },
      'wait-cancels-job': {
        does: 'the job is cancelled when wait elapses',
        waitOver({ job }) {
          if (!hasEnded(job)) cancelJob(job);
          return false;
        },
      },
      'wait-fails-job': {
        does: 'the job is FAILED when wait elapses',
        waitOver({ job }) {
          if (hasEnded(job)) return false;
          cancelJob(job);
          job.status = 'FAILED';
          return false;
        },
      },
      'wait-is-execution-timeout': {
        does: 'wait becomes the executionTimeout of the job',
        submission(submission) {
          if (submission.waitMs !== null) submission.executionTimeoutMs = submission.waitMs;
        },
      },
      'wait-claims-completed': {
        does: 'the record given when wait elapses says COMPLETED',
        waitedRecord: (record) => ({ ...record, status: 'COMPLETED' }),
      },
    },
  ),
  breaking('4.1', 'integer, milliseconds, 1000 to 300000, default 90000 (90 seconds)', {
    'wait-default-ten-seconds': {
      does: 'the default is 10 seconds',
      waitMs: (ms, given) => (given === null ? 10 * SECOND_MS : ms),
    },
    'wait-default-five-minutes': {
      does: 'the default is 300 seconds',
      waitMs: (ms, given) => (given === null ? 300 * SECOND_MS : ms),
    },
    'wait-max-not-enforced': {
      does: 'a wait over 300000 is accepted and used',
      waitRange: ([min]) => [min, Infinity],
    },
    'wait-min-not-enforced': {
      does: 'a wait under 1000 is accepted and used',
      waitRange: ([, max]) => [0, max],
    },
    'wait-capped-at-one-minute': {
      does: 'the call never waits longer than 60 seconds',
      waitMs: (ms) => Math.min(MINUTE_MS, ms),
    },
    'wait-min-exclusive': { does: 'wait=1000 is refused', waitRange: ([min, max]) => [min + 1, max] },
    'wait-max-exclusive': { does: 'wait=300000 is refused', waitRange: ([min, max]) => [min, max - 1] },
    'wait-malformed-accepted': {
      does: 'wait=abc is taken as the default',
      contested: 'which malformed parameters must be refused is not listed',
      waitGiven: (wait) => (/^\d+$/.test(wait) ? wait : null),
    },
  }),
  breaking('4.1', 'the complete result in a single response when the job finished', {
    'runsync-returns-at-once': { does: 'the call does not wait', answersAtOnce: () => true },
    'runsync-returns-at-start': {
      does: 'the call answers when the job starts',
      missesChange(waiting) {
        if (waiting.job.deleted || waiting.job.status !== 'IN_PROGRESS') return false;
        waiting.give(waiting.job);
        return true;
      },
    },
    'runsync-never-early': {
      does: 'the call answers when wait elapses, never earlier',
      missesChange: () => true,
    },
    'runsync-one-at-a-time': {
      does: 'while one call waits, the others are answered at once',
      answersAtOnce: ({ waiting }) => waiting.length > 0,
    },
    'runsync-failure-waits-on': {
      does: 'a failed job does not end the waiting',
      missesChange: ({ job }) => job.status === 'FAILED',
    },
    'runsync-cancel-waits-on': {
      does: 'a cancelled job does not end the waiting',
      legal: '4.1/cancelled-during-wait=at-wait-end',
      missesChange: ({ job }) => job.status === 'CANCELLED',
    },
    'runsync-output-missing': {
      does: 'the response has no output',
      runsyncRecord: (record) => withoutMember(record, 'output'),
    },
    'runsync-output-only': {
      does: 'the response is the output alone',
      runsyncRecord: (record, job) => (job.status === 'COMPLETED' ? (record['output'] ?? null) : record),
    },
    'runsync-results-crossed': {
      does: 'a waiting call is answered with the job that ends first',
      missesChange({ endpoint, job }) {
        if (!job.deleted && hasEnded(job)) endpoint.waiting[0]?.give(job);
        return false;
      },
    },
    'runsync-job-unknown-to-status': {
      does: 'jobs of /runsync cannot be read through /status',
      find: (_endpoint, _id, operation, right) =>
        operation === 'status' && right?.kind === 'runsync' ? null : right,
    },
    'runsync-waiters-overwritten': {
      does: 'of several waiting calls only the last is told that its job has ended',
      missesChange: (waiting) => waiting.endpoint.waiting.at(-1) !== waiting,
    },
    'wait-polled-every-ten-seconds': {
      does: 'a waiting call looks every ten seconds whether its job has ended',
      missesChange(waiting) {
        const { endpoint, job } = waiting;
        if (!hasEnded(job)) return false;
        const { clock } = endpoint.service;
        const rounds = Math.ceil((clock.now() - job.submittedMs) / (10 * SECOND_MS));
        clock.at(job.submittedMs + rounds * 10 * SECOND_MS, () => waiting.give(job));
        return true;
      },
    },
    'runsync-overrun-waits-on': {
      does: 'a job that overruns does not end the waiting',
      missesChange: ({ job }) => job.error === 'executionTimeout exceeded',
    },
  }),
  breaking('4.1', 'Result retention: 1 minute after completion (up to 5 minutes with `wait`).', {
    'runsync-retention-thirty-minutes': {
      does: 'results are kept as long as those of /run',
      contested: 'whether retention is a promise to keep or to delete; section 7 says 404',
      retention: (retention, { kind }) =>
        kind === 'runsync' ? { ...retention, ms: 30 * MINUTE_MS } : retention,
    },
    'runsync-retention-thirty-seconds': {
      does: 'results are kept half a minute',
      retention: (retention, { kind }) =>
        kind === 'runsync' ? { ...retention, ms: MINUTE_MS / 2 } : retention,
    },
    'runsync-retention-from-submission': {
      does: 'the minute starts at submission',
      submitted(job) {
        if (job.kind === 'runsync') removeIn(MINUTE_MS, job, hasEnded);
      },
    },
    'runsync-retention-none': {
      does: 'the result is gone as soon as the call has been answered',
      runsyncAnswered(job) {
        if (hasEnded(job)) job.endpoint.remove(job);
      },
    },
    'runsync-retention-ten-minutes-with-wait': {
      does: 'with wait, results are kept 10 minutes',
      retention: (retention, { kind, waitMs }) =>
        kind === 'runsync' && waitMs !== null ? { ...retention, ms: 10 * MINUTE_MS } : retention,
    },
    'runsync-retention-never': {
      does: 'results live until ttl',
      contested: 'whether retention is a promise to keep or to delete; section 7 says 404',
      retention: (retention, { kind }) => (kind === 'runsync' ? { ...retention, ms: Infinity } : retention),
    },
  }),
  breaking('4.1', 'It sets how long the the service waits for completion', {
    'wait-from-start': {
      does: 'wait counts from the start of the job',
      waitBegins: () => undefined,
      missesChange(waiting) {
        if (waiting.timer === undefined && waiting.job.startedMs !== null) waiting.arm();
        return false;
      },
    },
    'runsync-woken-by-any-end': {
      does: 'a waiting call is answered when any job of the endpoint ends',
      ended({ endpoint }) {
        for (const waiting of [...endpoint.waiting]) waiting.give(waiting.job);
      },
    },
    'runsync-misses-fast-end': {
      does: 'a job that has ended before the call waits is not noticed',
      missesChange: (_waiting, isFirst) => isFirst,
    },
    'waits-one-per-instant': {
      does: 'of the calls whose wait elapses at one instant one is answered',
      with: () => {
        const times = timesAtOnce();
        return { waitOver: ({ endpoint }) => times(endpoint) > 1 };
      },
    },
    'wait-timer-shared': {
      does: 'there is one timer: a call that waits takes it from the one before',
      with: () => sharedTimer('wait'),
    },
    'wait-cut-to-seconds': {
      does: 'what is beyond whole seconds is cut off',
      waitMs: (ms) => cutTo(SECOND_MS, ms),
    },
    'wait-elapsed-shows-submission': {
      does: 'the record given when wait elapses is that of the submission',
      legal: 'what the response holds when wait elapses is not shown (4.1)',
      waitedRecord: (record) => ({ ...record, status: 'IN_QUEUE' }),
    },
    'wait-capped-at-two-minutes': {
      does: 'the call never waits longer than 120 seconds',
      waitMs: (ms) => Math.min(2 * MINUTE_MS, ms),
    },
    'runsync-purged-never-answered': {
      does: 'a call whose job is purged is never answered',
      with: () => {
        const purged = new WeakSet<Job>();
        return {
          purgesJob: (job) => void purged.add(job),
          missesChange: (waiting) => purged.has(waiting.job) && neverAnswered(waiting),
        };
      },
    },
    'runsync-cancelled-never-answered': {
      does: 'a call whose job is cancelled is never answered',
      legal: 'nobody can cancel the job meanwhile: its id is told by the answer of the call that waits',
      missesChange: (waiting) => waiting.job.status === 'CANCELLED' && neverAnswered(waiting),
    },
    'runsync-expired-never-answered': {
      does: 'a call whose job is deleted by its ttl is never answered',
      missesChange: (waiting) =>
        waiting.job.deleted && waiting.job.ttlAtMs <= nowIn(waiting.endpoint) && neverAnswered(waiting),
    },
  }),
  breaking('4.1', '(the complete result in a single response when the job finished)', {
    'runsync-coalesced': {
      does: 'a call with the input of one that waits gets the same job',
      joined: (endpoint, { input }) =>
        [...endpoint.jobs.values()].find(
          (job) => job.kind === 'runsync' && !hasEnded(job) && isSame(job.input, input),
        ),
    },
  }),
  breaking('4.1', 'Result retention: 1 minute after completion', {
    'retention-timer-shared': {
      does: 'there is one retention timer: a job that ends takes it from the one before',
      with: () => sharedTimer('retention'),
    },
    'retention-one-per-instant': {
      does: 'of the results that are due at one instant one is deleted',
      with: () => {
        const times = timesAtOnce();
        return { retentionOver: ({ endpoint }) => times(endpoint) > 1 };
      },
    },
    'runsync-result-lost-after-wait': {
      does: 'a result that comes after the call was answered is not kept',
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
      does: 'a failed job of /runsync is gone as soon as the call has been answered',
      runsyncAnswered(job) {
        if (job.status === 'FAILED') job.endpoint.remove(job);
      },
    },
  }),
];
