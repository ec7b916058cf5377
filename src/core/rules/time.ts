/** Sections 2.2, 3, 4.1 to 4.3: when a job is stopped, forgotten or answered. */
import * as limits from '../../spec/limits.js';
import type { JobView } from '../state.js';
import type { Is } from './is.js';

/** The deadlines that a job or a call can have. */
export type Timer = 'ttl' | 'executionTimeout' | 'retention' | 'wait' | 'webhook' | 'dispatch';

const NEVER = Number.POSITIVE_INFINITY;

export const timeRules = (is: Is) => ({
  /** §2.2: how long the job may live, from its submission on; 24 hours unless it says otherwise. */
  ttlMs: (job: JobView): number => job.submission.policy.ttlMs ?? limits.TTL_DEFAULT_MS,

  /** §2.2, §4.3: when the job is deleted. Set at each step of its life, so nothing here restarts by itself. */
  ttlDeadlineMs: (job: JobView, ttlMs: number): number => {
    if (job.ttlSet === null) return job.submittedMs + ttlMs;
    const fromMs = is('4.3/status-ttl-start', 'from-call') ? job.ttlSet.atMs : job.submittedMs;
    return fromMs + job.ttlSet.ttlMs;
  },

  /** §2.2: how long one execution may take; 10 minutes unless the job says otherwise. */
  executionTimeoutMs: (job: JobView): number =>
    job.submission.policy.executionTimeoutMs ?? limits.EXECUTION_TIMEOUT_DEFAULT_MS,

  /** §2.2, §3: only enforced during execution, from the moment a worker picked the job up. */
  executionDeadlineMs: (job: JobView, timeoutMs: number): number =>
    job.status === 'IN_PROGRESS' && job.startedMs !== null ? job.startedMs + timeoutMs : NEVER,

  /** §3, §4.1, §4.2: how long the result stays after the job's end. */
  retentionMs: (job: JobView): number => {
    if (job.op === 'run') return limits.RUN_RETENTION_MS;
    const baseMs = limits.RUNSYNC_RETENTION_MS;
    if (job.waitMs === null) return baseMs;
    if (is('4.1/retention-with-wait', 'wait-but-at-least-a-minute')) return Math.max(baseMs, job.waitMs);
    if (is('4.1/retention-with-wait', 'five-minutes')) return limits.RUNSYNC_RETENTION_WITH_WAIT_MAX_MS;
    return baseMs;
  },

  /** §3: retention runs from the end of the job, whatever end it was. */
  retentionDeadlineMs: (job: JobView, retentionMs: number): number =>
    job.endedMs === null ? NEVER : job.endedMs + retentionMs,

  /** §4.1: how long `/runsync` waits. */
  waitMs: (asked: number | null): number => asked ?? limits.WAIT_DEFAULT_MS,

  /** §4.1: when the wait is over, counted from the call. */
  waitDeadlineMs: (callMs: number, waitMs: number): number => callMs + waitMs,

  /** Not in the document: a conformant service may sweep late, within the grace. Never before `dueMs`. */
  strikesAtMs: (_timer: Timer, dueMs: number): number => dueMs,

  /** §1, §3: a free worker takes the job at once; a conformant service may need a moment. */
  dispatchDelayMs: (): number => 0,

  /** §2.4: time the job waited before execution; for a job that never started, until its end or until now. */
  delayTimeMs: (job: JobView, nowMs: number): number =>
    (job.startedMs ?? job.endedMs ?? nowMs) -
    (is('2.4/delay-time-after-retry', 'since-submission') ? job.submittedMs : job.queuedMs),

  /** §2.4: time the job ran; 0 while it has not started. */
  executionTimeMs: (job: JobView, nowMs: number): number =>
    job.startedMs === null ? 0 : (job.endedMs ?? nowMs) - job.startedMs,

  /** §2.4: the unit of both times is not shown. */
  timeShown: (ms: number): number => (is('2.4/time-unit', 'seconds') ? Math.floor(ms / 1000) : ms),
});
