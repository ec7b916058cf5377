/**
 * Conditions of the life-cycle tables: predicates on one hypothesis, given the observation that led to it.
 * A decision holds only if its condition holds in every hypothesis.
 *
 * The conditions are constants, or are made once from a length, because they are evaluated for each
 * observation of each job.
 */
import type { Prediction } from '../observed/worker-prediction.js';
import type { RuleSet } from './rule-set.js';
import { wasEndedByTimeout, type Hypothesis, type JobState } from './hypothesis.js';
import type { ObservedJob } from './observed-job.js';
import type { JobModel } from './job-model.js';
import type { JobOperation } from './operations.js';
import { ENDED, QUEUED, STARTED, type Instant } from './zone.js';

export interface StepContext {
  readonly rules: RuleSet;
  readonly job: ObservedJob;
  readonly op: JobOperation;
  readonly before: readonly Hypothesis[];
  readonly after: readonly Hypothesis[];
}

/** A job whose parameters are known, whether it is being observed or not. */
export interface OfJob {
  readonly job: { readonly model: JobModel };
}

export type Predicate<Of> = (at: Hypothesis, of: Of) => boolean;
/** A predicate on a hypothesis `at` that is left after an observation. */
export type Condition = Predicate<StepContext>;
/** A predicate on a hypothesis about a job of this kind: it tells which requirement applies to it. */
export type Kind = Predicate<OfJob>;

/** True in every hypothesis, of which there is at least one. */
export function holdsInAll(hypotheses: readonly Hypothesis[], test: (at: Hypothesis) => boolean): boolean;
export function holdsInAll<Of>(hypotheses: readonly Hypothesis[], test: Predicate<Of>, of: Of): boolean;
export function holdsInAll(
  hypotheses: readonly Hypothesis[],
  test: Predicate<unknown>,
  of?: unknown,
): boolean {
  for (const at of hypotheses) if (!test(at, of)) return false;
  return hypotheses.length > 0;
}

/** All hypotheses, of which there is at least one, are in this state. */
export function areAllIn(hypotheses: readonly Hypothesis[], state: JobState): boolean {
  for (const at of hypotheses) if (at.state !== state) return false;
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
  <Of>(...conditions: readonly Predicate<Of>[]): Predicate<Of> =>
  (at, of) => {
    for (const condition of conditions) if (!condition(at, of)) return false;
    return true;
  };

export const not =
  <Of>(condition: Predicate<Of>): Predicate<Of> =>
  (at, of) =>
    !condition(at, of);

// Properties of the job.

export const isSync: Kind = (_, { job }) => job.model.sync;
export const hasWait: Kind = (_, { job }) => job.model.waitGiven;
/** Its submission gives a ttl; else the default holds. */
export const givesTtl: Kind = (_, { job }) => job.model.ttlGiven;
export const givesTimeout: Kind = (_, { job }) => job.model.executionGiven;
export const hasLowPriority: Kind = (_, { job }) => job.model.lowPriority;
export const hasFreeWorker: Kind = (_, { job }) => job.model.startWindow.isImmediate;
export const hasWorkerInTime: Kind = (_, { job }) => job.model.startWindow.byMs < Infinity;
export const isFirstRun: Kind = ({ runs }) => runs === 0;
export const isRetried: Kind = ({ retries }) => retries > 0;
/** The ttl of its submission, ms; null: what was sent does not determine it. */
export const givenTtlMs = ({ policy }: Hypothesis): number | null => (policy.variants[0] ?? policy).ttlMs;
/** Its ttl is not the one of its submission. */
export const hasNewTtl: Kind = (at) => at.policy.ttlMs !== givenTtlMs(at);
export const hasLongerTtl: Kind = (at) => (at.policy.ttlMs ?? 0) > (givenTtlMs(at) ?? Infinity);
export const hasTimeout: Condition = ({ policy }) => policy.executionMs !== null;

/** What is predicted of the run that ended, or of the current one. */
export const predictionOf = ({ runs }: Hypothesis, { job }: OfJob): Prediction => job.model.predicted(runs);
export const isPredictable: Kind = (at, of) => predictionOf(at, of).durationMs !== null;
export const endsWith =
  (...outcomes: readonly Prediction['outcome'][]): Kind =>
  (at, of) =>
    outcomes.includes(predictionOf(at, of).outcome);

export const asksForLess =
  (field: 'ttl' | 'executionTimeout', ms: number): Kind =>
  (_, { job }) =>
    job.model.requestedMs[field] < ms;
export const asksForMore =
  (field: 'ttl' | 'executionTimeout', ms: number): Kind =>
  (_, { job }) =>
    job.model.requestedMs[field] > ms;
/** Only names violations: where such a job passes is seen elsewhere, and a row of `others` says it. */
export const passesElsewhere: Kind = (_, of) => !('op' in of);

// What was observed, and when.

export const isStatusRead: Condition = (_, { op }) => op.kind === 'status';
/** The state in which it was deleted or cancelled. */
export const wasIn =
  (state: JobState): Kind =>
  ({ previousState }) =>
    previousState === state;
/** Its state, or the one in which a timer ended it where it is found no more. */
export const stateLeft = (at: Hypothesis): JobState | null =>
  isDeletedOrTimedOut(at) ? at.previousState : at.state;
export const wasObservedLive: Condition = ({ milestones }) =>
  milestones.lastQueued !== null || milestones.firstStarted !== null;
export const wasObservedEnded: Condition = ({ milestones }, { op }) =>
  milestones.ended !== null && milestones.ended !== op.call;
/** `/retry` succeeded in a state where it must have no effect. */
export const wasRetryWronglyAccepted = ({ wronglyAccepted }: Hypothesis): boolean =>
  wronglyAccepted === 'retry';
export const hasTimedOut: Kind = (at) => wasEndedByTimeout(at);
/** It was observed in its state before. */
export const wasThereBefore: Condition = ({ state }, { before }) => areAllIn(before, state);
/**
 * A read does not find it: deleted, or cancelled by its `executionTimeout` on a service that does not
 * return such jobs.
 */
export const isDeletedOrTimedOut = (at: Hypothesis): boolean =>
  at.state === 'deleted' || (at.state === 'cancelled' && wasEndedByTimeout(at));

/** It held before this observation, too, in every hypothesis. */
export const wasBefore =
  (test: (at: Hypothesis) => boolean): Condition =>
  (_, { before }) =>
    holdsInAll(before, test);

// Elapsed time. An observation far before a deadline says nothing about it; one near it, or after it, does.

/** The least time that has passed since this instant, ms. */
export const sinceMs = ({ zone }: Hypothesis, { op }: StepContext, instant: Instant): number =>
  op.fromMs - zone.latest(instant);

/** A period that began at this instant has ended for certain, allowed lateness included. */
export const isOver =
  (instant: Instant, lengthMs: (at: Hypothesis, step: StepContext) => number | null): Condition =>
  (at, step) => {
    const ms = lengthMs(at, step);
    return ms !== null && sinceMs(at, step, instant) > ms + step.rules.graceAt(step.op.fromMs);
  };

/** A period that had begun when the job was last seen would certainly not be over yet. */
export const wouldLastFromReading =
  (lengthMs: (at: Hypothesis) => number | null): Condition =>
  (at, { rules, op }) => {
    const ms = lengthMs(at);
    return ms !== null && op.byMs < at.notBeforeMs + ms - rules.earlyToleranceMs(ms);
  };

/** A deadline counts as observed when the job was still there after this fraction of the period. */
const NEAR = 0.7;
const NEAR_MS = 3_000;

/** A period that began at this instant has almost ended, or most of it has passed. */
export const isNear =
  (instant: Instant, lengthMs: (at: Hypothesis) => number | null): Condition =>
  (at, step) => {
    const ms = lengthMs(at);
    const passedMs = sinceMs(at, step, instant);
    return ms !== null && (passedMs >= NEAR * ms || ms - passedMs <= step.rules.graceMs + NEAR_MS);
  };

/** The run took, or has taken, most of its `executionTimeout`. */
export const ranNearTimeout: Condition = (at, step) =>
  (at.state === 'running' ? sinceMs(at, step, STARTED) : (predictionOf(at, step).durationMs ?? 0)) >=
  NEAR * (at.policy.executionMs ?? Infinity);

/** It has run for longer than this. */
export const hasRunLongerThan =
  (lengthMs: (step: StepContext) => number): Condition =>
  (at, step) =>
    (at.state === 'running' ? sinceMs(at, step, STARTED) : ranAtLeastMs(at)) >
    lengthMs(step) + step.rules.graceAt(step.op.fromMs);

/** Its run needs longer than this. */
export const runsLongerThan =
  (ms: number): Condition =>
  (at, step) =>
    (predictionOf(at, step).durationMs ?? 0) > ms + step.rules.graceMs;

/** The least time that it waited in the queue, ms. */
export const waitedAtLeastMs = ({ zone }: Hypothesis): number => -zone.bound(QUEUED, STARTED);
/** The least time that its run took, ms. */
export const ranAtLeastMs = ({ zone }: Hypothesis): number => -zone.bound(STARTED, ENDED);
