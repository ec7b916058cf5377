/**
 * Puts the begins and ends of recorded exchanges into one order. A recording lists exchanges by their begin or by their
 * end, and several recorders write side by side: each is held until nothing earlier can follow.
 */
import { TimedHeap } from '../util/timed-heap.js';
import type { Exchange } from '../history/exchange.js';

/** An exchange may be listed so much later than one that began after it: `/runsync` waits for five minutes. */
export const LISTED_LATE_MS = 20 * 60_000;

/** One side of an exchange. */
export interface Edge {
  readonly exchange: Exchange;
  readonly isEnd: boolean;
  readonly atMs: number;
  /** Of one instant, begins come first: that one call ended before another began is said only where it is certain. */
  readonly priority: number;
  readonly seq: number;
  index: number;
}

export class InOrder {
  readonly #waiting = new TimedHeap<Edge>();
  readonly #lateMs: number;
  #latestMs = -Infinity;
  #seq = 0;

  /** @param lateMs so much later an exchange may be listed than one that began after it */
  constructor(lateMs: number) {
    this.#lateMs = lateMs;
  }

  add(exchange: Exchange): void {
    const { fromMs, byMs } = exchange;
    this.#latestMs = Math.max(this.#latestMs, fromMs);
    this.#put(exchange, false, fromMs);
    if (byMs !== null) this.#put(exchange, true, byMs);
  }

  /** What nothing can precede any more. */
  *ready(): Generator<Edge> {
    yield* this.#until(this.#latestMs - this.#lateMs);
  }

  /** All that is left. */
  *rest(): Generator<Edge> {
    yield* this.#until(Infinity);
  }

  *#until(ms: number): Generator<Edge> {
    for (;;) {
      const { first } = this.#waiting;
      if (first === undefined || first.atMs >= ms) return;
      this.#waiting.remove(first);
      yield first;
    }
  }

  #put(exchange: Exchange, isEnd: boolean, atMs: number): void {
    const priority = isEnd ? 1 : 0;
    this.#waiting.add({ exchange, isEnd, atMs, priority, seq: this.#seq, index: -1 });
    this.#seq += 1;
  }
}
