const PAGE_BITS = 6;
const PAGE_SIZE = 2 ** PAGE_BITS;

interface Page<V> {
  readonly number: number;
  readonly values: (V | undefined)[];
  size: number;
}

/**
 * A map for keys that a counter gave: whole numbers from 0 below 2^37, most of them close to others. Values that
 * are close to each other share a page, so that setting, finding and deleting one hashes nothing.
 */
export class NumberedMap<V> {
  readonly #pages = new Map<number, Page<V>>();
  /** The page that was used last: mostly that of the next key, too. */
  #page: Page<V> | undefined;
  /** The page that was added last. It stays when it is empty, as the next keys are mostly its own. */
  #newest: Page<V> | undefined;

  get(key: number): V | undefined {
    return this.#pageOf(key)?.values[key % PAGE_SIZE];
  }

  set(key: number, value: V): void {
    const page = this.#pageOf(key) ?? this.#addPage(Math.floor(key / PAGE_SIZE));
    if (page.values[key % PAGE_SIZE] === undefined) page.size++;
    page.values[key % PAGE_SIZE] = value;
  }

  delete(key: number): void {
    const page = this.#pageOf(key);
    if (page?.values[key % PAGE_SIZE] === undefined) return;
    page.values[key % PAGE_SIZE] = undefined;
    page.size--;
    if (page !== this.#newest) this.#removeIfEmpty(page);
  }

  #pageOf(key: number): Page<V> | undefined {
    const number = Math.floor(key / PAGE_SIZE);
    if (this.#page?.number === number) return this.#page;
    const page = this.#pages.get(number);
    if (page !== undefined) this.#page = page;
    return page;
  }

  #addPage(number: number): Page<V> {
    const page: Page<V> = { number, values: Array.from({ length: PAGE_SIZE }, () => undefined), size: 0 };
    this.#pages.set(number, page);
    if (this.#newest !== undefined) this.#removeIfEmpty(this.#newest);
    this.#newest = this.#page = page;
    return page;
  }

  #removeIfEmpty(page: Page<V>): void {
    if (page.size > 0) return;
    this.#pages.delete(page.number);
    if (this.#page === page) this.#page = undefined;
  }
}
