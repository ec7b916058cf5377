/**
 * The timers of the service, in the order in which they fire: by instant, then by the order they were set in.
 */
import { TimedHeap, type TimedEntry } from '../util/timed-heap.js';
import type { Delivery, Endpoint, Job, WaitingCall } from './entities.js';
import type { Worker } from './worker-pool.js';

/** The kinds of deadlines, each with what it is about. */
export interface DeadlineSubjects {
  readonly ttl: Job;
  readonly 'execution-timeout': Job;
  readonly retention: Job;
  /** The wait of a call for its job ends. */
  readonly wait: WaitingCall;
  /** The next attempt of a webhook. */
  readonly webhook: Delivery;
  /** Waiting jobs are assigned to workers. */
  readonly dispatch: Endpoint;
  /** The scaler counts the job as waiting for too long. */
  readonly scale: Job;
  /** The job counts as lost with its worker. */
  readonly 'worker-loss': Job;
  readonly 'cold-start': Worker;
  readonly 'idle-stop': Worker;
  readonly restart: Worker;
  readonly heartbeat: Worker;
}

export type DeadlineKind = keyof DeadlineSubjects;

export interface Deadline extends TimedEntry {
  readonly kind: DeadlineKind;
  readonly about: DeadlineSubjects[DeadlineKind];
  /** What happens; called with the instant at which it happens, which is `atMs` or later. */
  readonly fire: (atMs: number) => void;
}

/** Whether the deadline is still to come: it has not fired, and was not dropped. */
export const isSet = (deadline: Deadline | null): deadline is Deadline =>
  deadline !== null && deadline.index >= 0;

export class Deadlines {
  readonly #heap = new TimedHeap<Deadline>();
  #seq = 0;

  set<K extends DeadlineKind>(
    kind: K,
    about: DeadlineSubjects[K],
    atMs: number,
    fire: (atMs: number) => void,
  ): Deadline {
    const deadline: Deadline = { atMs, priority: 0, seq: this.#seq++, index: -1, kind, about, fire };
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

  /** The earliest deadlines, in order. */
  next(count: number): readonly Deadline[] {
    return this.#heap.firstOf(count);
  }

  nextMs(): number | null {
    return this.#heap.first?.atMs ?? null;
  }
}
