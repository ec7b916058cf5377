/** What the rows of the life-cycle hold: timers in `lifecycle.ts`, calls in `lifecycle-calls.ts`. */
import type { RequirementId } from '../../spec/index.js';
import type { Hypothesis, JobState } from './hypothesis.js';
import type { JobModel } from './job-model.js';
import type { Condition } from './conditions.js';
import type { Instant, Zone } from './zone.js';

/** A requirement, and the jobs that it is about. */
export interface Variant {
  readonly id: RequirementId;
  /** The states that the job stays in; default: all in which the timer runs. */
  readonly in?: readonly JobState[];
  readonly if?: (model: JobModel, at: Hypothesis) => boolean;
}

export interface Timer {
  readonly name: string;
  readonly section: string;
  readonly runsIn: readonly JobState[];
  readonly leadsTo: readonly JobState[];
  /** It counts from here; `ZERO`: its bounds are instants. */
  readonly since: Instant;
  /** It does not strike before, ms; null: nothing is certain. */
  leastMs(at: Hypothesis, model: JobModel): number | null;
  /** It has struck by then, lateness aside, ms; null: nothing is certain. `seenMs`: of a job that was seen then; null: of one that moved. */
  mostMs(at: Hypothesis, model: JobModel, zone: Zone, seenMs: number | null): number | null;
  /** How many sleeps of the worker may each be late besides. */
  sleeps?(at: Hypothesis, model: JobModel): number;
  readonly tooLate: readonly Variant[];
  readonly tooEarly: readonly Variant[];
  readonly decides: readonly DecisionRow[];
  readonly wording: Wording;
}

/** What a call does to a job that is in one state when it takes effect. */
interface CallEffect {
  readonly to: JobState;
  readonly how: 'must' | 'must not' | 'must be refused';
  readonly ids: readonly Variant[];
}

/** By the state in which the call finds the job; elsewhere what it does is not shown. */
export type CallEffects = { readonly [P in JobState]?: CallEffect };

/** A move that is none. */
export interface ForbiddenTransition {
  readonly in: JobState;
  /** Default: any state that has a record. */
  readonly to?: JobState;
  readonly ids: readonly Variant[];
}

/** What is decided by looks that find the job in these states, or do not find it where it may be so. */
export interface DecisionRow {
  readonly shown?: readonly JobState[];
  readonly notFound?: readonly JobState[];
  /** Default: always. */
  readonly if?: Condition;
  /** Each by itself; `tooLate`, `tooEarly`: the requirement of that bound. */
  readonly ids: readonly (readonly [id: RequirementId | 'tooLate' | 'tooEarly', when?: Condition])[];
}

/**
 * How a proof tells of a bound: `started not after 3.000 s, executionTimeout 5.000 s → not running after 8.000 s`. Of a bound
 * that is an instant only `since` is told, and the instant.
 */
interface Wording {
  readonly since: string;
  readonly length: string;
  readonly over: string;
  readonly still: string;
}

/** The requirement of a bound for this job, while it stays in that state. Throws where none of them is about such a job. */
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
