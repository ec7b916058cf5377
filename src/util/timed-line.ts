import type { TimedEntry } from './timed-heap.js';

/** The `index` of an entry that is in a line and not in a heap. */
export const IN_LINE = -2;

/** What a `TimedLine` holds. */
export interface LinedEntry<E> extends TimedEntry {
  /** Its neighbours in the line; `index` is `IN_LINE` there. Only the line writes them. */
  before: E | null;
  after: E | null;
}

/**
 * Entries that were added in the order of time, as timers of one duration are: a doubly linked list, in which adding
 * and removing any of them take O(1).
 */
export class TimedLine<E extends LinedEntry<E>> {
  /** The entry that is due first. Only the line writes it. */
  first: E | null = null;
  #last: E | null = null;

  /** False, and nothing is added, where it is due before the last one. @param entry newer than all in the line */
  add(entry: E): boolean {
    const last = this.#last;
    if (last !== null && entry.atMs < last.atMs) return false;
    entry.index = IN_LINE;
    entry.before = last;
    if (last === null) this.first = entry;
    else last.after = entry;
    this.#last = entry;
    return true;
  }

  /** @param entry of this line */
  remove(entry: E): void {
    const { before, after } = entry;
    if (before === null) this.first = after;
    else before.after = after;
    if (after === null) this.#last = before;
    else after.before = before;
    entry.before = entry.after = null;
    entry.index = -1;
  }

  /** The entries that are due first, in order, at most `count`. */
  firstOf(count: number): readonly E[] {
    const found: E[] = [];
    for (let next = this.first; next !== null && found.length < count; next = next.after) found.push(next);
    return found;
  }
}
