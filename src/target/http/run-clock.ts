import type { ArrivalTime } from '../session/webhook-receiver.js';
import { ControlError, type Control } from './control.js';

/** The controlled clock as one script sees it. All times are in ms since the start of the run. */
export interface ScriptClock {
  readonly nowMs: number;
  /** When something that arrives now has arrived. */
  readonly arrival: ArrivalTime;
  /** The earliest instant at which something may happen by itself, which may be early; null when nothing can. */
  nextEventMs(): Promise<number | null>;
  /** A call is about to be made, which may bring other events. */
  disturbed(): void;
  /**
   * Resolves when the clock shows `targetMs`, or when the run is interrupted.
   *
   * @param exact nothing happens on the script's endpoints before `targetMs`
   */
  advanceTo(targetMs: number, exact: boolean): Promise<void>;
}

/** How often the target is asked to advance the clock to an instant. */
const TRIES = 3;
/** A call of test control that takes this many real ms goes over a network. */
const FAR_AWAY_MS = 20;
/** Of so many calls the quickest tells how long a round trip takes. */
const ROUND_TRIPS = 3;

/** The clock of a target under test control, for a run whose scripts play one after the other. */
export class RunClock implements ScriptClock {
  readonly #control: Pick<Control, 'clock' | 'advance'>;
  /** The target's time at the start of the run. */
  #zeroMs = 0;
  #nowMs = 0;
  /** While an advance is in progress: where it goes, and whether everything it causes happens just there. */
  #arrival: ArrivalTime = { earliestMs: 0, latestMs: 0 };
  /** The next event, as the last advance told it; undefined where it did not, and once a call was made since. */
  #nextMs: number | null | undefined;
  /** Real ms that a call of test control takes; measured at the start. */
  roundTripMs = 0;

  constructor(control: Pick<Control, 'clock' | 'advance'>) {
    this.#control = control;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  get arrival(): ArrivalTime {
    return this.#arrival;
  }

  /** Round trips take longer than the target does. */
  get isFarAway(): boolean {
    return this.roundTripMs >= FAR_AWAY_MS;
  }

  /** Makes the present instant the zero of the run's time. */
  async start(): Promise<void> {
    this.roundTripMs = Infinity;
    for (let call = 0; call < ROUND_TRIPS && this.isFarAway; call += 1) {
      const fromMs = performance.now();
      this.#zeroMs = (await this.#control.clock()).nowMs;
      this.roundTripMs = Math.min(this.roundTripMs, performance.now() - fromMs);
    }
    this.#setNow(0);
  }

  async nextEventMs(): Promise<number | null> {
    if (this.#nextMs !== undefined) return this.#nextMs;
    const next = (await this.#control.clock()).nextEventAtMs;
    return next === null ? null : next - this.#zeroMs;
  }

  disturbed(): void {
    this.#nextMs = undefined;
  }

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
