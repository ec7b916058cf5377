import type { ArrivalTime } from '../../session/webhook-receiver.js';
import { TargetError } from '../../errors.js';
import { ControlError, type ClockCalls, type ControlledClock } from '../control.js';

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

  /** What moved the clock between two runs is a matter of neither. That test control fails is told by the next call. */
  async catchUp(): Promise<void> {
    const shown = await this.#control.clock().catch(() => null);
    if (shown !== null) this.#setNow(Math.max(this.#nowMs, shown.nowMs - this.#zeroMs));
  }

  /** Resolves with the answer to a call that is sent now: what was under way to here before has arrived by then. */
  async echo(): Promise<void> {
    await this.#read();
  }

  /** The earliest instant at which something may happen by itself, which may be early; null when nothing can. */
  async nextEventMs(): Promise<number | null> {
    if (this.#nextMs !== undefined) return this.#nextMs;
    const next = (await this.#read()).nextEventAtMs;
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
    this.#standsAt(targetMs, reached);
    this.#setNow(reached);
  }

  async #read(): Promise<ControlledClock> {
    const read = await this.#control.clock();
    this.#standsAt(this.#nowMs, read.nowMs - this.#zeroMs);
    return read;
  }

  /** What happens on a clock that moves unasked happens at unknown instants: no verdict could rest on them. */
  #standsAt(knownMs: number, shownMs: number): void {
    if (shownMs <= knownMs) return;
    throw new TargetError(
      'control',
      `The clock of test control does not stand still: it is ${shownMs - knownMs} ms ahead of where the run left it`,
      'Let only calls of advance move it (rule 1 of its contract), and no other run; or offer no "clock" among its features: the run then takes real time',
    );
  }

  #setNow(nowMs: number): void {
    this.#nowMs = nowMs;
    this.#arrival = { earliestMs: nowMs, latestMs: nowMs };
  }
}
