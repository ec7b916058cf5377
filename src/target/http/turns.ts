/** A bounded number of turns, which are taken in the order in which they are asked for. */
export class Turns {
  readonly #total: number;
  #free: number;
  readonly #queue: { readonly count: number; readonly begin: () => void }[] = [];

  /** @param total how many turns there are, at least 1 */
  constructor(total: number) {
    this.#total = total;
    this.#free = total;
  }

  /** Resolves when this many turns are free, at most all of them. */
  take(count: number): Promise<void> {
    return new Promise((begin) => {
      this.#queue.push({ count: this.#most(count), begin });
      this.#beginNext();
    });
  }

  giveBack(count: number): void {
    this.#free += this.#most(count);
    this.#beginNext();
  }

  #most(count: number): number {
    return Math.min(count, this.#total);
  }

  #beginNext(): void {
    for (let next = this.#queue[0]; next !== undefined && next.count <= this.#free; next = this.#queue[0]) {
      this.#queue.shift();
      this.#free -= next.count;
      next.begin();
    }
  }
}
