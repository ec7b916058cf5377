import type { InFlightRequest } from '../session/http-client.js';
import { dueInstant, wayMs } from '../session/in-flight.js';

/** How long to ask the clock again where nothing is to happen, though calls are under way; and for what a large body takes. */
const QUIET_MS = 400;
const LARGE_BODY_MS = 2_000;

/**
 * Which calls the clock of the target shows: the end of a `wait` is an event. Until it is shown, the call may not have
 * been taken in, although it counts as arrived: a large body takes time to read.
 */
export class ShownCalls {
  /** Calls that the clock never showed; they are not waited for again. */
  readonly #overlooked = new WeakSet<InFlightRequest>();

  /** How long to ask the clock again before it is moved, in real ms; 0 where it shows every call. */
  patienceMs(requests: Iterable<InFlightRequest>, nowMs: number, nextMs: number | null): number {
    const calls = this.#notShown(requests, nowMs, nextMs).map(({ call }) => call);
    if (nextMs !== null && calls.length === 0) return 0;
    return QUIET_MS + (calls.length === 0 ? 0 : Math.min(LARGE_BODY_MS, wayMs(calls)));
  }

  /** The clock was asked for long enough. */
  giveUp(requests: Iterable<InFlightRequest>, nowMs: number, nextMs: number | null): void {
    for (const request of this.#notShown(requests, nowMs, nextMs)) this.#overlooked.add(request);
  }

  #notShown(
    requests: Iterable<InFlightRequest>,
    nowMs: number,
    nextMs: number | null,
  ): readonly InFlightRequest[] {
    return [...requests].filter((request) => {
      const dueMs = dueInstant(request);
      const isShown = nextMs !== null && nextMs <= dueMs;
      return request.call.mayWait && nowMs < dueMs && !isShown && !this.#overlooked.has(request);
    });
  }
}
