import type { HarnessLag } from '../../history/events.js';

const TICK_MS = 20;
/** A pause of this process that is worth remembering: many of them hold up a call that has to come by often. */
const PAUSE_MS = 25;
/** From its sending to the reading of its answer a call meets all pauses that lie so close together. */
const TOGETHER_MS = 10_000;

/** Pauses so close together are told as one stretch, as long as it is no longer than `STRETCH_MS`. */
const APART_MS = 500;
const STRETCH_MS = 5_000;
/** What comes in after a pause is read one thing after the other. */
const AFTERWARDS_MS = 500;

/** Watches how late this process itself runs; the histories of a harness that lags are wide and decide little. */
export class EventLoopLagMonitor {
  readonly #timer: NodeJS.Timeout;
  readonly #pauses: { readonly atMs: number; readonly lengthMs: number }[] = [];
  readonly #stretches: HarnessLag[] = [];
  /** What the clock of the history shows when this process's own shows zero. */
  readonly #zeroMs: number;
  readonly #speed: number;
  #tickedMs = performance.now();
  /** Until when its load has held up the target. */
  #heldUpMs = -Infinity;

  /**
   * `nowMs`: the instant, by the clock of the history, which runs `speed` times as fast as real time. All that is told
   * is told in ms of that clock.
   */
  constructor(nowMs: number, speed = 1) {
    this.#speed = speed;
    this.#zeroMs = nowMs - performance.now() * speed;
    this.#timer = setInterval(() => this.#tick(), TICK_MS).unref();
  }

  /** This instant, for `sinceMs`. */
  mark(): number {
    return performance.now();
  }

  /** How much later than it was a thing since then may have been noticed, in ms; 0 when this process ran in time. */
  sinceMs(mark: number): number {
    this.#tick();
    const pauses = this.#pauses.filter(({ atMs }) => atMs >= mark);
    let worstMs = 0;
    let sumMs = 0;
    let first = 0;
    for (const { atMs, lengthMs } of pauses) {
      sumMs += lengthMs;
      for (; pauses[first]!.atMs < atMs - TOGETHER_MS; first += 1) sumMs -= pauses[first]!.lengthMs;
      worstMs = Math.max(worstMs, sumMs);
    }
    return Math.round(worstMs * this.#speed);
  }

  /**
   * A call was under way from then on among many of its kind, and has just been answered late: the load of this process held
   * up the target, and whatever else it did meanwhile.
   */
  heldUp(mark: number): void {
    this.#tick();
    const nowMs = performance.now();
    // Calls side by side hold it up once.
    this.#pause(Math.max(mark, this.#heldUpMs), nowMs);
    this.#heldUpMs = nowMs;
  }

  /** When this process ran late since then, by the clock of the history; every caller gets the same intervals. */
  stretchesSince(mark: number): readonly HarnessLag[] {
    this.#tick();
    const fromMs = this.#historyMs(mark);
    return this.#stretches.filter(({ toMs }) => toMs >= fromMs);
  }

  /** By how much later than it came a thing may have been noticed that is noticed now, in ms. */
  get justNowMs(): number {
    return this.lostSinceMs(performance.now() - AFTERWARDS_MS);
  }

  /** For how long this process ran late since then, in ms: as much a call that was under way all the time may owe to it. */
  lostSinceMs(mark: number): number {
    this.#tick();
    let sumMs = 0;
    for (let last = this.#pauses.length - 1; last >= 0 && this.#pauses[last]!.atMs >= mark; last -= 1)
      sumMs += this.#pauses[last]!.lengthMs;
    return Math.round(sumMs * this.#speed);
  }

  /** Ends the watch. @returns the worst lateness, in real ms */
  stop(): number {
    clearInterval(this.#timer);
    this.#tick();
    return Math.round(this.#pauses.reduce((worst, { lengthMs }) => Math.max(worst, lengthMs), 0));
  }

  #historyMs(ms: number): number {
    return this.#zeroMs + ms * this.#speed;
  }

  #tick(): void {
    const nowMs = performance.now();
    if (nowMs - this.#tickedMs - TICK_MS >= PAUSE_MS) this.#pause(this.#tickedMs, nowMs, TICK_MS);
    this.#tickedMs = nowMs;
  }

  #pause(fromMs: number, toMs: number, dueMs = 0): void {
    const lengthMs = toMs - fromMs - dueMs;
    this.#pauses.push({ atMs: toMs, lengthMs });
    this.#stretch(
      Math.floor(this.#historyMs(fromMs)),
      Math.ceil(this.#historyMs(toMs)),
      Math.ceil(lengthMs * this.#speed),
    );
  }

  #stretch(fromMs: number, toMs: number, lostMs: number): void {
    const last = this.#stretches.at(-1);
    const isNear = (ms: number, mostMs: number): boolean => ms < mostMs * this.#speed;
    if (last !== undefined && isNear(fromMs - last.toMs, APART_MS) && isNear(toMs - last.fromMs, STRETCH_MS))
      this.#stretches[this.#stretches.length - 1] = {
        fromMs: last.fromMs,
        toMs,
        lostMs: last.lostMs + lostMs,
      };
    else this.#stretches.push({ fromMs, toMs, lostMs });
  }
}
