import type { Interval } from './instants.js';

/** Gaps so near to each other are one, ms. */
const ONE_MS = 1_000;

/** When calls were made that a recording does not have: any of them may have changed the jobs that were there then. */
export class Gaps {
  #gaps: readonly Interval[];

  constructor(gaps: readonly Interval[] = []) {
    this.#gaps = gaps;
  }

  /** Later than the others, or the last of them once more: what is not over yet lasts until Infinity. */
  add({ fromMs, byMs }: Interval): void {
    const last = this.#gaps.at(-1);
    const isSame = last !== undefined && fromMs <= last.byMs + ONE_MS;
    const before = isSame ? this.#gaps.slice(0, -1) : this.#gaps;
    this.#gaps = [...before, { fromMs: isSame ? Math.min(last.fromMs, fromMs) : fromMs, byMs }];
  }

  /** What was over by then is not asked for any more. */
  forget(ms: number): void {
    if ((this.#gaps[0]?.byMs ?? Infinity) < ms) this.#gaps = this.#gaps.filter(({ byMs }) => byMs >= ms);
  }

  meet(life: Interval): boolean {
    return this.#gaps.some(({ fromMs, byMs }) => fromMs <= life.byMs && byMs >= life.fromMs);
  }
}
