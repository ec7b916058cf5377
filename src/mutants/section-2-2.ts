/** Violations of section 2.2: policy. */
import { ttlSpares, type Changes } from './mutant.js';

const NEVER = Number.POSITIVE_INFINITY;
const HOUR_MS = 3_600_000;

export const SECTION_2_2: Changes = {
  'ttl-from-start': () => ({ ttlDeadlineMs: (job, ttlMs) => (job.startedMs ?? NEVER) + ttlMs }),
  'ttl-not-in-queue': ttlSpares((job) => job.status === 'IN_QUEUE'),
  'ttl-spares-running': ttlSpares((job) => job.status === 'IN_PROGRESS'),
  'ttl-spares-ended': ttlSpares((job) => job.endedMs !== null),
  'ttl-spares-cancelled': ttlSpares((job) => job.status === 'CANCELLED'),
  'ttl-spares-runsync': ttlSpares((job) => job.op === 'runsync'),
  'ttl-restarts-on-retry': (base) => ({
    ttlDeadlineMs: (job, ttlMs) =>
      base.ttlDeadlineMs(job, ttlMs) + (job.retries > 0 ? job.queuedMs - job.submittedMs : 0),
  }),
  'ttl-restarts-at-end': () => ({ ttlDeadlineMs: (job, ttlMs) => (job.endedMs ?? job.submittedMs) + ttlMs }),
  'ttl-restarts-at-start': () => ({
    ttlDeadlineMs: (job, ttlMs) => (job.startedMs ?? job.submittedMs) + ttlMs,
  }),
  'ttl-restarts-by-reading': () => ({
    readSetsTimersAnew: () => true,
    ttlDeadlineMs: (job, ttlMs) => (job.readMs ?? job.submittedMs) + ttlMs,
  }),
  'ttl-in-seconds': (base) => ({ ttlDeadlineMs: (job, ttlMs) => base.ttlDeadlineMs(job, ttlMs * 1000) }),
  'ttl-two-seconds-early': (base) => ({
    ttlDeadlineMs: (job, ttlMs) => base.ttlDeadlineMs(job, Math.floor(ttlMs * 0.8)),
  }),
  'ttl-default-twelve-hours': (base) => ({
    ttlMs: (job) => (job.submission.policy.ttlMs === null ? 12 * HOUR_MS : base.ttlMs(job)),
  }),
  'ttl-default-two-days': (base) => ({
    ttlMs: (job) => (job.submission.policy.ttlMs === null ? 48 * HOUR_MS : base.ttlMs(job)),
  }),
  'ttl-of-a-day-at-most': (base) => ({ ttlMs: (job) => Math.min(24 * HOUR_MS, base.ttlMs(job)) }),
  'ttl-shared': (base) => {
    let last: number | null = null;
    return { ttlMs: (job) => (last = job.submission.policy.ttlMs ?? last) ?? base.ttlMs(job) };
  },
  'ttl-keeps-worker': (base) => ({
    freesWorkerOn: (reason) => reason !== 'ttl' && base.freesWorkerOn(reason),
  }),
  'ttl-below-min-taken': (base) => ({
    outOfRange: (field, value, bounds) =>
      field === 'policy.ttl' && value > 0 && value < bounds.min
        ? value
        : base.outOfRange(field, value, bounds),
  }),
  'ttl-above-max-taken': (base) => ({
    outOfRange: (field, value, bounds) =>
      field === 'policy.ttl' && value > bounds.max ? value : base.outOfRange(field, value, bounds),
  }),
  'ttl-min-refused': (base) => ({
    boundsOf: (field) =>
      field === 'policy.ttl' ? { ...base.boundsOf(field), min: 10_001 } : base.boundsOf(field),
  }),
  'ttl-max-refused': (base) => ({
    boundsOf: (field) =>
      field === 'policy.ttl' ? { ...base.boundsOf(field), max: 168 * HOUR_MS - 1 } : base.boundsOf(field),
  }),
  'ttl-any-type': (base) => ({
    integerIn: (field, value) =>
      field === 'policy.ttl' && typeof value !== 'number' ? 'absent' : base.integerIn(field, value),
  }),
  'timeout-any-type': (base) => ({
    integerIn: (field, value) =>
      field === 'policy.executionTimeout' && typeof value !== 'number'
        ? 'absent'
        : base.integerIn(field, value),
  }),
  'timeout-from-submission': (base) => ({
    executionDeadlineMs: (job, timeoutMs) =>
      job.status === 'IN_PROGRESS' ? job.submittedMs + timeoutMs : base.executionDeadlineMs(job, timeoutMs),
  }),
  'timeout-in-queue': (base) => ({
    executionDeadlineMs: (job, timeoutMs) =>
      job.status === 'IN_QUEUE' ? job.queuedMs + timeoutMs : base.executionDeadlineMs(job, timeoutMs),
  }),
  'timeout-after-end': (base) => ({
    executionDeadlineMs: (job, timeoutMs) =>
      job.status === 'COMPLETED' ? job.startedMs! + timeoutMs : base.executionDeadlineMs(job, timeoutMs),
    timeoutEnding: () => base.timeoutEnding(),
  }),
  'timeout-not-enforced': () => ({ executionDeadlineMs: () => NEVER }),
  'timeout-not-for-runsync': (base) => ({
    executionDeadlineMs: (job, timeoutMs) =>
      job.op === 'runsync' ? NEVER : base.executionDeadlineMs(job, timeoutMs),
  }),
  'timeout-of-job-ignored': () => ({ executionTimeoutMs: () => 600_000 }),
  'timeout-default-five-minutes': (base) => ({
    executionTimeoutMs: (job) => job.submission.policy.executionTimeoutMs ?? base.executionTimeoutMs(job) / 2,
  }),
  'timeout-default-missing': (base) => ({
    executionTimeoutMs: (job) =>
      job.submission.policy.executionTimeoutMs === null ? NEVER : base.executionTimeoutMs(job),
  }),
  'timeout-shared': (base) => {
    let last: number | null = null;
    return {
      executionTimeoutMs: (job) =>
        (last = job.submission.policy.executionTimeoutMs ?? last) ?? base.executionTimeoutMs(job),
    };
  },
  'timeout-keeps-worker': (base) => ({
    freesWorkerOn: (reason) => reason !== 'timeout' && base.freesWorkerOn(reason),
  }),
  'timeout-below-min-taken': (base) => ({
    outOfRange: (field, value, bounds) =>
      field === 'policy.executionTimeout' && value > 0 && value < bounds.min
        ? value
        : base.outOfRange(field, value, bounds),
  }),
  'timeout-above-max-taken': (base) => ({
    outOfRange: (field, value, bounds) =>
      field === 'policy.executionTimeout' && value > bounds.max
        ? value
        : base.outOfRange(field, value, bounds),
    // With the other reading no job outlives its first 7 days, so the fault would not show.
    ttlDeadlineMs: (job, ttlMs) =>
      job.ttlSet === null ? base.ttlDeadlineMs(job, ttlMs) : job.ttlSet.atMs + job.ttlSet.ttlMs,
  }),
  'timeout-min-refused': (base) => ({
    boundsOf: (field) =>
      field === 'policy.executionTimeout' ? { ...base.boundsOf(field), min: 5_001 } : base.boundsOf(field),
  }),
  'low-priority-starves': () => ({ mayStart: (job) => job.submission.policy.lowPriority !== true }),
  'low-priority-wakes-workers': () => ({ triggersScaling: () => true }),
  'low-priority-by-default': () => ({
    triggersScaling: (job) => job.submission.policy.lowPriority === false,
  }),
  'low-priority-waits-for-quiet': () => ({
    mayStart: (job, here) => job.submission.policy.lowPriority !== true || here === 0,
  }),
  'low-priority-any-type': () => ({ lowPriorityAllowed: () => true }),
};
