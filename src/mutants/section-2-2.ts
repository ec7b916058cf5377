/** Violations of section 2.2: policy. */
import { fault } from './mutant.js';

const NEVER = Number.POSITIVE_INFINITY;
const HOUR_MS = 3_600_000;

export const SECTION_2_2 = [
  fault(
    'ttl-from-start',
    'ttl counts from the start of execution',
    ['2.2/ttl-starts-at-submission', '2.2/ttl-removes-queued'],
    () => ({
      ttlDeadlineMs: (job, ttlMs) => (job.startedMs ?? NEVER) + ttlMs,
    }),
  ),
  fault(
    'ttl-not-in-queue',
    'ttl does not delete waiting jobs',
    ['2.2/ttl-removes-queued', '2.2/ttl-starts-at-submission', '2.2/ttl-expired-leaves-queue'],
    (base) => ({
      ttlDeadlineMs: (job, ttlMs) => (job.status === 'IN_QUEUE' ? NEVER : base.ttlDeadlineMs(job, ttlMs)),
    }),
  ),
  fault(
    'ttl-spares-running',
    'ttl does not delete running jobs',
    ['2.2/ttl-removes-running', '2.2/ttl-wins-over-completion', '2.2/ttl-ends-before-execution-timeout'],
    (base) => ({
      ttlDeadlineMs: (job, ttlMs) => (job.status === 'IN_PROGRESS' ? NEVER : base.ttlDeadlineMs(job, ttlMs)),
    }),
  ),
  fault(
    'ttl-spares-ended',
    'ttl does not delete jobs that have ended',
    [
      '2.2/ttl-removes-completed',
      '2.2/ttl-removes-failed',
      '2.2/ttl-removes-timed-out',
      '2.2/ttl-removes-cancelled',
    ],
    (base) => ({
      ttlDeadlineMs: (job, ttlMs) => (job.endedMs === null ? base.ttlDeadlineMs(job, ttlMs) : NEVER),
    }),
  ),
  fault(
    'ttl-spares-cancelled',
    'ttl does not delete cancelled jobs',
    ['2.2/ttl-removes-cancelled'],
    (base) => ({
      ttlDeadlineMs: (job, ttlMs) => (job.status === 'CANCELLED' ? NEVER : base.ttlDeadlineMs(job, ttlMs)),
    }),
  ),
  fault('ttl-spares-runsync', 'ttl does not delete /runsync jobs', ['2.2/ttl-removes-runsync'], (base) => ({
    ttlDeadlineMs: (job, ttlMs) => (job.op === 'runsync' ? NEVER : base.ttlDeadlineMs(job, ttlMs)),
  })),
  fault('ttl-restarts-on-retry', 'a retry starts the ttl anew', ['2.2/ttl-removes-retried'], (base) => ({
    ttlDeadlineMs: (job, ttlMs) =>
      base.ttlDeadlineMs(job, ttlMs) + (job.retries > 0 ? job.queuedMs - job.submittedMs : 0),
  })),
  fault(
    'ttl-restarts-at-end',
    'the end of a job restarts its ttl',
    ['2.2/ttl-not-restarted-by-completion', '2.2/ttl-removes-completed'],
    () => ({
      ttlDeadlineMs: (job, ttlMs) => (job.endedMs ?? job.submittedMs) + ttlMs,
    }),
  ),
  fault(
    'ttl-restarts-at-start',
    'the start of execution restarts the ttl',
    ['2.2/ttl-starts-at-submission', '2.2/ttl-seven-days-two-queued'],
    () => ({
      ttlDeadlineMs: (job, ttlMs) => (job.startedMs ?? job.submittedMs) + ttlMs,
    }),
  ),
  fault(
    'ttl-restarts-by-reading',
    'each read of a job restarts its ttl',
    ['2.2/ttl-not-restarted-by-reading', '2.2/ttl-removes-completed'],
    () => ({
      readSetsTimersAnew: () => true,
      ttlDeadlineMs: (job, ttlMs) => (job.readMs ?? job.submittedMs) + ttlMs,
    }),
  ),
  fault(
    'ttl-in-seconds',
    'ttl is read as seconds',
    ['2.2/ttl-removes-queued', '2.2/ttl-removes-running', '2.2/ttl-removes-completed'],
    (base) => ({
      ttlDeadlineMs: (job, ttlMs) => base.ttlDeadlineMs(job, ttlMs * 1000),
    }),
  ),
  fault(
    'ttl-two-seconds-early',
    'jobs are deleted after four fifths of their ttl',
    ['2.2/ttl-not-early-queued', '2.2/ttl-not-early-running', '2.2/ttl-not-early-completed'],
    (base) => ({
      ttlDeadlineMs: (job, ttlMs) => base.ttlDeadlineMs(job, Math.floor(ttlMs * 0.8)),
    }),
  ),
  fault(
    'ttl-default-twelve-hours',
    'a job without ttl is deleted after 12 hours',
    ['2.2/ttl-default-not-early'],
    (base) => ({
      ttlMs: (job) => (job.submission.policy.ttlMs === null ? 12 * HOUR_MS : base.ttlMs(job)),
    }),
  ),
  fault(
    'ttl-default-two-days',
    'a job without ttl is deleted after 48 hours',
    ['2.2/ttl-default-removes'],
    (base) => ({
      ttlMs: (job) => (job.submission.policy.ttlMs === null ? 48 * HOUR_MS : base.ttlMs(job)),
    }),
  ),
  fault(
    'ttl-of-a-day-at-most',
    'a ttl above 24 hours is cut to 24 hours',
    ['2.2/ttl-seven-days-two-queued', '2.2/outlives-default', '2.2/ttl-not-early-running'],
    (base) => ({
      ttlMs: (job) => Math.min(24 * HOUR_MS, base.ttlMs(job)),
    }),
  ),
  fault(
    'ttl-shared',
    'the last ttl given applies to all later jobs',
    ['2.2/ttl-this-job-only', '2.2/ttl-default-not-early'],
    (base) => {
      let last: number | null = null;
      return { ttlMs: (job) => (last = job.submission.policy.ttlMs ?? last) ?? base.ttlMs(job) };
    },
  ),
  fault(
    'ttl-keeps-worker',
    'a worker whose job was deleted by ttl is never free again',
    ['2.2/ttl-frees-worker', '1/freed-worker-takes-waiting-job'],
    (base) => ({
      freesWorkerOn: (reason) => reason !== 'ttl' && base.freesWorkerOn(reason),
    }),
  ),
  fault(
    'ttl-below-min-taken',
    'a ttl below 10 s takes effect as given',
    ['2.2/ttl-min-enforced'],
    (base) => ({
      outOfRange: (field, value, bounds) =>
        field === 'policy.ttl' && value > 0 && value < bounds.min
          ? value
          : base.outOfRange(field, value, bounds),
    }),
  ),
  fault(
    'ttl-above-max-taken',
    'a ttl above 7 days takes effect as given',
    ['2.2/ttl-max-enforced'],
    (base) => ({
      outOfRange: (field, value, bounds) =>
        field === 'policy.ttl' && value > bounds.max ? value : base.outOfRange(field, value, bounds),
    }),
  ),
  fault('ttl-min-refused', 'a ttl of exactly 10 s is refused', ['2.2/ttl-min-accepted'], (base) => ({
    boundsOf: (field) =>
      field === 'policy.ttl' ? { ...base.boundsOf(field), min: 10_001 } : base.boundsOf(field),
  })),
  fault('ttl-max-refused', 'a ttl of exactly 7 days is refused', ['2.2/ttl-max-accepted'], (base) => ({
    boundsOf: (field) =>
      field === 'policy.ttl' ? { ...base.boundsOf(field), max: 168 * HOUR_MS - 1 } : base.boundsOf(field),
  })),
  fault('ttl-any-type', 'a ttl that is not a number is ignored', ['2.2/ttl-type-checked'], (base) => ({
    integerIn: (field, value) =>
      field === 'policy.ttl' && typeof value !== 'number' ? 'absent' : base.integerIn(field, value),
  })),
  fault(
    'timeout-any-type',
    'an executionTimeout that is not a number is ignored',
    ['2.2/execution-timeout-type-checked'],
    (base) => ({
      integerIn: (field, value) =>
        field === 'policy.executionTimeout' && typeof value !== 'number'
          ? 'absent'
          : base.integerIn(field, value),
    }),
  ),
  fault(
    'timeout-from-submission',
    'executionTimeout counts from submission',
    ['2.2/execution-timeout-full-after-queue', '2.2/execution-timeout-not-early'],
    (base) => ({
      executionDeadlineMs: (job, timeoutMs) =>
        job.status === 'IN_PROGRESS' ? job.submittedMs + timeoutMs : base.executionDeadlineMs(job, timeoutMs),
    }),
  ),
  fault(
    'timeout-in-queue',
    'executionTimeout ends waiting jobs',
    ['2.2/execution-timeout-not-in-queue'],
    (base) => ({
      executionDeadlineMs: (job, timeoutMs) =>
        job.status === 'IN_QUEUE' ? job.queuedMs + timeoutMs : base.executionDeadlineMs(job, timeoutMs),
    }),
  ),
  fault(
    'timeout-after-end',
    'executionTimeout ends jobs that have completed',
    ['2.2/execution-timeout-not-after-end', '3/completed-stays'],
    (base) => ({
      executionDeadlineMs: (job, timeoutMs) =>
        job.status === 'COMPLETED' ? job.startedMs! + timeoutMs : base.executionDeadlineMs(job, timeoutMs),
      timeoutEnding: () => base.timeoutEnding(),
    }),
  ),
  fault(
    'timeout-not-enforced',
    'executionTimeout is not enforced',
    [
      '2.2/execution-timeout-stops-run',
      '2.2/execution-timeout-stops-runsync',
      '2.2/execution-timeout-default-enforced',
    ],
    () => ({
      executionDeadlineMs: () => NEVER,
    }),
  ),
  fault(
    'timeout-not-for-runsync',
    'executionTimeout is not enforced for /runsync jobs',
    ['2.2/execution-timeout-stops-runsync'],
    (base) => ({
      executionDeadlineMs: (job, timeoutMs) =>
        job.op === 'runsync' ? NEVER : base.executionDeadlineMs(job, timeoutMs),
    }),
  ),
  fault(
    'timeout-of-job-ignored',
    'the default is used instead of the executionTimeout of the job',
    ['2.2/execution-timeout-stops-run', '2.2/execution-timeout-long-run', '2.2/execution-timeout-not-early'],
    () => ({
      executionTimeoutMs: () => 600_000,
    }),
  ),
  fault(
    'timeout-default-five-minutes',
    'a job without executionTimeout is stopped after 5 minutes',
    ['2.2/execution-timeout-default-not-early'],
    (base) => ({
      executionTimeoutMs: (job) =>
        job.submission.policy.executionTimeoutMs ?? base.executionTimeoutMs(job) / 2,
    }),
  ),
  fault(
    'timeout-default-missing',
    'a job without executionTimeout runs without a limit',
    ['2.2/execution-timeout-default-enforced'],
    (base) => ({
      executionTimeoutMs: (job) =>
        job.submission.policy.executionTimeoutMs === null ? NEVER : base.executionTimeoutMs(job),
    }),
  ),
  fault(
    'timeout-shared',
    'the last executionTimeout given applies to all later jobs',
    ['2.2/execution-timeout-this-job-only', '2.2/execution-timeout-default-not-early'],
    (base) => {
      let last: number | null = null;
      return {
        executionTimeoutMs: (job) =>
          (last = job.submission.policy.executionTimeoutMs ?? last) ?? base.executionTimeoutMs(job),
      };
    },
  ),
  fault(
    'timeout-keeps-worker',
    'a worker whose job timed out is never free again',
    ['2.2/execution-timeout-frees-worker', '1/freed-worker-takes-waiting-job'],
    (base) => ({
      freesWorkerOn: (reason) => reason !== 'timeout' && base.freesWorkerOn(reason),
    }),
  ),
  fault(
    'timeout-below-min-taken',
    'an executionTimeout below 5 s takes effect as given',
    ['2.2/execution-timeout-min-enforced'],
    (base) => ({
      outOfRange: (field, value, bounds) =>
        field === 'policy.executionTimeout' && value > 0 && value < bounds.min
          ? value
          : base.outOfRange(field, value, bounds),
    }),
  ),
  fault(
    'timeout-above-max-taken',
    'an executionTimeout above 7 days takes effect as given',
    ['2.2/execution-timeout-max-enforced'],
    (base) => ({
      outOfRange: (field, value, bounds) =>
        field === 'policy.executionTimeout' && value > bounds.max
          ? value
          : base.outOfRange(field, value, bounds),
      // With the other reading no job outlives its first 7 days, so the fault would not show.
      ttlDeadlineMs: (job, ttlMs) =>
        job.ttlSet === null ? base.ttlDeadlineMs(job, ttlMs) : job.ttlSet.atMs + job.ttlSet.ttlMs,
    }),
  ),
  fault(
    'timeout-min-refused',
    'an executionTimeout of exactly 5 s is refused',
    ['2.2/execution-timeout-min-accepted'],
    (base) => ({
      boundsOf: (field) =>
        field === 'policy.executionTimeout' ? { ...base.boundsOf(field), min: 5_001 } : base.boundsOf(field),
    }),
  ),
  fault('low-priority-starves', 'a job with lowPriority never starts', ['2.2/low-priority-job-runs'], () => ({
    mayStart: (job) => job.submission.policy.lowPriority !== true,
  })),
  fault(
    'low-priority-wakes-workers',
    'a job with lowPriority triggers scaling',
    ['2.2/low-priority-no-scaling'],
    () => ({ triggersScaling: () => true }),
  ),
  fault(
    'low-priority-by-default',
    'a job without lowPriority triggers no scaling, as if it had lowPriority',
    ['2.2/low-priority-default'],
    () => ({ triggersScaling: (job) => job.submission.policy.lowPriority === false }),
  ),
  fault(
    'low-priority-waits-for-quiet',
    'a job with lowPriority starts only when no other job is running',
    ['2.2/low-priority-job-runs', '1/free-worker-takes-job'],
    () => ({
      mayStart: (job, here) => job.submission.policy.lowPriority !== true || here === 0,
    }),
  ),
  fault(
    'low-priority-any-type',
    'a lowPriority that is not a boolean is accepted',
    ['2.2/low-priority-type-checked'],
    () => ({
      lowPriorityAllowed: () => true,
    }),
  ),
] as const;
