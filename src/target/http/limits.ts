import type { Limits } from '../../scenario/script.js';
import { DAY_MS, EXECUTION_TIMEOUT_DEFAULT_MS, MINUTE_MS } from '../../spec/limits.js';
import type { HttpTargetOptions } from './options.js';

/** How much earlier than its deadline a timer may appear to fire: rounding on both sides, and clocks that drift. */
export const REAL_EARLY_MS = 50;

/** Correct services that sweep or poll fire timers late, on a clock that is controlled as on one that is not. */
export const GRACE_MS = 2_000;
/** What the scheduling of two busy processes may add to the way there and back. */
const REAL_SLACK_MS = 250;
/** Long enough for any order of magnitude up to the shortest executionTimeout (section 2.2). */
const MODEST_WAIT_MS = 6_000;
const WORKERS_MAX = 16;

/**
 * @param isControlled time passes only when it is moved
 * @param workers how many a shared endpoint has; null where each script gets as many as it needs
 */
export function limitsOf(
  options: HttpTargetOptions,
  isControlled: boolean,
  workers: number | null,
  slowestReplyMs: number,
): Limits {
  const graceMs = options.graceMs ?? GRACE_MS;
  return {
    graceMs,
    marginMs: isControlled ? graceMs + 1 : graceMs + REAL_SLACK_MS + Math.ceil(2 * slowestReplyMs),
    // The longest ttl, and a day for what comes after it.
    maxWaitMs: isControlled ? 8 * DAY_MS : (options.maxWaitMs ?? MINUTE_MS),
    ...(isControlled ? {} : { preferredWaitMaxMs: MODEST_WAIT_MS }),
    maxWorkers: workers ?? WORKERS_MAX,
  };
}

/** Contract of test control, rule 8: an endpoint made for the test has the default of the document. */
export function timeoutDefaultOf(
  { executionTimeoutDefaultMs }: HttpTargetOptions,
  ownEndpoints: boolean,
): number | null {
  if (executionTimeoutDefaultMs === undefined && ownEndpoints) return EXECUTION_TIMEOUT_DEFAULT_MS;
  return executionTimeoutDefaultMs ?? null;
}
