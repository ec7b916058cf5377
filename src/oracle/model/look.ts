/**
 * One observation of a job with all that may be true before and after it, and what the rows of the life-cycle ask of one
 * explanation. A decision holds where it holds in every explanation.
 *
 * The conditions are constants, and those that take a length make a condition once: they are asked at each look at each job.
 */
import { policyFieldOf, submissionOf } from '../observed/reading.js';
import type { Foreseen } from '../observed/plan.js';
import type { Context } from './context.js';
import { isOverrun, type Hypothesis, type Place } from './hypothesis.js';
import type { JobCase } from './job.js';
import type { Operation } from './operations.js';
import { ENDED, QUEUED, STARTED, type Instant } from './zone.js';

export interface Look {
  readonly ctx: Context;
  readonly job: JobCase;
  readonly op: Operation;
  readonly before: readonly Hypothesis[];
  readonly after: readonly Hypothesis[];
}

/** What may be asked of an explanation `at` that a look has left. */
export type Condition = (at: Hypothesis, look: Look) => boolean;

/** It holds in each of them, of which there is one at least. */
export function every(hypotheses: readonly Hypothesis[], test: (at: Hypothesis) => boolean): boolean {
  for (const at of hypotheses) if (!test(at)) return false;
  return hypotheses.length > 0;
}

/** The value that all hypotheses agree on, or undefined. */
export function agreed<T>(hypotheses: readonly Hypothesis[], of: (at: Hypothesis) => T): T | undefined {
  const [first] = hypotheses;
  if (first === undefined) return undefined;
  const value = of(first);
  for (const at of hypotheses) if (of(at) !== value) return undefined;
  return value;
}

export const and =
  (...conditions: readonly Condition[]): Condition =>
  (at, look) => {
    for (const condition of conditions) if (!condition(at, look)) return false;
    return true;
  };

export const not =
  (condition: Condition): Condition =>
  (at, look) =>
    !condition(at, look);

// Of the job's kind.

export const isSync: Condition = (_, { job }) => job.life.sync;
export const hasWait: Condition = (_, { job }) => job.life.waitGiven;
export const isLowPriority: Condition = (_, { job }) => job.life.lowPriority;
export const hasWorkerInTime: Condition = (_, { job }) => job.life.startWindow.byMs < Infinity;
export const isFirstRun: Condition = ({ runs }) => runs === 0;
export const isRetried: Condition = ({ retries }) => retries > 0;
/** Its ttl is none that its submission gave it. */
export const hasNewTtl: Condition = ({ terms }, { job }) => terms.ttlMs !== job.terms[0]?.ttlMs;
export const hasTimeout: Condition = ({ terms }) => terms.executionMs !== null;

/** The plan of the run that ended, or of the one that is under way. */
export const planOf = ({ runs }: Hypothesis, { job }: Look): Foreseen => job.life.foreseen(runs);
export const isForeseen: Condition = (at, look) => planOf(at, look).lastsMs !== null;
export const endsInError: Condition = (at, look) =>
  planOf(at, look).outcome === 'error' || planOf(at, look).outcome === 'crash';

/** A number that the submission's policy names, taken or not; NaN where it names none. */
export function askedMs({ job }: Look, field: 'ttl' | 'executionTimeout'): number {
  const { ttlGiven, executionGiven } = job.life;
  if (!(field === 'ttl' ? ttlGiven : executionGiven)) return NaN;
  const value = policyFieldOf(submissionOf(job.submitted), field);
  return typeof value === 'number' ? value : NaN;
}

// Of what was seen, and when.

export const isLook: Condition = (_, { op }) => op.kind === 'status';
/** The state that it was in when it was deleted or cancelled. */
export const wasIn =
  (place: Place): Condition =>
  ({ goneFrom }) =>
    goneFrom === place;
export const wasSeenUnended: Condition = ({ evidence }) =>
  evidence.lastQueued !== null || evidence.firstStarted !== null;
export const wasSeenEnded: Condition = ({ evidence }, { op }) =>
  evidence.ended !== null && evidence.ended !== op.call;
/** A `/retry` was answered with success in a state where it must not take effect. */
export const wasRetriedAgainstRule = ({ meddled }: Hypothesis): boolean => meddled === 'retry';
export const hasOverrun: Condition = (at) => isOverrun(at);
/** It is not found, as is a job whose executionTimeout made it CANCELLED where those are shown no more. */
export const isRemoved = (at: Hypothesis): boolean =>
  at.place === 'gone' || (at.place === 'cancelled' && isOverrun(at));

/** So it was by every explanation before this look, too. */
export const wasBefore =
  (test: (at: Hypothesis) => boolean): Condition =>
  (_, { before }) =>
    every(before, test);

// How long it has lasted. An observation far from a deadline says nothing of it; one near it, or beyond it, does.

/** The least time that has passed since an instant of its life, ms. */
export const sinceMs = ({ zone }: Hypothesis, { op }: Look, instant: Instant): number =>
  op.fromMs - zone.latest(instant);

/** A length after an instant of its life was over for certain, lateness included. */
export const isOver =
  (instant: Instant, lengthMs: (at: Hypothesis, look: Look) => number | null): Condition =>
  (at, look) => {
    const ms = lengthMs(at, look);
    return ms !== null && sinceMs(at, look, instant) > ms + look.ctx.graceAt(look.op.fromMs);
  };

/** A deadline counts as watched when the job was still there after this part of it. */
const NEAR = 0.7;
const NEAR_MS = 3_000;

/** A length after an instant of its life is close to its end, or for the most of it over. */
export const isNear =
  (instant: Instant, lengthMs: (at: Hypothesis) => number | null): Condition =>
  (at, look) => {
    const ms = lengthMs(at);
    const passedMs = sinceMs(at, look, instant);
    return ms !== null && (passedMs >= NEAR * ms || ms - passedMs <= look.ctx.graceMs + NEAR_MS);
  };

/** The run was, or is, as long as the most of its executionTimeout. */
export const ranNearTimeout: Condition = (at, look) =>
  (at.place === 'progress' ? sinceMs(at, look, STARTED) : (planOf(at, look).lastsMs ?? 0)) >=
  NEAR * (at.terms.executionMs ?? Infinity);

/** It has run for longer than so. */
export const ranFor =
  (lengthMs: (look: Look) => number): Condition =>
  (at, look) =>
    (at.place === 'progress' ? sinceMs(at, look, STARTED) : -at.zone.bound(STARTED, ENDED)) >
    lengthMs(look) + look.ctx.graceAt(look.op.fromMs);

/** Its run needs longer than so. */
export const needs =
  (ms: number): Condition =>
  (at, look) =>
    (planOf(at, look).lastsMs ?? 0) > ms + look.ctx.graceMs;

/** The least time that it waited in the queue, ms. */
export const waitedAtLeastMs = ({ zone }: Hypothesis): number => -zone.bound(QUEUED, STARTED);
