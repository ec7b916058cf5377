import { syncBuiltinESMExports } from 'node:module';
import type { FakeMethod, install } from '@sinonjs/fake-timers';
import { TargetError } from '../errors.js';

/** A plausible date, so that an implementation that takes 0 for "never" is not misled by its clock. */
const EPOCH_MS = Date.UTC(2025, 0, 1);
/** Not `setImmediate`, `nextTick` and `queueMicrotask`: sockets and promises go on while time stands still. */
const TO_FAKE: FakeMethod[] = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'Date',
  'hrtime',
  'performance',
];

/** As they were before any installation. */
const realSetImmediate = globalThis.setImmediate;
const realPerformanceNow = performance.now.bind(performance);
const realSetInterval = globalThis.setInterval;
const realClearInterval = globalThis.clearInterval;

/** What the event loop has ready is done, sockets included; no time of the fake clock passes. */
export function realTurn(): Promise<void> {
  return new Promise((resolve) => {
    realSetImmediate(resolve);
  });
}

/** Promises that can go on have gone on. Cheaper than a turn of the event loop. */
export function drainPromises(): Promise<void> {
  return new Promise((resolve) => {
    process.nextTick(resolve);
  });
}

/** Milliseconds of real time, for waits that do not depend on the fake clock. */
export function realNowMs(): number {
  return realPerformanceNow();
}

/** Calls back each time that so many ms of real time have passed; it keeps no process alive. `refresh` begins the pause anew. */
export function realEvery(ms: number, callback: () => void): { refresh(): unknown; stop(): void } {
  const timer = realSetInterval(callback, ms).unref();
  return { refresh: () => timer.refresh(), stop: () => realClearInterval(timer) };
}

/** What fake-timers keeps and does not tell: the timer that is due next. */
interface TimerHeap {
  readonly timerHeap?: { peek(): { readonly callAt: number } | undefined };
}

/**
 * The time of this process while a handler is under test: its timers, `Date`, `performance.now`,
 * `process.hrtime` and `AbortSignal.timeout` stand still until they are moved. One at a time per process.
 */
export class FakeTime {
  readonly #clock: ReturnType<typeof install>;
  readonly #abortTimeout = AbortSignal.timeout;

  /**
   * @param timers the package `@sinonjs/fake-timers`, which only runs of handlers load
   * @param atMs the run's time at which it begins, so that a clock of its own per script never goes back
   * @throws {TargetError} when the timers are already faked
   */
  constructor(timers: { readonly install: typeof install }, atMs: number) {
    if ((Date as { isFake?: boolean }).isFake === true) {
      throw new TargetError(
        'configuration',
        'The timers of this process are faked already',
        'Bring the real ones back before the run (vi.useRealTimers)',
      );
    }
    this.#clock = timers.install({ now: EPOCH_MS + atMs, toFake: [...TO_FAKE] });
    const { setInterval } = this.#clock;
    // Node takes an interval below 1 ms for 1 ms; an interval of 0 would never let the clock go on.
    const atLeastOne = ((callback: () => void, ms: number, ...more: unknown[]) =>
      setInterval(callback, ms >= 1 ? ms : 1, ...(more as []))) as typeof setInterval;
    // What stands on the function tells `uninstall` that there was a real one to bring back.
    this.#clock.setInterval = Object.assign(atLeastOne, setInterval);
    AbortSignal.timeout = abortAfter;
    // Named imports from node:timers and node:timers/promises see the change only now.
    syncBuiltinESMExports();
  }

  get nowMs(): number {
    return this.#clock.now - EPOCH_MS;
  }

  /** When the next timer is due, which may be now; null without any. */
  nextAtMs(): number | null {
    const timer = (this.#clock as TimerHeap).timerHeap?.peek();
    return timer === undefined ? null : timer.callAt - EPOCH_MS;
  }

  /** Moves the clock and fires the timers due by then. Nothing asynchronous gets its turn between them. */
  moveTo(atMs: number): void {
    this.#clock.tick(Math.max(0, atMs - this.nowMs));
  }

  uninstall(): void {
    this.#clock.uninstall();
    AbortSignal.timeout = this.#abortTimeout;
    syncBuiltinESMExports();
  }
}

/** As `AbortSignal.timeout`, which knows real time only. */
function abortAfter(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => {
    controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  }, ms);
  return controller.signal;
}
