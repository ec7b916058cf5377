/**
 * The timers of the service, in the order in which they fire: by instant, then by the order they were set in.
 */
import { firesBefore, TimedHeap } from '../util/timed-heap.js';
import { IN_LINE, TimedLine, type LinedEntry } from '../util/timed-line.js';
import type { Delivery, Endpoint, Job, WaitingCall } from './entities.js';
import type { ServiceState } from './state.js';
import type { Worker } from './workers/worker-pool.js';

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

/** What happens; called with the instant at which it happens, which is that of the deadline or later. */
export type Fire<K extends DeadlineKind> = (
  atMs: number,
  state: ServiceState,
  about: DeadlineSubjects[K],
) => void;

export interface Deadline extends LinedEntry<Deadline> {
  readonly kind: DeadlineKind;
  readonly about: DeadlineSubjects[DeadlineKind];
  readonly fire: Fire<never>;
}

/** Whether the deadline is still to come: it has not fired, and was not dropped. */
export const isSet = (deadline: Deadline | null): deadline is Deadline =>
  deadline !== null && deadline.index !== -1;

export class Deadlines {
  readonly #heap = new TimedHeap<Deadline>();
  /**
   * Of these most jobs have one each, mostly of the same duration: they are set in the order in which they fire. In the
   * heap alone, the benchmark row of jobs as values takes 1.13 times the CPU time.
   */
  readonly #ttls = new TimedLine<Deadline>();
  readonly #timeouts = new TimedLine<Deadline>();
  readonly #retentions = new TimedLine<Deadline>();
  readonly #allLines = [this.#ttls, this.#timeouts, this.#retentions];
  #seq = 0;

  set<K extends DeadlineKind>(kind: K, about: DeadlineSubjects[K], atMs: number, fire: Fire<K>): Deadline {
    const seq = this.#seq++;
    const fires = fire as Fire<never>;
    // Two literals: V8 makes the objects of one at once among those that live long where most of them do, as timers of
    // retention do. With one for all, the benchmark row of jobs as values takes 1.1 times the CPU time.
    const deadline: Deadline =
      kind === 'retention'
        ? { atMs, priority: 0, seq, kind, about, fire: fires, index: -1, before: null, after: null }
        : { atMs, priority: 0, seq, kind, about, fire: fires, index: -1, before: null, after: null };
    if (this.#lineOf(kind)?.add(deadline) !== true) this.#heap.add(deadline);
    return deadline;
  }

  #lineOf(kind: DeadlineKind): TimedLine<Deadline> | null {
    switch (kind) {
      case 'ttl':
        return this.#ttls;
      case 'execution-timeout':
        return this.#timeouts;
      case 'retention':
        return this.#retentions;
      default:
        return null;
    }
  }

  /** Does nothing for null, and for a deadline that has fired or was dropped before. */
  drop(deadline: Deadline | null): void {
    if (deadline === null) return;
    if (deadline.index === IN_LINE) this.#lineOf(deadline.kind)!.remove(deadline);
    else this.#heap.remove(deadline);
  }

  /** Takes out the earliest deadline that is due at `nowMs`; null when none is. */
  takeDue(nowMs: number): Deadline | null {
    const first = this.#first();
    if (first === null || first.atMs > nowMs) return null;
    this.drop(first);
    return first;
  }

  /** The earliest deadlines, in order. */
  next(count: number): readonly Deadline[] {
    const found = [...this.#heap.firstOf(count), ...this.#allLines.flatMap((line) => line.firstOf(count))];
    return found.sort((a, b) => (firesBefore(a, b) ? -1 : 1)).slice(0, count);
  }

  nextMs(): number | null {
    return this.#first()?.atMs ?? null;
  }

  #first(): Deadline | null {
    let first = this.#heap.first ?? null;
    for (const line of this.#allLines)
      if (line.first !== null && (first === null || firesBefore(line.first, first))) first = line.first;
    return first;
  }
}
