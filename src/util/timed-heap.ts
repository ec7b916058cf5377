/** What a `TimedHeap` holds: first by `atMs`, then by `priority` (lower first), then by `seq`. */
export interface TimedEntry {
  readonly atMs: number;
  readonly priority: number;
  readonly seq: number;
  /** Position in the heap; -1 when the entry is not in it. Only the heap writes it. */
  index: number;
}

const ARITY = 4;

/**
 * A 4-ary heap of entries in the order of time. Each entry knows its position, so adding and removing any of
 * them take O(log n), and nothing of a removed entry stays: a service that ran a million jobs holds no
 * million dead timers.
 */
export class TimedHeap<E extends TimedEntry> {
  readonly #heap: E[] = [];

  get size(): number {
    return this.#heap.length;
  }

  /** The entry that is due first; undefined when the heap is empty. */
  get first(): E | undefined {
    return this.#heap[0];
  }

  /** The entries that are due first, in order, at most `count`. */
  firstOf(count: number): readonly E[] {
    const found: E[] = [];
    // Entries whose parents were found already; the next one is among them.
    const open = this.#heap.slice(0, 1);
    while (found.length < count && open.length > 0) {
      const entry = open.reduce((least, other) => (firesBefore(other, least) ? other : least));
      open.splice(open.indexOf(entry), 1);
      found.push(entry);
      const firstChild = entry.index * ARITY + 1;
      open.push(...this.#heap.slice(firstChild, firstChild + ARITY));
    }
    return found;
  }

  add(entry: E): void {
    this.#heap.push(entry);
    this.#moveUp(this.#heap.length - 1, entry);
  }

  /** False when the entry is not in the heap. */
  remove(entry: E): boolean {
    const { index } = entry;
    if (index < 0) return false;
    const last = this.#heap.pop()!;
    entry.index = -1;
    if (last === entry) return true;
    // The last one fills the gap; it may belong above or below it.
    this.#moveUp(index, last);
    if (last.index === index) this.#moveDown(index, last);
    return true;
  }

  clear(): void {
    for (const entry of this.#heap) entry.index = -1;
    this.#heap.length = 0;
  }

  #moveUp(from: number, entry: E): void {
    let index = from;
    while (index > 0) {
      const parent = (index - 1) >> 2;
      const above = this.#heap[parent]!;
      if (!firesBefore(entry, above)) break;
      this.#put(index, above);
      index = parent;
    }
    this.#put(index, entry);
  }

  #moveDown(from: number, entry: E): void {
    const size = this.#heap.length;
    let index = from;
    for (;;) {
      const firstChild = index * ARITY + 1;
      if (firstChild >= size) break;
      let least = this.#heap[firstChild]!;
      const end = Math.min(firstChild + ARITY, size);
      for (let child = firstChild + 1; child < end; child++) {
        if (firesBefore(this.#heap[child]!, least)) least = this.#heap[child]!;
      }
      if (!firesBefore(least, entry)) break;
      const free = least.index;
      this.#put(index, least);
      index = free;
    }
    this.#put(index, entry);
  }

  #put(index: number, entry: E): void {
    this.#heap[index] = entry;
    entry.index = index;
  }
}

/** In the order of time; of one instant, by priority, then by the order of setting. */
export function firesBefore(a: TimedEntry, b: TimedEntry): boolean {
  if (a.atMs !== b.atMs) return a.atMs < b.atMs;
  if (a.priority !== b.priority) return a.priority < b.priority;
  return a.seq < b.seq;
}
