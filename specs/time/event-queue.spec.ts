import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEventQueue } from '../../src/time/event-queue.js';
import type { EventHandle } from '../../src/time/event-queue.js';

/** The simplest implementation: a list that is sorted at each read. */
class NaiveQueue {
  private entries: { atMs: number; priority: number; seq: number; value: number }[] = [];
  private seq = 0;

  schedule(atMs: number, priority: number, value: number): number {
    this.entries.push({ atMs, priority, seq: this.seq, value });
    return this.seq++;
  }

  cancel(seq: number): boolean {
    const kept = this.entries.filter((entry) => entry.seq !== seq);
    const found = kept.length < this.entries.length;
    this.entries = kept;
    return found;
  }

  pop(): number | undefined {
    this.entries.sort((a, b) => a.atMs - b.atMs || a.priority - b.priority || a.seq - b.seq);
    return this.entries.shift()?.value;
  }

  clear(): void {
    this.entries = [];
  }

  get size(): number {
    return this.entries.length;
  }
}

type Command =
  | { readonly do: 'schedule'; readonly atMs: number; readonly priority: number }
  | { readonly do: 'cancel'; readonly which: number }
  | { readonly do: 'pop' }
  | { readonly do: 'clear' };

const command: fc.Arbitrary<Command> = fc.oneof(
  // Few instants and priorities, so that ties are common.
  { weight: 6, arbitrary: fc.record({ do: fc.constant('schedule'), atMs: fc.nat(8), priority: fc.nat(2) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('cancel'), which: fc.nat(200) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pop') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('clear') }) },
);

describe('event queue', () => {
  it('does what a sorted list does, whatever is scheduled, cancelled and taken', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 200 }), (commands) => {
        const queue = createEventQueue<number>();
        const naive = new NaiveQueue();
        const handles: { readonly real: EventHandle; readonly naive: number }[] = [];
        for (const [index, step] of commands.entries()) {
          if (step.do === 'schedule') {
            const { atMs, priority } = step;
            handles.push({
              real: queue.schedule(atMs, priority, index),
              naive: naive.schedule(atMs, priority, index),
            });
          } else if (step.do === 'cancel') {
            const handle = handles[step.which % Math.max(1, handles.length)];
            if (handle) expect(queue.cancel(handle.real)).toBe(naive.cancel(handle.naive));
          } else if (step.do === 'pop') {
            expect(queue.pop()?.value).toBe(naive.pop());
          } else {
            queue.clear();
            naive.clear();
          }
          expect(queue.size).toBe(naive.size);
        }
        while (naive.size > 0) expect(queue.pop()?.value).toBe(naive.pop());
        expect(queue.pop()).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  it('orders by time, then priority, then order of scheduling', () => {
    const queue = createEventQueue<string>();
    queue.schedule(2, 0, 'later');
    queue.schedule(1, 1, 'second priority');
    queue.schedule(1, 0, 'first');
    queue.schedule(1, 0, 'second');
    expect(queue.nextAtMs()).toBe(1);
    expect([queue.pop(), queue.pop(), queue.pop(), queue.pop()].map((event) => event?.value)).toEqual([
      'first',
      'second',
      'second priority',
      'later',
    ]);
    expect(queue.nextAtMs()).toBeNull();
  });

  it('does not cancel another event with the handle of one that has happened', () => {
    const queue = createEventQueue<string>();
    const old = queue.schedule(1, 0, 'old');
    queue.pop();
    queue.schedule(1, 0, 'new');
    expect(queue.cancel(old)).toBe(false);
    expect(queue.pop()?.value).toBe('new');
  });

  it.each([0.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses %s as an instant', (atMs) => {
    expect(() => createEventQueue().schedule(atMs, 0, null)).toThrow(RangeError);
  });
});
