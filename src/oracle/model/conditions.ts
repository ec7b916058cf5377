/**
 * One observation of a job with all that may be true before and after it, and what the rows of the life-cycle ask of one
 * explanation. A decision holds where it holds in every explanation.
 *
 * The conditions are constants, and those that take a length make a condition once: they are asked at each look at each job.
 */
import { policyFieldOf, submissionOf } from '../observed/recorded-call.js';
import type { Prediction } from '../observed/worker-prediction.js';
import type { RuleSet } from './rule-set.js';
import { wasEndedByTimeout, type Hypothesis, type JobState } from './hypothesis.js';
import type { ObservedJob } from './observed-job.js';
import type { JobOperation } from './operations.js';
import { ENDED, QUEUED, STARTED, type Instant } from './zone.js';

export interface StepContext {
  readonly rules: RuleSet;
  readonly job: ObservedJob;
  readonly op: JobOperation;
  readonly before: readonly Hypothesis[];
  readonly after: readonly Hypothesis[];
}

/** What may be asked of an explanation `at` that a look has left. */
export type Condition = (at: Hypothesis, step: StepContext) => boolean;

/** It holds in each of them, of which there is one at least. */
export function holdsInAll(hypotheses: readonly Hypothesis[], test: (at: Hypothesis) => boolean): boolean {
  for (const at of hypotheses) if (!test(at)) return false;
  return hypotheses.length > 0;
}

/** The value that all hypotheses agree on, or undefined. */
export function commonValue<T>(hypotheses: readonly Hypothesis[], of: (at: Hypothesis) => T): T | undefined {
  const [first] = hypotheses;
  if (first === undefined) return undefined;
  const value = of(first);
  for (const at of hypotheses) if (of(at) !== value) return undefined;
  return value;
}

export const and =
  (...conditions: readonly Condition[]): Condition =>
  (at, step) => {
    for (const condition of conditions) if (!condition(at, step)) return false;
    return true;
  };

export const not =
  (condition: Condition): Condition =>
  (at, step) =>
    !condition(at, step);

// Of the job's kind.

export const isSync: Condition = (_, { job }) => job.model.sync;
export const hasWait: Condition = (_, { job }) => job.model.waitGiven;
export const hasWorkerInTime: Condition = (_, { job }) => job.model.startWindow.byMs < Infinity;
export const isFirstRun: Condition = ({ runs }) => runs === 0;
export const isRetried: Condition = ({ retries }) => retries > 0;
/** Its ttl is none that its submission gave it. */
export const hasNewTtl: Condition = ({ policy }, { job }) => policy.ttlMs !== job.policies[0]?.ttlMs;
export const hasTimeout: Condition = ({ policy }) => policy.executionMs !== null;

/** The plan of the run that ended, or of the one that is under way. */
export const predictionOf = ({ runs }: Hypothesis, { job }: StepContext): Prediction =>
  job.model.predicted(runs);
export const isPredictable: Condition = (at, step) => predictionOf(at, step).durationMs !== null;
export const endsInError: Condition = (at, step) =>
  predictionOf(at, step).outcome === 'error' || predictionOf(at, step).outcome === 'crash';

/** A number that the submission's policy names, taken or not; NaN where it names none. */
export function requestedMs({ job }: StepContext, field: 'ttl' | 'executionTimeout'): number {
  const { ttlGiven, executionGiven } = job.model;
  if (!(field === 'ttl' ? ttlGiven : executionGiven)) return NaN;
  const value = policyFieldOf(submissionOf(job.submitted), field);
  return typeof value === 'number' ? value : NaN;
}

// Of what was seen, and when.

export const isStatusRead: Condition = (_, { op }) => op.kind === 'status';
/** The state that it was in when it was deleted or cancelled. */
export const wasIn =
  (state: JobState): Condition =>
  ({ previousState }) =>
    previousState === state;
export const wasObservedLive: Condition = ({ milestones }) =>
  milestones.lastQueued !== null || milestones.firstStarted !== null;
export const wasObservedEnded: Condition = ({ milestones }, { op }) =>
  milestones.ended !== null && milestones.ended !== op.call;
/** A `/retry` was answered with success in a state where it must not take effect. */
export const wasRetryWronglyAccepted = ({ wronglyAccepted }: Hypothesis): boolean =>
  wronglyAccepted === 'retry';
export const hasTimedOut: Condition = (at) => wasEndedByTimeout(at);
/** It is not found, as is a job whose executionTimeout made it CANCELLED where those are shown no more. */
export const isDeletedOrTimedOut = (at: Hypothesis): boolean =>
  at.state === 'deleted' || (at.state === 'cancelled' && wasEndedByTimeout(at));

/** So it was by every explanation before this look, too. */
export const wasBefore =
  (test: (at: Hypothesis) => boolean): Condition =>
  (_, { before }) =>
    holdsInAll(before, test);

// How long it has lasted. An observation far from a deadline says nothing of it; one near it, or beyond it, does.

/** The least time that has passed since an instant of its life, ms. */
export const sinceMs = ({ zone }: Hypothesis, { op }: StepContext, instant: Instant): number =>
  op.fromMs - zone.latest(instant);

/** A length after an instant of its life was over for certain, lateness included. */
export const isOver =
  (instant: Instant, lengthMs: (at: Hypothesis, step: StepContext) => number | null): Condition =>
  (at, step) => {
    const ms = lengthMs(at, step);
    return ms !== null && sinceMs(at, step, instant) > ms + step.rules.graceAt(step.op.fromMs);
  };

/** A deadline counts as watched when the job was still there after this part of it. */
const NEAR = 0.7;
const NEAR_MS = 3_000;

/** A length after an instant of its life is close to its end, or for the most of it over. */
export const isNear =
  (instant: Instant, lengthMs: (at: Hypothesis) => number | null): Condition =>
  (at, step) => {
    const ms = lengthMs(at);
    const passedMs = sinceMs(at, step, instant);
    return ms !== null && (passedMs >= NEAR * ms || ms - passedMs <= step.rules.graceMs + NEAR_MS);
  };

/** The run was, or is, as long as the most of its executionTimeout. */
export const ranNearTimeout: Condition = (at, step) =>
  (at.state === 'running' ? sinceMs(at, step, STARTED) : (predictionOf(at, step).durationMs ?? 0)) >=
  NEAR * (at.policy.executionMs ?? Infinity);

/** It has run for longer than so. */
export const hasRunLongerThan =
  (lengthMs: (step: StepContext) => number): Condition =>
  (at, step) =>
    (at.state === 'running' ? sinceMs(at, step, STARTED) : -at.zone.bound(STARTED, ENDED)) >
    lengthMs(step) + step.rules.graceAt(step.op.fromMs);

/** Its run needs longer than so. */
export const runsLongerThan =
  (ms: number): Condition =>
  (at, step) =>
    (predictionOf(at, step).durationMs ?? 0) > ms + step.rules.graceMs;

/** The least time that it waited in the queue, ms. */
export const waitedAtLeastMs = ({ zone }: Hypothesis): number => -zone.bound(QUEUED, STARTED);
