import type { CallEvent } from '../../history/events.js';
import type { OutgoingCall } from '../../runner/api.js';
import { ENDED_STATUSES, STARTED_STATUSES } from '../../spec/states.js';
import { expectedWaitMs, type InFlightRequest } from './http-client.js';
import { hasNoWorkers, onItsClock, type Latency } from '../../schedule/latency.js';
import { STUCK_AFTER_MS, StuckJobs } from './stuck-jobs.js';
import { plannedMs } from '../../scenario/planned-work.js';

/** How long a call is left open where it is known beforehand that no worker takes its job, real ms. */
const IDLE_MS = 5_000;
/** How long a job without a known plan may run, in real ms. */
const UNKNOWN_PLAN_MS = 20_000;
const TAKEN: readonly unknown[] = STARTED_STATUSES;
const ENDED: readonly unknown[] = ENDED_STATUSES.filter((status) => status !== 'CANCELLED');

/** What a script has seen of the workers that its jobs wait for. */
export class ObservedWorkers {
  /** Some job was seen to be taken by a worker. */
  hasJobStarted = false;
  /** Some job was seen to have ended. */
  hasJobEnded = false;
  readonly stuckJobs: StuckJobs;
  readonly #latency: Latency;
  readonly #maxWaitMs: number;
  #submittedMs = Infinity;
  /** When a look showed a job in the queue for the last time. */
  #queuedMs = -Infinity;

  constructor({ latency, maxWaitMs }: { readonly latency: Latency; readonly maxWaitMs: number }) {
    this.#latency = latency;
    this.stuckJobs = new StuckJobs(this.#onItsClock(STUCK_AFTER_MS));
    this.#maxWaitMs = maxWaitMs;
  }

  see({ op, sentMs, reply }: CallEvent): void {
    const record = reply?.body.as === 'json' ? reply.body.value : null;
    const { id, status } = (record ?? {}) as { readonly id?: unknown; readonly status?: unknown };
    if (op === 'run' || op === 'runsync') this.#submittedMs = Math.min(this.#submittedMs, sentMs);
    if (op === 'status' && status === 'IN_QUEUE') this.#queuedMs = sentMs;
    this.hasJobStarted ||= TAKEN.includes(status);
    this.hasJobEnded ||= ENDED.includes(status);
    if (op === 'status') this.stuckJobs.seen(id, status, sentMs);
  }

  /** It has waited for a good while for its jobs, and no worker has taken any of them. `requests`: what is under way. */
  isStarved(nowMs: number, requests: Iterable<InFlightRequest>): boolean {
    if (this.hasJobStarted) return false;
    const waits = [...requests].some((request) => this.inVainFromMs(request) <= nowMs);
    return waits || this.#queuedMs > this.#submittedMs + this.#onItsClock(STUCK_AFTER_MS);
  }

  /** When the job that a call waits for should have ended long since; Infinity for never. */
  inVainFromMs({ call, sentMs }: InFlightRequest): number {
    if (call.op !== 'runsync' || this.hasJobStarted) return Infinity;
    const planMs = plannedMs(call.bodyText) ?? this.#onItsClock(UNKNOWN_PLAN_MS);
    const inVainMs = hasNoWorkers(this.#latency)
      ? this.#onItsClock(IDLE_MS)
      : planMs + this.#onItsClock(STUCK_AFTER_MS);
    return sentMs + inVainMs;
  }

  #onItsClock(realMs: number): number {
    return onItsClock(this.#latency, realMs);
  }

  /** When a call is given up that may wait for longer than any script of the run does; Infinity for never. */
  tooLongFromMs({ call, sentMs, result }: InFlightRequest): number {
    return result === null && expectedWaitMs(call) > this.#maxWaitMs ? sentMs + this.#maxWaitMs : Infinity;
  }
}

/** Where there are no workers: when a call is given up that may wait for too long; null for never. */
export function idleWaitMs(call: OutgoingCall, latency: Latency): number | null {
  const isTooLong = call.op === 'runsync' && expectedWaitMs(call) > (latency.maxWaitMs ?? Infinity);
  return hasNoWorkers(latency) && isTooLong ? onItsClock(latency, IDLE_MS) : null;
}
