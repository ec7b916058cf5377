/** One possible cause of a violation: a row of the table in `attribution-table.ts`. */
import type { RequirementId } from '../../spec/index.js';
import type { Suspect } from '../ledger/unsettled.js';
import type { JobOperation } from '../model/operations.js';
import type { Facts, ObservedState } from './facts.js';
import { byKind, byPolicy, byStatusTtl } from './most-specific.js';

export type Ids = readonly RequirementId[];
type From<T> = (facts: Facts) => T;

/** The row applies if all its conditions hold; absent conditions always do. */
export interface AttributionRow {
  /** The kind of operation that revealed the violation. */
  readonly by?: JobOperation['kind'];
  /** The requirements whose violation it explains. */
  readonly of?: Ids;
  /** The state that the call reports. */
  readonly observed?: readonly ObservedState[];
  /** The state at the last observation before; null: there was none. */
  readonly was?: readonly (ObservedState | null)[];
  /** A further condition. */
  readonly when?: From<boolean>;
  /**
   * The violated requirement, before it is replaced by the most specific one; absent: the rule itself. Null:
   * the row does not apply.
   */
  readonly names?: RequirementId | From<RequirementId | null>;
  /** Alternatives, named if the run shows them to be violated elsewhere; the most likely first. */
  readonly unless?: Ids | From<Ids>;
  /** Equally likely requirements, named also if the one named here is satisfied elsewhere. */
  readonly or?: From<Ids>;
  /** Outside events may be the cause as well (`outside-events.ts`). */
  readonly outside?: true;
}

/** The requirement that the row names; null if it does not apply. */
export function requirementNamedBy(
  { by, of, observed, was, when, names }: AttributionRow,
  facts: Facts,
): RequirementId | null {
  const applies =
    (by === undefined || by === facts.op.kind) &&
    (of === undefined || of.includes(facts.rule)) &&
    (observed === undefined || observed.some((one) => one === facts.observed)) &&
    (was === undefined || was.includes(facts.was)) &&
    (when === undefined || when(facts));
  if (!applies) return null;
  return typeof names === 'function' ? names(facts) : (names ?? facts.rule);
}

/** The most specific requirement that the document states for such a job, with what had happened to it by then. */
export const mostSpecific = (facts: Facts, id: RequirementId): RequirementId =>
  byStatusTtl(facts, id) ?? byPolicy(facts.job, id) ?? byKind(facts, id) ?? id;

/** A suspect within the job's own history. */
export const ownSuspect = (id: RequirementId, needsProof: boolean): Suspect => ({
  id,
  call: null,
  isOfScript: true,
  isAlone: false,
  needsProof: needsProof,
  isOutlived: true,
});
