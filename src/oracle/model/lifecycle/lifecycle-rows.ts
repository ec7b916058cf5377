/** The types of the life-cycle tables: timers in `lifecycle.ts`, calls in `lifecycle-calls.ts`. */
import type { RequirementId } from '../../../spec/index.js';
import type { Hypothesis, JobState } from '../hypothesis.js';
import type { JobModel } from '../job-model.js';
import { stateLeft, type Condition, type OfJob, type Predicate, type StepContext } from '../conditions.js';
import type { Instant, Zone } from '../zone.js';

/**
 * What rules and passes are about. Where a job contradicts a rule, what it shows of the same topics is no
 * proof that they are kept.
 */
export type Topic =
  | 'ttl'
  | 'retention'
  | 'execution timeout'
  | 'work'
  | 'start'
  | 'state'
  | 'cancel'
  | 'retry'
  | 'purge'
  | 'reported times'
  | 'webhook';

/** A requirement in a case: all these conditions hold, and the job is, or was, in one of these states. */
export type Case<Of = StepContext> = readonly [
  id: RequirementId,
  ...needs: readonly (Predicate<Of> | readonly JobState[])[],
];

/**
 * Where a violation would have shown: an observation found the job in one of the states `shown`, or did not
 * find it although it may be in one of the states `notFound`.
 */
interface Sight {
  readonly shown?: readonly JobState[];
  readonly notFound?: readonly JobState[];
  /** Default: always. */
  readonly if?: Condition;
}

/** Where it is seen, each case that holds in all hypotheses counts a pass. */
export interface Row extends Sight {
  readonly topics?: readonly Topic[];
  readonly cases: readonly Case[];
}

/**
 * A rule with its cases, in order. The first one that holds names a violation; where the rule was tested, each
 * one that holds counts a pass.
 */
export interface Rule {
  readonly cases: readonly Case<OfJob>[];
  readonly tested: readonly Sight[];
  /** What a test shows as well. Whether one of these was broken only other observations tell. */
  readonly also?: readonly Case[];
}

export interface Timer {
  readonly name: string;
  readonly section: string;
  readonly topics: readonly Topic[];
  /** The word of proofs for what the bounds limit. */
  readonly quantity: string;
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
  readonly tooLate: Rule;
  readonly tooEarly: Rule;
  /** What observations of these states decide that is neither bound. */
  readonly others: readonly Row[];
  readonly wording: Wording;
}

/** What a call does to a job that is in this state when the call takes effect. */
interface CallEffect {
  readonly to: JobState;
  readonly how: 'must' | 'must not' | 'must be refused';
  readonly cases: readonly Case<OfJob>[];
}

/** By the state of the job. The document does not say what the call does in the other states. */
export type CallEffects = { readonly [P in JobState]?: CallEffect };

/** A transition that nothing may cause. */
export interface ForbiddenTransition {
  readonly in: JobState;
  /** Default: any state with a record. */
  readonly to?: JobState;
  readonly topics: readonly Topic[];
  readonly cases: readonly Case<OfJob>[];
}

/**
 * The words of a proof about a bound: `started not after 3.000 s, executionTimeout 5.000 s → must have
 * ended by 8.000 s`. If the bound is an absolute time, only `since` and the time are printed.
 */
interface Wording {
  readonly since: string;
  readonly over: string;
  readonly still: string;
}

/** Whether the case holds in this hypothesis. */
export function isCase<Of>(one: Case<Of>, at: Hypothesis, of: Of): boolean {
  for (let index = 1; index < one.length; index += 1) {
    const need = one[index] as Predicate<Of> | readonly JobState[];
    if (typeof need === 'function' ? !need(at, of) : !need.includes(stateLeft(at)!)) return false;
  }
  return true;
}

/** Whether it holds in every hypothesis, of which there is at least one. */
export function isCaseInAll<Of>(one: Case<Of>, hypotheses: readonly Hypothesis[], of: Of): boolean {
  for (const at of hypotheses) if (!isCase(one, at, of)) return false;
  return hypotheses.length > 0;
}

export const idsOf = (
  ...rows: readonly { readonly cases: readonly (readonly [id: RequirementId, ...unknown[]])[] }[]
): ReadonlySet<RequirementId> => new Set(rows.flatMap(({ cases }) => cases.map(([id]) => id)));

/** The first case that holds for this job. Throws if none does: the table has a gap. */
export function requirementOf(cases: readonly Case<OfJob>[], model: JobModel, at: Hypothesis): RequirementId {
  const of = { job: { model } };
  for (const one of cases) if (isCase(one, at, of)) return one[0];
  throw new Error(`the life-cycle has no requirement for a job that is ${at.state}`);
}
