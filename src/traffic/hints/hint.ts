/**
 * `traffic/hints/` promises statistics of recorded calls on which a team would act. They prove nothing and change no verdict: each
 * says how often something was seen, where to see it, and what to look at next. It keeps counts, not calls.
 */

/** Something that recorded calls show, on which a team would act; no verdict. @public */
export interface Hint {
  /** What was seen, with its numbers. */
  readonly text: string;
  /** The number of a call that shows it, as in `history.ndjson`. */
  readonly call: number;
  /** What to look at next. */
  readonly next: string;
}

/** How often something happened, and the call that showed it first. */
export class Share {
  count = 0;
  of = 0;
  #first: number | null = null;

  see(happened: boolean, call: number): void {
    this.of += 1;
    if (!happened) return;
    this.count += 1;
    this.#first ??= call;
  }

  /** Null: it never happened. */
  get first(): number | null {
    return this.#first;
  }

  /** At least so often, and in such a share. */
  isAtLeast(count: number, share: number): boolean {
    return this.count >= count && this.count >= share * this.of;
  }
}

/** So many remainders of whole seconds show that times are not told in these. */
const REMAINDERS = 4;

/** Whether times are told more finely than in whole seconds. */
export class Fineness {
  readonly #remainders = new Set<number>();

  see(ms: number): void {
    if (!this.isFine) this.#remainders.add(ms % 1_000);
  }

  get isFine(): boolean {
    return this.#remainders.size >= REMAINDERS;
  }
}
