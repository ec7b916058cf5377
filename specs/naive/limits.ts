/** Rate limits (section 8): so many requests in ten seconds, so many at the same time. */
import type { Choices } from './choices.js';
import type { Hooks } from './hooks.js';

export type Operation =
  | 'run'
  | 'runsync'
  | 'status'
  | 'stream'
  | 'cancel'
  | 'retry'
  | 'purge-queue'
  | 'health'
  | 'openai'
  | 'requests';

const WINDOW_MS = 10_000;

export interface Limit {
  readonly rate: number;
  readonly concurrency: number;
}

export const LIMITS: Readonly<Record<Operation, Limit | null>> = {
  runsync: { rate: 2000, concurrency: 400 },
  run: { rate: 1000, concurrency: 200 },
  status: { rate: 2000, concurrency: 400 },
  stream: { rate: 2000, concurrency: 400 },
  cancel: { rate: 100, concurrency: 20 },
  'purge-queue': { rate: 2, concurrency: Infinity },
  openai: { rate: 2000, concurrency: 400 },
  requests: { rate: 10, concurrency: 2 },
  retry: null,
  health: null,
};

/** The limit before the dynamic rule; null where there is none. */
export function baseLimit(operation: Operation, choices: Choices, hooks: Hooks): Limit | null {
  const other = choices.otherOperationsLimit;
  const limit = LIMITS[operation] ?? (other === null ? null : { rate: other, concurrency: Infinity });
  return hooks.limit(limit, operation);
}

/** What one user has used of one operation of one endpoint. */
export class Allowance {
  private taken: number[] = [];
  private windowMs = -Infinity;
  private used = 0;
  private tokens = Infinity;
  private refusedLast = false;
  /** How often the rate was reached. */
  exhaustions = 0;
  private filledMs = 0;
  /** Requests that have arrived and are not yet answered. */
  open = 0;

  /** Whether a request at `nowMs` is within `rate`; counts it when it is. */
  take(nowMs: number, givenRate: number, choices: Choices, hooks: Hooks): boolean {
    const taken = hooks.taken(this, nowMs, givenRate);
    if (taken !== null) return taken;
    const { spanMs, rate } = hooks.window({ spanMs: WINDOW_MS, rate: givenRate }, this);
    switch (choices.rateWindow) {
      case 'sliding':
        return this.takeSliding(nowMs, rate, spanMs, choices, hooks);
      case 'bucket':
        return this.takeToken(nowMs, rate, spanMs);
      case 'fixed':
        return this.takeOfWindow(nowMs, Math.floor(nowMs / spanMs) * spanMs, spanMs, rate, choices);
      case 'from-first':
        return this.takeOfWindow(nowMs, nowMs, spanMs, rate, choices);
    }
  }

  /** Gives the newest request back. */
  refund(): void {
    this.taken.pop();
    this.used = Math.max(0, this.used - 1);
    this.tokens += 1;
  }

  private takeSliding(nowMs: number, rate: number, spanMs: number, choices: Choices, hooks: Hooks): boolean {
    const old = this.taken.findIndex((takenMs) => takenMs > nowMs - spanMs);
    this.taken = old === -1 ? [] : old === 0 ? this.taken : this.taken.slice(old);
    if (this.taken.length < rate) {
      this.taken.push(nowMs);
      this.refusedLast = false;
      return true;
    }
    if (!this.refusedLast) this.exhaustions += 1;
    this.refusedLast = true;
    this.taken = hooks.rateRefused(this.taken, nowMs);
    if (choices.refusedCount) {
      this.taken.push(nowMs);
      // Only the newest `rate` requests can ever matter.
      this.taken.shift();
    }
    return false;
  }

  private takeOfWindow(
    nowMs: number,
    startMs: number,
    spanMs: number,
    rate: number,
    choices: Choices,
  ): boolean {
    if (nowMs >= this.windowMs + spanMs) {
      this.windowMs = startMs;
      this.used = 0;
    }
    if (this.used < rate || choices.refusedCount) this.used += 1;
    else return false;
    return this.used <= rate;
  }

  private takeToken(nowMs: number, rate: number, spanMs: number): boolean {
    this.tokens = Math.min(rate, this.tokens + ((nowMs - this.filledMs) * rate) / spanMs);
    this.filledMs = nowMs;
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }
}
