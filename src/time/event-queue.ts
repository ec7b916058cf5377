/** A queue of events to come, ordered by time, then by priority, then by the order of scheduling. */
import { TimedHeap, type TimedEntry } from '../util/timed-heap.js';

/** A scheduled event, as `cancel` takes it. */
export type EventHandle = TimedEntry;

interface QueuedEvent<T> {
  readonly atMs: number;
  readonly priority: number;
  readonly value: T;
}

export interface EventQueue<T> {
  readonly size: number;
  /**
   * @param atMs an integer
   * @param priority ranks the events of one instant, lower first; those of one priority keep the order of
   * scheduling
   * @throws {RangeError} when `atMs` is no safe integer
   */
  schedule(atMs: number, priority: number, value: T): EventHandle;
  /** False when the event has happened or was cancelled before. */
  cancel(handle: EventHandle): boolean;
  nextAtMs(): number | null;
  /** The first events, in order, at most `count`. */
  first(count: number): readonly QueuedEvent<T>[];
  /** Takes the first event out; undefined when there is none. */
  pop(): QueuedEvent<T> | undefined;
  /** Cancels all events. */
  clear(): void;
}

interface Entry<T> extends TimedEntry, QueuedEvent<T> {
  readonly atMs: number;
  readonly priority: number;
}

export function createEventQueue<T>(): EventQueue<T> {
  const heap = new TimedHeap<Entry<T>>();
  let nextSeq = 0;
  return {
    get size() {
      return heap.size;
    },
    schedule(atMs, priority, value) {
      if (!Number.isSafeInteger(atMs))
        throw new RangeError(`an event needs integer milliseconds, not ${atMs}`);
      const entry: Entry<T> = { atMs, priority, seq: nextSeq++, index: -1, value };
      heap.add(entry);
      return entry;
    },
    cancel: (handle) => heap.remove(handle as Entry<T>),
    nextAtMs: () => heap.first?.atMs ?? null,
    first: (count) => heap.firstOf(count),
    pop() {
      const { first } = heap;
      if (first !== undefined) heap.remove(first);
      return first;
    },
    clear: () => heap.clear(),
  };
}
