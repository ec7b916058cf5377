/** One thing that may explain a job's life that cannot be: a row of the table in `attribution-table.ts`. */
import type { RequirementId } from '../../spec/index.js';
import type { Job } from '../jobs/observed-jobs.js';
import type { Suspect } from '../ledger/unsettled.js';
import type { JobOperation } from '../model/operations.js';
import type { Facts, Shown } from './facts.js';
import { byKind, byPolicy, byStatusTtl } from './most-specific.js';

export type Ids = readonly RequirementId[];
type From<T> = (facts: Facts) => T;

/** It applies where all that it asks for holds; what is absent is not asked for. */
export interface AttributionRow {
  /** What shows the breach. */
  readonly by?: JobOperation['kind'];
  /** The rules whose breach it explains. */
  readonly of?: Ids;
  /** What the call shows of the job. */
  readonly shows?: readonly Shown[];
  /** What the last look before showed; null: nobody had looked. */
  readonly was?: readonly (Shown | null)[];
  /** What else has to be so. */
  readonly when?: From<boolean>;
  /** What was broken, if so, told by the narrowest requirement for such a job; absent: the rule itself. Null: it does not apply. */
  readonly names?: RequirementId | From<RequirementId | null>;
  /** These explain it as well: they are named where the run shows them to be broken elsewhere, the nearest first. */
  readonly unless?: Ids | From<Ids>;
  /** These are as near: they are named also where the run shows that what is named here is kept elsewhere. */
  readonly or?: From<Ids>;
  /** What happened beside the job may have done it as well (`outside-events.ts`). */
  readonly outside?: true;
}

/** What it names; null where it does not apply. */
export function requirementNamedBy(
  { by, of, shows, was, when, names }: AttributionRow,
  facts: Facts,
): RequirementId | null {
  const applies =
    (by === undefined || by === facts.op.kind) &&
    (of === undefined || of.includes(facts.rule)) &&
    (shows === undefined || shows.some((one) => one === facts.shows)) &&
    (was === undefined || was.includes(facts.was)) &&
    (when === undefined || when(facts));
  if (!applies) return null;
  return typeof names === 'function' ? names(facts) : (names ?? facts.rule);
}

/** The narrowest requirement that the document states for such a job. */
export const mostSpecific = (job: Job, id: RequirementId): RequirementId =>
  byStatusTtl(job, id) ?? byPolicy(job, id) ?? byKind(job, id) ?? id;

/** Another requirement that the job itself may show to be broken. */
export const ownSuspect = (id: RequirementId, wantsProof: boolean): Suspect => ({
  id,
  call: null,
  isOfScript: true,
  isAlone: false,
  wantsProof,
  isOutlived: true,
});
