/**
 * The result of checking one job against the model, one of three:
 *
 * - `explained`: at least one hypothesis is consistent with all observations.
 * - `unknown`: there were too many hypotheses to follow; nothing follows.
 * - `contradicted`: no hypothesis is consistent; the history violates the document.
 *
 * The list of hypotheses is private, so that no check can mistake an unknown or contradicted job for an
 * explained one with an empty list. A check asks what holds in all explanations (`mustBe`) or in some
 * (`mayBe`); only an explained job can be asked for bounds.
 */
import type { Hypothesis } from './hypothesis.js';

export type Explanations = Explained | Unknown | Contradicted;

export type Predicate = (at: Hypothesis) => boolean;

interface Queryable {
  /** True in every explanation. False where the job is not explained. */
  mustBe(test: Predicate): boolean;
  /** True in some explanation, or the job is not explained. */
  mayBe(test: Predicate): boolean;
}

/** At least one explanation. */
export class Explained implements Queryable {
  readonly kind = 'explained';
  readonly #find: () => readonly Hypothesis[];
  #found: readonly Hypothesis[] | null = null;

  private constructor(find: () => readonly Hypothesis[]) {
    this.#find = find;
  }

  static of(explanations: readonly Hypothesis[]): Explained {
    return new Explained(() => explanations);
  }

  /** For a list that is computed again when it is needed, because keeping it would cost more. */
  static recomputed(find: () => readonly Hypothesis[]): Explained {
    return new Explained(find);
  }

  get #explanations(): readonly Hypothesis[] {
    if (this.#found !== null) return this.#found;
    const found = this.#find();
    if (found.length === 0) throw new Error('a life without an explanation is not an explained one');
    return (this.#found = found);
  }

  mustBe(test: Predicate): boolean {
    return this.#explanations.every(test);
  }

  mayBe(test: Predicate): boolean {
    return this.#explanations.some(test);
  }

  /** The least value in any explanation. */
  least(of: (at: Hypothesis) => number): number {
    return this.combine(of, Math.min);
  }

  /** The greatest value in any explanation. */
  most(of: (at: Hypothesis) => number): number {
    return this.combine(of, Math.max);
  }

  /** The value that all explanations agree on; undefined where they differ. */
  commonValue<T>(of: (at: Hypothesis) => T): T | undefined {
    const [first, ...others] = this.#explanations;
    const value = of(first!);
    return others.every((at) => of(at) === value) ? value : undefined;
  }

  /** Folds the values of all explanations, two at a time. */
  combine<T>(of: (at: Hypothesis) => T, both: (left: T, right: T) => T): T {
    return this.#explanations.map(of).reduce((left, right) => both(left, right));
  }
}

const PROVES_NOTHING: (test: Predicate) => boolean = () => false;
const RULES_NOTHING_OUT: (test: Predicate) => boolean = () => true;

/** Any number of explanations may exist; the search for them was given up. */
export class Unknown implements Queryable {
  readonly kind = 'unknown';
  readonly mustBe = PROVES_NOTHING;
  readonly mayBe = RULES_NOTHING_OUT;
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

export const NOT_JUDGED = new Unknown('its life was not judged');

/** No explanation exists, so that later observations prove nothing either. */
export class Contradicted implements Queryable {
  readonly kind = 'contradicted';
  readonly mustBe = PROVES_NOTHING;
  readonly mayBe = RULES_NOTHING_OUT;
}
