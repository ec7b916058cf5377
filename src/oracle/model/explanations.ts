/**
 * What is known of one job's life when all that was observed of it has been followed. It may be explained, by one way in
 * which it can have come about or by several; too branched to follow, so that nothing is known; or contradict the document.
 *
 * Nobody can take the last two for an explained life: its explanations are asked for what holds in all of them
 * (`mustBe`) or may hold (`mayBe`), and only one that is known to be explained can be asked for bounds.
 */
import type { Hypothesis } from './hypothesis.js';

export type Explanations = Explained | Unknown | Contradicted;

export type Predicate = (at: Hypothesis) => boolean;

interface Queryable {
  /** It certainly was so: in every explanation, of which there is one at least. */
  mustBe(test: Predicate): boolean;
  /** It may have been so: in some explanation, or because nothing is known. */
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

  /** By explanations that are found once more when they are asked for: to keep them would cost more. */
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

  /** The least that it is by any explanation. */
  least(of: (at: Hypothesis) => number): number {
    return this.combine(of, Math.min);
  }

  /** The most that it is by any explanation. */
  most(of: (at: Hypothesis) => number): number {
    return this.combine(of, Math.max);
  }

  /** What all explanations agree on; undefined where they differ. */
  commonValue<T>(of: (at: Hypothesis) => T): T | undefined {
    const [first, ...others] = this.#explanations;
    const value = of(first!);
    return others.every((at) => of(at) === value) ? value : undefined;
  }

  /** What the explanations say, put together two by two. */
  combine<T>(of: (at: Hypothesis) => T, both: (left: T, right: T) => T): T {
    return this.#explanations.map(of).reduce((left, right) => both(left, right));
  }
}

const PROVES_NOTHING: (test: Predicate) => boolean = () => false;
const RULES_NOTHING_OUT: (test: Predicate) => boolean = () => true;

/** There may be any number of explanations, and none of them was followed to the end. */
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

/** It cannot be, whatever happened: of what followed nothing is certain either. */
export class Contradicted implements Queryable {
  readonly kind = 'contradicted';
  readonly mustBe = PROVES_NOTHING;
  readonly mayBe = RULES_NOTHING_OUT;
}
