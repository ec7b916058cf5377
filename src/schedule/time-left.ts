import type { DurationEstimate } from './duration-estimate.js';

/** What was expected of a run in real time, and of each of its scripts. */
export type EstimatedRun = Pick<DurationEstimate, 'wallMs' | 'scriptsMs'>;

/** Before so many scripts have ended, as a share of all, they tell no pace. */
const TELLING_SHARE = 0.1;

/**
 * How much longer the scripts of a run in real time take: as was estimated, or longer at the pace so far. On a faulty server
 * scripts wait until their time limit.
 */
export class TimeLeft {
  readonly #estimate: EstimatedRun;
  readonly #totalMs: number;
  readonly #running = new Map<number, number>();
  #ended = 0;
  /** What was expected of those that have ended. */
  #endedMs = 0;

  constructor(estimate: EstimatedRun) {
    this.#estimate = estimate;
    this.#totalMs = sum(estimate.scriptsMs);
  }

  started(script: number, nowMs: number): void {
    this.#running.set(script, nowMs);
  }

  ended(script: number): void {
    this.#running.delete(script);
    this.#ended += 1;
    this.#endedMs += this.#expectedMs(script);
  }

  /** @param tookMs how long the run has taken */
  leftMs(tookMs: number, nowMs: number): number {
    const { wallMs, scriptsMs } = this.#estimate;
    const running = [...this.#running].map(([script, atMs]) =>
      Math.min(nowMs - atMs, this.#expectedMs(script)),
    );
    const atPace = (done: number, all: number): number => (tookMs * Math.max(0, all - done)) / done;
    // Scripts that end late count as much as those that are cut short: the number and the time of what has ended err either way.
    const left =
      this.#ended > TELLING_SHARE * scriptsMs.length
        ? (atPace(this.#ended, scriptsMs.length) + atPace(this.#endedMs + sum(running), this.#totalMs)) / 2
        : 0;
    return Math.max(wallMs - tookMs, left);
  }

  readonly #expectedMs = (script: number): number => this.#estimate.scriptsMs[script] ?? 0;
}

const sum = (all: readonly number[]): number => all.reduce((total, ms) => total + ms, 0);
