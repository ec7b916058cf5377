import type { ArrivalTime } from '../../session/webhook-receiver.js';
import { ControlError, type ClockCalls } from '../control.js';

/** How often the target is asked to advance the clock to an instant. */
const TRIES = 3;

/** A controlled clock. All times are in ms since the start of the run, or of the script that it belongs to. */
export class RunClock {
  readonly #control: ClockCalls;
  /** The target's time at the start of the run. */
  #zeroMs = 0;
  #nowMs = 0;
  /** While an advance is in progress: where it goes, and whether everything it causes happens just there. */
  #arrival: ArrivalTime = { earliestMs: 0, latestMs: 0 };
  /** The next event, as the last advance told it; undefined where it did not, and once a call was made since. */
  #nextMs: number | null | undefined;
  constructor(control: ClockCalls) {
    this.#control = control;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** When something that arrives now has arrived. */
  get arrival(): ArrivalTime {
    return this.#arrival;
  }

  /** Makes the present instant the zero of its time. */
  async start(): Promise<void> {
    this.#zeroMs = (await this.#control.clock()).nowMs;
    this.#setNow(0);
  }

  /** Resolves with the answer to a call that is sent now: what was under way to here before has arrived by then. */
  async echo(): Promise<void> {
    await this.#control.clock();
  }

  /** The earliest instant at which something may happen by itself, which may be early; null when nothing can. */
  async nextEventMs(): Promise<number | null> {
    if (this.#nextMs !== undefined) return this.#nextMs;
    const next = (await this.#control.clock()).nextEventAtMs;
    return next === null ? null : next - this.#zeroMs;
  }

  /** A call is about to be made, which may bring other events. */
  disturbed(): void {
    this.#nextMs = undefined;
  }

  /**
   * Resolves when the clock shows `targetMs`.
   *
   * @param exact nothing happens on the script's endpoints before `targetMs`
   */
  async advanceTo(targetMs: number, exact: boolean): Promise<void> {
    this.#arrival = { earliestMs: exact ? targetMs : this.#nowMs, latestMs: targetMs };
    let reached = this.#nowMs;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const { nowMs, nextEventAtMs: next } = await this.#control.advance(targetMs - reached);
      reached = nowMs - this.#zeroMs;
      this.#nextMs = typeof next === 'number' ? next - this.#zeroMs : next;
      // What is due already may be over by now.
      if (typeof this.#nextMs === 'number' && this.#nextMs <= reached) this.#nextMs = undefined;
      if (reached >= targetMs) break;
    }
    if (reached < targetMs) {
      throw new ControlError(
        `the clock does not advance: it shows ${reached} ms and was sent to ${targetMs} ms`,
      );
    }
    this.#setNow(reached);
  }

  #setNow(nowMs: number): void {
    this.#nowMs = nowMs;
    this.#arrival = { earliestMs: nowMs, latestMs: nowMs };
  }
}
