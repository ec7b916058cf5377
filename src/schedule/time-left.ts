/** What was expected of a run, in real ms from its beginning. */
export interface ExpectedRun {
  /** How long all scripts take; null: only how their durations compare is known. */
  readonly wallMs: number | null;
  /** When each script ends, in this order. */
  readonly endsMs: readonly number[];
}

/** So many scripts, as a share of all, count as ended on time: the first few tell little of how late a run is. */
const ON_TIME_SHARE = 0.1;
/** Where only proportions are known, the first part of a run, as a share, tells no pace. */
const TELLING_SHARE = 0.25;

/**
 * How much longer the scripts of a run take. Their waits take as long as was expected; what each takes beside them, on a server or
 * a machine that is slow, is taken from those that have ended.
 */
export class TimeLeft {
  readonly #expected: ExpectedRun;
  #running = 0;
  #ended = 0;
  #lastEndMs = 0;

  constructor(expected: ExpectedRun) {
    this.#expected = expected;
  }

  started(): void {
    this.#running += 1;
  }

  /** @param tookMs how long the run has taken */
  ended(tookMs: number): void {
    this.#running -= 1;
    this.#ended += 1;
    this.#lastEndMs = tookMs;
  }

  /** How much of the expected work the scripts took that have ended, 0 to 1. */
  get share(): number {
    const { endsMs } = this.#expected;
    return (endsMs[this.#ended - 1] ?? 0) / (endsMs.at(-1) ?? 1);
  }

  /** @returns null while that cannot be told */
  leftMs(tookMs: number): number | null {
    const { wallMs, endsMs } = this.#expected;
    const reachedMs = endsMs[this.#ended - 1] ?? 0;
    const allMs = endsMs.at(-1) ?? 0;
    // Where scripts run side by side, those that have ended do not tell how far the others are.
    if (wallMs === null)
      return this.#running > 1 || reachedMs <= TELLING_SHARE * allMs
        ? null
        : (tookMs * (allMs - reachedMs)) / reachedMs;
    const atMs = Math.min(endsMs[this.#ended] ?? allMs, reachedMs + tookMs - this.#lastEndMs);
    const lateMs = Math.max(0, tookMs - atMs) / (this.#ended + ON_TIME_SHARE * endsMs.length);
    return wallMs - atMs + lateMs * (endsMs.length - this.#ended);
  }
}
