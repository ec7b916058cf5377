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
  readonly #explanations: readonly Hypothesis[];

  private constructor(explanations: readonly Hypothesis[]) {
    if (explanations.length === 0) throw new Error('a life without an explanation is not an explained one');
    this.#explanations = explanations;
  }

  static of(explanations: readonly Hypothesis[]): Explained {
    return new Explained(explanations);
  }

  mustBe(test: Predicate): boolean {
    for (const at of this.#explanations) if (!test(at)) return false;
    return true;
  }

  mayBe(test: Predicate): boolean {
    for (const at of this.#explanations) if (test(at)) return true;
    return false;
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
    const value = of(this.#explanations[0]!);
    for (const at of this.#explanations) if (of(at) !== value) return undefined;
    return value;
  }

  /** Folds the values of all explanations, two at a time. */
  combine<T>(of: (at: Hypothesis) => T, both: (left: T, right: T) => T): T {
    let value = of(this.#explanations[0]!);
    for (let index = 1; index < this.#explanations.length; index += 1)
      value = both(value, of(this.#explanations[index]!));
    return value;
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
