/**
 * `proof/` promises to show why what was observed cannot be: by the sum of bounds that makes it impossible and by the
 * smallest part of a history that shows it still. It never decides whether something is a failure.
 */

/** One bound of a sum: `to` comes at least, or at most, `ms` after `from`. */
export interface Bound {
  /** `clock` (the beginning of the script), a milestone of the job (`submitted`, `started`…), or a call (`#17`). */
  readonly from: string;
  readonly to: string;
  readonly limit: 'at-least' | 'at-most';
  readonly ms: number;
  readonly why: string;
  /** The requirement that asks for it; null for what was observed, and for what is allowed besides. */
  readonly requirement: string | null;
  /** The call that it was observed by. */
  readonly call: number | null;
}

/** Instants that would have to be earlier than themselves. */
export interface ContradictionInTime {
  readonly kind: 'time';
  /** Id of the job; null where it is about none, or its id was not told. */
  readonly job: string | null;
  /** A circle: following it from `from` to `to` and on leads back to where it began, `overMs` too early or too late. */
  readonly bounds: readonly Bound[];
  readonly overMs: number;
}

/** A state that cannot follow another. */
export interface ContradictionInOrder {
  readonly kind: 'order';
  readonly job: string;
  /** What was observed, in the order in which it came about. */
  readonly seen: readonly { readonly call: number; readonly showed: string; readonly atMs: number }[];
}

/** A number that the parts of a sum do not add up to. */
export interface ContradictionInNumber {
  readonly kind: 'number';
  readonly of: string;
  readonly told: number;
  readonly least: number;
  readonly most: number;
  /** What each counts for at the least and at the most; `what` is a job's id, or says what else. */
  readonly parts: readonly { readonly what: string; readonly least: number; readonly most: number }[];
}

export type Contradiction = ContradictionInTime | ContradictionInOrder | ContradictionInNumber;
