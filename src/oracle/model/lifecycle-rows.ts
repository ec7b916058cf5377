/** The types of the life-cycle tables: timers in `lifecycle.ts`, calls in `lifecycle-calls.ts`. */
import type { RequirementId } from '../../spec/index.js';
import type { Hypothesis, JobState } from './hypothesis.js';
import type { JobModel } from './job-model.js';
import type { Condition } from './conditions.js';
import type { Instant, Zone } from './zone.js';

/** A requirement, and the jobs that it applies to. */
export interface Variant {
  readonly id: RequirementId;
  /** The states that it applies to; default: all in which the timer runs. */
  readonly in?: readonly JobState[];
  readonly if?: (model: JobModel, at: Hypothesis) => boolean;
}

export interface Timer {
  readonly name: string;
  readonly section: string;
  readonly runsIn: readonly JobState[];
  readonly leadsTo: readonly JobState[];
  /** The instant that the timer counts from. With `ZERO` its bounds are absolute times. */
  readonly since: Instant;
  /** Lower bound: it does not fire earlier, ms; null: none is certain. */
  leastMs(at: Hypothesis, model: JobModel): number | null;
  /**
   * Upper bound: it has fired by then, tolerance aside, ms; null: none is certain. `seenMs`: the job was
   * observed in the state then; null: it made a transition.
   */
  mostMs(at: Hypothesis, model: JobModel, zone: Zone, seenMs: number | null): number | null;
  /** How many sleeps of the worker may each be late in addition. */
  sleeps?(at: Hypothesis, model: JobModel): number;
  readonly tooLate: readonly Variant[];
  readonly tooEarly: readonly Variant[];
  readonly decides: readonly DecisionRow[];
  readonly wording: Wording;
}

/** What a call does to a job that is in this state when the call takes effect. */
interface CallEffect {
  readonly to: JobState;
  readonly how: 'must' | 'must not' | 'must be refused';
  readonly ids: readonly Variant[];
}

/** By the state of the job. The document does not say what the call does in the other states. */
export type CallEffects = { readonly [P in JobState]?: CallEffect };

/** A transition that nothing may cause. */
export interface ForbiddenTransition {
  readonly in: JobState;
  /** Default: any state with a record. */
  readonly to?: JobState;
  readonly ids: readonly Variant[];
}

/**
 * Requirements that an observation decides in the target's favour: it found the job in one of the states
 * `shown`, or did not find it although it may be in one of the states `notFound`.
 */
export interface DecisionRow {
  readonly shown?: readonly JobState[];
  readonly notFound?: readonly JobState[];
  /** Default: always. */
  readonly if?: Condition;
  /** Each one separately; `tooLate`, `tooEarly`: the requirement of that bound. */
  readonly ids: readonly (readonly [id: RequirementId | 'tooLate' | 'tooEarly', when?: Condition])[];
}

/**
 * The words of a proof about a bound: `started not after 3.000 s, executionTimeout 5.000 s → must have
 * ended by 8.000 s`. If the bound is an absolute time, only `since` and the time are printed.
 */
interface Wording {
  readonly since: string;
  readonly length: string;
  readonly over: string;
  readonly still: string;
}

/**
 * The requirement of a bound for this job in this state. Throws if none of them applies: the table has a
 * gap.
 */
export function requirementOf(
  bound: readonly Variant[],
  model: JobModel,
  at: Hypothesis,
  state = at.state,
): RequirementId {
  for (const one of bound)
    if ((one.in === undefined || one.in.includes(state)) && (one.if === undefined || one.if(model, at)))
      return one.id;
  throw new Error(`the life-cycle has no requirement of this bound for a job that is ${state}`);
}
