/**
 * Sections 2.2, 2.4, 3, 4.1 to 4.3: when a job is stopped, forgotten or answered, and how long things took.
 */
import * as limits from '../../spec/limits.js';
import type { JobStatus } from '../../spec/types.js';
import type { JobView } from '../entities.js';
import type { ReadingOf } from './reads.js';

/** The deadlines that a job or a call can have. */
export type Timer = 'ttl' | 'executionTimeout' | 'retention' | 'wait' | 'webhook' | 'dispatch';

/** What a record shows for a time. */
export type TimeShown = 'measured' | 'absent' | 'null' | 'zero';

const NEVER = Number.POSITIVE_INFINITY;
/** `perMs` units are `ms` milliseconds. */
const UNITS = {
  seconds: { perMs: 1, ms: limits.SECOND_MS },
  milliseconds: { perMs: 1, ms: 1 },
  microseconds: { perMs: 1_000, ms: 1 },
  nanoseconds: { perMs: 1_000_000, ms: 1 },
} as const;
/** For the readings "another time": unlike every time that the document names. */
const OTHER_RETENTION_MS = 4 * limits.MINUTE_MS;

const measured = (reading: 'so-far' | 'final' | Exclude<TimeShown, 'measured'>): TimeShown =>
  reading === 'so-far' || reading === 'final' ? 'measured' : reading;

/** The default executionTimeout in the reading that the endpoint sets its own. */
const OWN_TIMEOUT_MS = 300_000;

export function timeRules(readingOf: ReadingOf) {
  const ttlOrigin = readingOf('4.3/ttl-origin');
  const timeoutAfterRetry = readingOf('2.2/execution-timeout-after-retry');
  const defaultTimeoutMs =
    readingOf('2.2/execution-timeout-default') === 'ten-minutes'
      ? limits.EXECUTION_TIMEOUT_DEFAULT_MS
      : OWN_TIMEOUT_MS;
  const withWait = readingOf('4.1/retention-with-wait');
  const outlived = readingOf('4.1/outlived-wait-retention');
  const retentionAfterRetry = readingOf('4.6/retention-after-retry');
  const ttlOverRetention = readingOf('4.3/ttl-over-retention');
  const delayAfterRetry = readingOf('2.4/delay-time-after-retry');
  const executionAfterRetry = readingOf('2.4/execution-time-after-retry');
  const neverRun = readingOf('2.4/times-of-never-run');
  const delayInQueue = measured(readingOf('2.4/delay-time-in-queue'));
  const delayInProgress = measured(readingOf('2.4/delay-time-in-progress'));
  const executionInQueue = readingOf('2.4/execution-time-in-queue');
  const executionInProgress = measured(readingOf('2.4/execution-time-in-progress'));
  const unit = UNITS[readingOf('2.4/time-unit')];
  const ofFailed = readingOf('3/retention-of-failed');
  const ofTimedOut = readingOf('3/retention-of-timed-out');
  const ofCancelled = readingOf('3/retention-of-cancelled');
  const endedRetention = (status: JobStatus) => {
    if (status === 'FAILED') return ofFailed;
    if (status === 'TIMED_OUT') return ofTimedOut;
    return status === 'CANCELLED' ? ofCancelled : 'as-completed';
  };

  return {
    /** §2.2: the life span of a job from its submission, in ms; by default 24 hours. */
    ttlMs: (job: JobView): number => job.submission.policy.ttlMs ?? limits.TTL_DEFAULT_MS,

    /** §2.2, §4.3: when the job is deleted: a retry does not restart it. Called after each transition. */
    ttlDeadlineMs: (job: JobView, ttlMs: number): number => {
      const { ttlSet } = job;
      if (ttlSet === null) return job.submittedMs + ttlMs;
      return (ttlOrigin === 'from-now' ? ttlSet.atMs : job.submittedMs) + ttlSet.ttlMs;
    },

    /** §2.2: how long one execution may take, in ms; by default 10 minutes. */
    executionTimeoutMs: (job: JobView): number =>
      job.submission.policy.executionTimeoutMs ?? defaultTimeoutMs,

    /**
     * §2.2, §3: when a running job times out, counted from the start of its execution; NEVER in other states.
     */
    executionDeadlineMs: (job: JobView, timeoutMs: number): number => {
      if (job.status !== 'IN_PROGRESS' || job.startedMs === null) return NEVER;
      return job.startedMs + timeoutMs - (timeoutAfterRetry === 'remaining' ? job.ranBeforeMs : 0);
    },

    /** §3, §4.1, §4.2: how long the result is kept after the end of the job, in ms. */
    retentionMs: (job: JobView): number => {
      const reading = endedRetention(job.status);
      if (reading === 'until-ttl') return NEVER;
      if (reading === 'not-at-all') return 0;
      if (reading === 'other') return OTHER_RETENTION_MS;
      if (job.op === 'run') return limits.RUN_RETENTION_MS;
      if (outlived === 'as-run' && job.outlivedWait) return limits.RUN_RETENTION_MS;
      if (outlived === 'as-wait' && job.outlivedWait)
        return Math.max(limits.RUNSYNC_RETENTION_MS, job.waitMs ?? limits.WAIT_DEFAULT_MS);
      if (retentionAfterRetry === 'as-run' && job.retries > 0) return limits.RUN_RETENTION_MS;
      const baseMs = limits.RUNSYNC_RETENTION_MS;
      if (job.waitMs === null || withWait === 'one-minute') return baseMs;
      if (withWait === 'as-wait') return Math.max(baseMs, job.waitMs);
      return withWait === 'five-minutes' ? limits.RUNSYNC_RETENTION_WITH_WAIT_MAX_MS : 2 * baseMs;
    },

    /** §3: when retention ends, counted from the end of the job. */
    retentionDeadlineMs: (job: JobView, retentionMs: number): number => {
      if (job.endedMs === null) return NEVER;
      if (ttlOverRetention === 'yes' && job.ttlSet !== null) return NEVER;
      return job.endedMs + retentionMs;
    },

    /** §4.1: how long `/runsync` waits, in ms. */
    waitMs: (given: number | null): number => given ?? limits.WAIT_DEFAULT_MS,

    /** §4.1: when the wait is over, counted from the call. */
    waitDeadlineMs: (callMs: number, waitMs: number): number => callMs + waitMs,

    /**
     * When a timer fires that is due at `dueMs`. Never earlier; a conforming service may be late, within the
     * tolerance.
     */
    firesAtMs: (_timer: Timer, dueMs: number): number => dueMs,

    /** §1, §3: a free worker takes a job at once; a conforming service may need some time. */
    dispatchDelayMs: (): number => 0,

    /** §2.2, §4.1, §4.2: reading restarts no timer. */
    readSetsTimersAnew: (): boolean => false,

    /** §2.4: how long the job waited before execution; for a waiting job, so far. */
    delayTimeMs: (job: JobView, nowMs: number): number => {
      const untilMs = job.startedMs ?? job.endedMs ?? nowMs;
      if (delayAfterRetry === 'since-submission') return untilMs - job.submittedMs;
      return untilMs - job.queuedMs + (delayAfterRetry === 'all-waits' ? job.waitedBeforeMs : 0);
    },

    /** §2.4: how long the job ran; for a running job, so far. */
    executionTimeMs: (job: JobView, nowMs: number): number => {
      const thisRunMs = job.startedMs === null ? 0 : (job.endedMs ?? nowMs) - job.startedMs;
      return thisRunMs + (executionAfterRetry === 'all-runs' ? job.ranBeforeMs : 0);
    },

    /** §2.4, §4.3: how `delayTime` appears in this state of the job. */
    delayTimeShown: (job: JobView): TimeShown => {
      if (job.status === 'IN_QUEUE') return delayInQueue;
      if (job.status === 'IN_PROGRESS') return delayInProgress;
      return job.startedMs === null ? (neverRun === 'zero' ? 'measured' : neverRun) : 'measured';
    },

    /** §2.4, §4.3: how `executionTime` appears in this state of the job. */
    executionTimeShown: (job: JobView): TimeShown => {
      if (job.status === 'IN_QUEUE') return executionInQueue;
      if (job.status === 'IN_PROGRESS') return executionInProgress;
      return job.startedMs === null ? neverRun : 'measured';
    },

    /** §2.4: a time in the unit of records, which the document does not show. */
    inUnitShown: (ms: number): number => Math.floor((ms * unit.perMs) / unit.ms),
  };
}
