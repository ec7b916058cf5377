/**
 * Deadlines in the order in which they strike: by instant, then by the order they were set in.
 * A binary heap whose entries know their place, so that setting and dropping one are O(log n) and what is
 * dropped leaves no trace: a service that ran a million jobs holds no million dead 24-hour timers.
 */
export interface Deadline {
  readonly atMs: number;
  readonly seq: number;
  /** What happens; told the deadline's own instant. */
  readonly fire: (atMs: number) => void;
  /** Place in the heap; -1 when it has struck or was dropped. */
  index: number;
}

export interface Deadlines {
  set(atMs: number, strike: (atMs: number) => void): Deadline;
  drop(deadline: Deadline | null): void;
  /** Takes out the earliest deadline that is due, or null. */
  takeDue(nowMs: number): Deadline | null;
  nextMs(): number | null;
}

export function createDeadlines(): Deadlines {
  const heap: Deadline[] = [];
  let seq = 0;

  const before = (a: Deadline, b: Deadline): boolean =>
    a.atMs < b.atMs || (a.atMs === b.atMs && a.seq < b.seq);

  const place = (deadline: Deadline, index: number): void => {
    heap[index] = deadline;
    deadline.index = index;
  };

  function rise(deadline: Deadline, from: number): void {
    let index = from;
    while (index > 0) {
      const above = (index - 1) >> 1;
      if (!before(deadline, heap[above]!)) break;
      place(heap[above]!, index);
      index = above;
    }
    place(deadline, index);
  }

  function sink(deadline: Deadline, from: number): void {
    let index = from;
    for (;;) {
      let below = 2 * index + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && before(heap[below + 1]!, heap[below]!)) below++;
      if (!before(heap[below]!, deadline)) break;
      place(heap[below]!, index);
      index = below;
    }
    place(deadline, index);
  }

  function takeOut(deadline: Deadline): void {
    const hole = deadline.index;
    const last = heap.pop()!;
    deadline.index = -1;
    if (last === deadline) return;
    if (hole > 0 && before(last, heap[(hole - 1) >> 1]!)) rise(last, hole);
    else sink(last, hole);
  }

  return {
    set(atMs, strike) {
      const deadline: Deadline = { atMs, seq: seq++, fire: strike, index: heap.length };
      heap.push(deadline);
      rise(deadline, heap.length - 1);
      return deadline;
    },
    drop(deadline) {
      if (deadline !== null && deadline.index >= 0) takeOut(deadline);
    },
    takeDue(nowMs) {
      const first = heap[0];
      if (first === undefined || first.atMs > nowMs) return null;
      takeOut(first);
      return first;
    },
    nextMs: () => heap[0]?.atMs ?? null,
  };
}
