import type { Limits } from '../../scenario/script.js';
import { DAY_MS, EXECUTION_TIMEOUT_DEFAULT_MS, MINUTE_MS } from '../../spec/limits.js';
import { isSpeed, SPEED_RANGE } from '../../util/speed.js';
import { TargetError } from '../errors.js';
import type { Control } from './control.js';
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
 * @param speed how many times as fast as real time the target's clock runs; 1 where it is moved
 * @param isControlled time passes only when it is moved
 * @param workers how many a shared endpoint has; null where each script gets as many as it needs
 * @param slowestReplyMs real ms
 */
export function limitsOf(
  options: HttpTargetOptions,
  speed: number,
  isControlled: boolean,
  workers: number | null,
  slowestReplyMs: number,
): Limits {
  const graceMs = options.graceMs ?? tolerated(GRACE_MS, speed);
  const slackMs = tolerated(REAL_SLACK_MS, speed) + Math.ceil(2 * slowestReplyMs * speed);
  return {
    graceMs,
    marginMs: isControlled ? graceMs + 1 : graceMs + slackMs,
    // The longest ttl, and a day for what comes after it.
    maxWaitMs: isControlled ? 8 * DAY_MS : Math.floor((options.maxWaitMs ?? MINUTE_MS) * speed),
    ...(isControlled ? {} : { preferredWaitMaxMs: Math.floor(MODEST_WAIT_MS * speed) }),
    maxWorkers: workers ?? WORKERS_MAX,
  };
}

/** What a real machine may be late or early by, in ms of the target's clock; one that runs slowly may be as late as others. */
export const tolerated = (realMs: number, speed: number): number => Math.ceil(realMs * Math.max(1, speed));

/** Contract of test control, rule 8: an endpoint made for the test has the default of the document. */
export function timeoutDefaultOf(
  { executionTimeoutDefaultMs }: HttpTargetOptions,
  ownEndpoints: boolean,
): number | null {
  if (executionTimeoutDefaultMs === undefined && ownEndpoints) return EXECUTION_TIMEOUT_DEFAULT_MS;
  return executionTimeoutDefaultMs ?? null;
}

/**
 * How many times as fast as real time its clock runs.
 *
 * @throws TargetError when the options and test control contradict each other
 */
export function speedOf({ speed }: HttpTargetOptions, control: Control | null): number {
  if (speed !== undefined && !isSpeed(speed))
    throw new TargetError('configuration', `The speed is ${speed}`, `It must be ${SPEED_RANGE}`);
  const told = control?.hasClock === true ? 1 : (control?.speed ?? speed ?? 1);
  if (speed === undefined || speed === told) return told;
  const why =
    control?.hasClock === true
      ? 'test control moves the clock of the target, which has no speed of its own'
      : `test control tells that the target's time runs at speed ${told}`;
  throw new TargetError(
    'configuration',
    `The speed is said to be ${speed}, but ${why}`,
    'Leave out the speed',
  );
}
