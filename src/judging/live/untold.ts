import type { Exchange } from '../../history/exchange.js';

/** When calls were made that are not told, ms since 1970; null: some of them are still under way. */
export interface Gap {
  readonly fromMs: number;
  readonly byMs: number | null;
}

/** Calls of which the judge is not told, and when that was. */
export class Untold {
  /** When those began that have not ended. */
  readonly #underWay = new Map<Exchange['id'], number>();
  #fromMs: number | null = null;
  #byMs = -Infinity;

  /** Such a call has begun; all instants are ms since 1970. */
  begin(call: Exchange['id'], atMs: number): void {
    this.#underWay.set(call, atMs);
    this.since(atMs);
  }

  /** @returns whether it was such a call */
  end(call: Exchange['id'], atMs: number): boolean {
    if (!this.#underWay.delete(call)) return false;
    this.#byMs = Math.max(this.#byMs, atMs);
    return true;
  }

  /** What began then is not told any more. */
  since(atMs: number): void {
    this.#fromMs = Math.min(this.#fromMs ?? Infinity, atMs);
  }

  /** Since the last gap that was over; null: all was told. What is over is given once. */
  take(nowMs: number): Gap | null {
    const fromMs = this.#fromMs;
    if (fromMs === null) return null;
    if (this.#underWay.size > 0) return { fromMs, byMs: null };
    const byMs = this.#byMs === -Infinity ? nowMs : this.#byMs;
    this.#fromMs = null;
    this.#byMs = -Infinity;
    return { fromMs, byMs };
  }
}
