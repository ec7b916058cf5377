/**
 * A queue of things to come, ordered by `(atMs, lane, seq)`: a 4-ary heap of slots. Four children keep the
 * heap shallow, and the keys stand in arrays of their own, so that comparing touches no object.
 */

/** Names a scheduled event. It stays unique after the event is gone: cancelling twice is harmless. */
export type EventHandle = number;

interface QueuedEvent<T> {
  readonly atMs: number;
  readonly priority: number;
  readonly value: T;
}

export interface EventQueue<T> {
  readonly size: number;
  /** `lane` ranks what falls on the same instant, lower first; within a lane the order of scheduling rules. */
  schedule(atMs: number, priority: number, value: T): EventHandle;
  /** False when the event has happened or was cancelled before. */
  cancel(handle: EventHandle): boolean;
  nextAtMs(): number | null;
  /** Takes the first event out, or undefined when there is none. */
  pop(): QueuedEvent<T> | undefined;
  /** Cancels everything. */
  clear(): void;
}

/** Slots that a handle can tell apart; the generation of the slot stands above them. */
const SLOTS_MAX = 2 ** 24;
const ARITY = 4;

export function createEventQueue<T>(): EventQueue<T> {
  return new HeapQueue<T>();
}

class HeapQueue<T> implements EventQueue<T> {
  private readonly atMs: number[] = [];
  private readonly priority: number[] = [];
  private readonly seq: number[] = [];
  private readonly values: (T | undefined)[] = [];
  private readonly generation: number[] = [];
  /** Where a slot stands in the heap. */
  private readonly place: number[] = [];
  private readonly heap: number[] = [];
  private readonly freeSlots: number[] = [];
  private nextSeq = 0;

  get size(): number {
    return this.heap.length;
  }

  schedule(atMs: number, priority: number, value: T): EventHandle {
    if (!Number.isSafeInteger(atMs)) throw new RangeError(`an event needs integer milliseconds, not ${atMs}`);
    const slot = this.freeSlots.pop() ?? this.newSlot();
    this.atMs[slot] = atMs;
    this.priority[slot] = priority;
    this.seq[slot] = this.nextSeq++;
    this.values[slot] = value;
    this.heap.push(slot);
    this.rise(this.heap.length - 1, slot);
    return this.generation[slot]! * SLOTS_MAX + slot;
  }

  cancel(handle: EventHandle): boolean {
    const slot = handle % SLOTS_MAX;
    if (this.generation[slot] !== (handle - slot) / SLOTS_MAX) return false;
    this.removeAt(this.place[slot]!);
    this.release(slot);
    return true;
  }

  nextAtMs(): number | null {
    return this.heap.length === 0 ? null : this.atMs[this.heap[0]!]!;
  }

  pop(): QueuedEvent<T> | undefined {
    const slot = this.heap[0];
    if (slot === undefined) return undefined;
    const event = { atMs: this.atMs[slot]!, priority: this.priority[slot]!, value: this.values[slot] as T };
    this.removeAt(0);
    this.release(slot);
    return event;
  }

  clear(): void {
    for (const slot of this.heap) this.release(slot);
    this.heap.length = 0;
  }

  private newSlot(): number {
    const slot = this.generation.length;
    if (slot === SLOTS_MAX) throw new RangeError(`more than ${SLOTS_MAX} events are waiting`);
    this.generation.push(0);
    return slot;
  }

  private release(slot: number): void {
    this.values[slot] = undefined;
    this.generation[slot]!++;
    this.freeSlots.push(slot);
  }

  private removeAt(index: number): void {
    const last = this.heap.pop()!;
    if (index === this.heap.length) return;
    // The last one fills the gap; it may belong above or below it.
    this.rise(index, last);
    if (this.place[last] === index) this.sink(index, last);
  }

  private rise(index: number, slot: number): void {
    while (index > 0) {
      const parent = (index - 1) >> 2;
      const above = this.heap[parent]!;
      if (!this.before(slot, above)) break;
      this.put(index, above);
      index = parent;
    }
    this.put(index, slot);
  }

  private sink(index: number, slot: number): void {
    const size = this.heap.length;
    for (;;) {
      const first = index * ARITY + 1;
      if (first >= size) break;
      let least = first;
      const end = Math.min(first + ARITY, size);
      for (let child = first + 1; child < end; child++) {
        if (this.before(this.heap[child]!, this.heap[least]!)) least = child;
      }
      if (!this.before(this.heap[least]!, slot)) break;
      this.put(index, this.heap[least]!);
      index = least;
    }
    this.put(index, slot);
  }

  private put(index: number, slot: number): void {
    this.heap[index] = slot;
    this.place[slot] = index;
  }

  private before(a: number, b: number): boolean {
    const byTime = this.atMs[a]! - this.atMs[b]!;
    if (byTime !== 0) return byTime < 0;
    const byLane = this.priority[a]! - this.priority[b]!;
    if (byLane !== 0) return byLane < 0;
    return this.seq[a]! < this.seq[b]!;
  }
}
