/** Section 3: the states of a job. */
import type { JobStatus } from './types.js';

export const JOB_STATUSES = [
  'IN_QUEUE',
  'IN_PROGRESS',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
  'TIMED_OUT',
] as const satisfies readonly JobStatus[];

/** The states of a job that has not ended. */
export const LIVE_STATUSES: readonly JobStatus[] = ['IN_QUEUE', 'IN_PROGRESS'];

/** The states of a job that has ended; only `/retry` requeues it. */
export const ENDED_STATUSES: readonly JobStatus[] = ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'];

/** Only after a worker had the job is it in one of these. A cancelled job may never have started. */
export const STARTED_STATUSES: readonly JobStatus[] = ['IN_PROGRESS', 'COMPLETED', 'FAILED', 'TIMED_OUT'];

const KNOWN: ReadonlySet<unknown> = new Set(JOB_STATUSES);

export function isJobStatus(value: unknown): value is JobStatus {
  return KNOWN.has(value);
}
