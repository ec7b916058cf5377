import type { CallEvent } from '../../history/events.js';
import type { Flight } from './carrier.js';
import { plannedMs } from './planned.js';

/** Longer than a cold start of most workers takes. */
const STUCK_AFTER_MS = 20_000;
const TAKEN: readonly unknown[] = ['IN_PROGRESS', 'COMPLETED', 'FAILED', 'TIMED_OUT'];

/** What a script has seen of the workers that its jobs wait for. */
export class WorkersSeen {
  /** Some job was seen to be taken by a worker. */
  hasBegun = false;
  #submittedMs = Infinity;
  /** When a look showed a job in the queue for the last time. */
  #queuedMs = -Infinity;

  see({ op, sentMs, reply }: CallEvent): void {
    const record = reply?.body.as === 'json' ? reply.body.value : null;
    const status = (record as { readonly status?: unknown } | null)?.status;
    if (op === 'run' || op === 'runsync') this.#submittedMs = Math.min(this.#submittedMs, sentMs);
    if (op === 'status' && status === 'IN_QUEUE') this.#queuedMs = sentMs;
    this.hasBegun ||= TAKEN.includes(status);
  }

  /** It has waited for a good while for its jobs, and no worker has taken any of them. `flights`: what is under way. */
  waitsInVain(nowMs: number, flights: Iterable<Flight>): boolean {
    if (this.hasBegun) return false;
    const waits = inVainFromMs(flights).some((fromMs) => fromMs <= nowMs);
    return waits || this.#queuedMs > this.#submittedMs + STUCK_AFTER_MS;
  }

  /** The next instant from which on a call waits for its job in vain, if it is not answered before; null for none. */
  nextInVainMs(nowMs: number, flights: Iterable<Flight>): number | null {
    const coming = this.hasBegun ? [] : inVainFromMs(flights).filter((fromMs) => fromMs >= nowMs);
    return coming.length === 0 ? null : Math.min(...coming);
  }
}

/** Of calls that wait for their jobs: when these should have ended long since. */
function inVainFromMs(flights: Iterable<Flight>): readonly number[] {
  return [...flights].flatMap(({ call, sentMs }) => {
    const planMs = call.op === 'runsync' ? plannedMs(call.bodyText) : null;
    return planMs === null ? [] : [sentMs + planMs + STUCK_AFTER_MS];
  });
}
