/** Section 3: the states, and its table of transitions row by row. */
import type { JobStatus } from './types.js';

export const JOB_STATUSES = [
  'IN_QUEUE',
  'IN_PROGRESS',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
  'TIMED_OUT',
] as const satisfies readonly JobStatus[];

/** The states that `/status` names itself; the other two come from `/cancel` and `/retry`. */
export const STATUS_OPERATION_STATUSES = [
  'IN_QUEUE',
  'IN_PROGRESS',
  'COMPLETED',
  'FAILED',
] as const satisfies readonly JobStatus[];

/** A job in one of these has not come to its end. */
export const LIVE_STATUSES = ['IN_QUEUE', 'IN_PROGRESS'] as const satisfies readonly JobStatus[];

/** A job in one of these has come to its end; only `/retry` brings it back. */
export const ENDED_STATUSES = [
  'COMPLETED',
  'FAILED',
  'CANCELLED',
  'TIMED_OUT',
] as const satisfies readonly JobStatus[];

/** The states from which `/retry` is valid (3, 4.6). */
export const RETRYABLE_STATUSES = ['FAILED', 'TIMED_OUT'] as const satisfies readonly JobStatus[];

/** One row of the table of section 3; `gone` is a removed or deleted job. */
export interface Transition {
  readonly id: string;
  readonly from: readonly JobStatus[] | 'none';
  readonly trigger: string;
  readonly condition: string;
  readonly to: JobStatus | 'gone';
  readonly also: string | null;
}

export const TRANSITIONS = [
  {
    id: 'submit',
    from: 'none',
    trigger: '/run or /runsync',
    condition: 'valid submission',
    to: 'IN_QUEUE',
    also: 'a job id is assigned',
  },
  {
    id: 'start',
    from: ['IN_QUEUE'],
    trigger: 'a worker becomes available',
    condition: 'a worker is free',
    to: 'IN_PROGRESS',
    also: 'the handler processes the job; executionTimeout is enforced from here',
  },
  {
    id: 'complete',
    from: ['IN_PROGRESS'],
    trigger: 'handler finishes',
    condition: 'success',
    to: 'COMPLETED',
    also: 'output becomes readable; retained 30 minutes (/run) or 1 minute (/runsync)',
  },
  {
    id: 'fail',
    from: ['IN_PROGRESS'],
    trigger: 'handler or worker error',
    condition: 'error',
    to: 'FAILED',
    also: null,
  },
  {
    id: 'cancel-queued',
    from: ['IN_QUEUE'],
    trigger: '/cancel',
    condition: 'job not yet started',
    to: 'CANCELLED',
    also: 'job removed from the queue before it starts',
  },
  {
    id: 'cancel-running',
    from: ['IN_PROGRESS'],
    trigger: '/cancel',
    condition: 'job running',
    to: 'CANCELLED',
    also: 'the running job is stopped',
  },
  {
    id: 'retry',
    from: ['FAILED', 'TIMED_OUT'],
    trigger: '/retry',
    condition: 'result not yet expired',
    to: 'IN_QUEUE',
    also: 'same job id, original input, previous output removed',
  },
  {
    id: 'purge',
    from: ['IN_QUEUE'],
    trigger: '/purge-queue',
    condition: 'job is waiting',
    to: 'gone',
    also: 'counted in removed; jobs already in progress are unaffected',
  },
  {
    id: 'expire',
    from: ['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'],
    trigger: 'ttl expires',
    condition: 'always',
    to: 'gone',
    also: 'status checks then return 404',
  },
] as const satisfies readonly Transition[];

export type TransitionId = (typeof TRANSITIONS)[number]['id'];
