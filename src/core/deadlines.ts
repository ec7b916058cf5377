/**
 * The timers of the service, in the order in which they fire: by instant, then by the order they were set in.
 */
import { TimedHeap, type TimedEntry } from '../util/timed-heap.js';

export interface Deadline extends TimedEntry {
  /** What happens; called with the instant at which it happens, which is `atMs` or later. */
  readonly fire: (atMs: number) => void;
}

/** Whether the deadline is still to come: it has not fired, and was not dropped. */
export const isSet = (deadline: Deadline | null): deadline is Deadline =>
  deadline !== null && deadline.index >= 0;

export class Deadlines {
  readonly #heap = new TimedHeap<Deadline>();
  #seq = 0;

  set(atMs: number, fire: (atMs: number) => void): Deadline {
    const deadline: Deadline = { atMs, priority: 0, seq: this.#seq++, index: -1, fire };
    this.#heap.add(deadline);
    return deadline;
  }

  /** Does nothing for null, and for a deadline that has fired or was dropped before. */
  drop(deadline: Deadline | null): void {
    if (deadline !== null) this.#heap.remove(deadline);
  }

  /** Takes out the earliest deadline that is due at `nowMs`; null when none is. */
  takeDue(nowMs: number): Deadline | null {
    const { first } = this.#heap;
    if (first === undefined || first.atMs > nowMs) return null;
    this.#heap.remove(first);
    return first;
  }

  nextMs(): number | null {
    return this.#heap.first?.atMs ?? null;
  }
}
