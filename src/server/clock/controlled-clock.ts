import { createVirtualClock } from '../../time/clock.js';
import type { Clock } from '../../time/clock.js';
import type { Host } from '../host.js';

/** Time that stands still until it is advanced (contract `test-control`, rules 1 to 5). */
export interface ControlledClock {
  nowMs(): number;
  /** The earliest instant at which anything can happen without a call; null when nothing can. */
  nextEventAtMs(): number | null;
  /**
   * Handles all events due until then, each at its own instant, and resolves with the new time. Calls are
   * handled one after the other; a sum beyond 2^53 − 1 is rejected.
   */
  advance(byMs: number): Promise<number>;
  /**
   * Handles due events, instant by instant, until `isDone`. Resolves with false when nothing is due before, or
   * after very many instants.
   * @param ready awaited before each instant
   */
  advanceUntil(isDone: () => boolean, ready?: () => Promise<void>): Promise<boolean>;
}

/** Instants handled before pending I/O gets a turn. */
const INSTANTS_PER_TURN = 200;
/** So that endless repetition, such as a worker that stops and starts, ends. */
const INSTANTS_UNTIL_MAX = 100_000;

/**
 * @param createHost creates the host that uses this clock
 * @param startMs the initial time
 */
export function createControlledClock(
  createHost: (clock: Clock) => Host,
  startMs = 0,
): {
  readonly host: Host;
  readonly control: ControlledClock;
} {
  const clock = createVirtualClock(startMs);
  const host = createHost(clock);
  let last: Promise<unknown> = Promise.resolve();

  async function advance(byMs: number): Promise<number> {
    const targetMs = clock.nowMs() + byMs;
    if (!Number.isSafeInteger(targetMs)) throw new RangeError('the clock would pass 2^53 − 1 ms');
    // Work in progress belongs to the present instant and ends before the first step.
    await host.settled();
    for (let instants = 1; ; instants++) {
      const dueMs = host.nextDueMs();
      if (dueMs === null || dueMs > targetMs) break;
      await handleInstant(dueMs, instants);
    }
    clock.advanceTo(targetMs);
    host.catchUp();
    return targetMs;
  }

  async function handleInstant(dueMs: number, instants: number): Promise<void> {
    clock.advanceTo(Math.max(dueMs, clock.nowMs()));
    host.catchUp();
    if (host.isBusy()) await host.settled();
    else if (instants % INSTANTS_PER_TURN === 0) await new Promise((resolve) => setImmediate(resolve));
  }

  async function advanceUntil(isDone: () => boolean, ready?: () => Promise<void>): Promise<boolean> {
    await host.settled();
    for (let instants = 1; ; instants++) {
      await ready?.();
      if (isDone()) return true;
      const dueMs = host.nextDueMs();
      if (dueMs === null || instants > INSTANTS_UNTIL_MAX) return false;
      await handleInstant(dueMs, instants);
    }
  }

  /** One after the other. */
  function inTurn<T>(does: () => Promise<T>): Promise<T> {
    const done = last.then(does);
    last = done.catch(() => undefined);
    return done;
  }

  return {
    host,
    control: {
      nowMs: () => clock.nowMs(),
      nextEventAtMs: () => (host.isBusy() ? clock.nowMs() : host.nextDueMs()),
      advance: (byMs) => inTurn(() => advance(byMs)),
      advanceUntil: (isDone, ready) => inTurn(() => advanceUntil(isDone, ready)),
    },
  };
}
