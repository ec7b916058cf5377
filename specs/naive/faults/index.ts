/** All faults of the naive server: ways in which sensible programmers get the document wrong, one at a time. */
import type { Hooks } from '../hooks.js';
import { RIGHT } from '../default-hooks.js';
import type { FaultCode } from './fault.js';
import { WORKERS_FAULTS } from './jobs/workers.js';
import { QUEUE_FAULTS } from './jobs/queue.js';
import { SUBMISSIONS_FAULTS } from './submissions.js';
import { INPUTS_FAULTS } from './inputs.js';
import { TIME_LIMITS_FAULTS } from './jobs/time-limits.js';
import { EXECUTION_TIMEOUTS_FAULTS } from './jobs/execution-timeouts.js';
import { TTLS_FAULTS } from './jobs/ttls.js';
import { STORAGE_OPTIONS_FAULTS } from './storage-options.js';
import { OUTPUTS_FAULTS } from './outputs.js';
import { RECORDS_FAULTS } from './records.js';
import { STATES_FAULTS } from './jobs/states.js';
import { RUNSYNC_FAULTS } from './runsync.js';
import { RUN_FAULTS } from './run.js';
import { STATUS_FAULTS } from './status.js';
import { CHUNKS_FAULTS } from './chunks.js';
import { STREAM_FAULTS } from './stream.js';
import { CANCEL_FAULTS } from './jobs/cancel.js';
import { RETRY_REFUSALS_FAULTS } from './jobs/retry-refusals.js';
import { RETRY_FAULTS } from './jobs/retry.js';
import { PURGE_FAULTS } from './jobs/purge.js';
import { HEALTH_WORKERS_FAULTS } from './jobs/health-workers.js';
import { HEALTH_JOBS_FAULTS } from './jobs/health-jobs.js';
import { KEYS_FAULTS } from './keys.js';
import { WEBHOOK_ATTEMPTS_FAULTS } from './webhook-attempts.js';
import { WEBHOOKS_FAULTS } from './webhooks.js';
import { ERRORS_FAULTS } from './errors.js';
import { LIMITS_FAULTS } from './limits.js';
import { READS_FAULTS } from './reads.js';

const CODES = {
  ...WORKERS_FAULTS,
  ...QUEUE_FAULTS,
  ...SUBMISSIONS_FAULTS,
  ...INPUTS_FAULTS,
  ...TIME_LIMITS_FAULTS,
  ...EXECUTION_TIMEOUTS_FAULTS,
  ...TTLS_FAULTS,
  ...STORAGE_OPTIONS_FAULTS,
  ...OUTPUTS_FAULTS,
  ...RECORDS_FAULTS,
  ...STATES_FAULTS,
  ...RUNSYNC_FAULTS,
  ...RUN_FAULTS,
  ...STATUS_FAULTS,
  ...CHUNKS_FAULTS,
  ...STREAM_FAULTS,
  ...CANCEL_FAULTS,
  ...RETRY_REFUSALS_FAULTS,
  ...RETRY_FAULTS,
  ...PURGE_FAULTS,
  ...HEALTH_WORKERS_FAULTS,
  ...HEALTH_JOBS_FAULTS,
  ...KEYS_FAULTS,
  ...WEBHOOK_ATTEMPTS_FAULTS,
  ...WEBHOOKS_FAULTS,
  ...ERRORS_FAULTS,
  ...LIMITS_FAULTS,
  ...READS_FAULTS,
};

export type FaultId = keyof typeof CODES;

export const FAULT_IDS = Object.keys(CODES) as readonly FaultId[];

const codes: ReadonlyMap<string, FaultCode> = new Map(Object.entries(CODES));

export function isFaultId(id: string): id is FaultId {
  return codes.has(id);
}

/** The server with this fault, or with none. */
export function hooksOf(id: FaultId | null): Hooks {
  const code = id === null ? undefined : codes.get(id);
  return { ...RIGHT, ...code, ...code?.with?.() };
}
