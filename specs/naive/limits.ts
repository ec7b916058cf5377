/** Rate limits (section 8): so many requests in ten seconds, so many at the same time. */
import type { Choices } from './choices.js';
import type { FaultId } from './faults.js';

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

interface Limit {
  readonly rate: number;
  readonly concurrency: number;
}

const LIMITS: Readonly<Record<Operation, Limit | null>> = {
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
export function baseLimit(operation: Operation, choices: Choices, fault: FaultId | null): Limit | null {
  if (fault === 'rate-missing') return null;
  if (fault === 'rate-missing-on-run' && operation === 'run') return null;
  if (fault === 'rate-missing-on-runsync' && operation === 'runsync') return null;
  if (fault === 'rate-missing-on-status' && operation === 'status') return null;
  if (fault === 'rate-missing-on-stream' && operation === 'stream') return null;
  if (fault === 'rate-missing-on-cancel' && operation === 'cancel') return null;
  if (fault === 'rate-missing-on-purge' && operation === 'purge-queue') return null;
  if (fault === 'rate-missing-on-openai' && operation === 'openai') return null;
  if (fault === 'rate-missing-on-requests' && operation === 'requests') return null;
  if (fault === 'rate-retry-limited-as-purge' && operation === 'retry') return LIMITS['purge-queue'];
  if (fault === 'rate-health-limited-as-purge' && operation === 'health') return LIMITS['purge-queue'];
  const other = choices.otherOperationsLimit;
  const limit = LIMITS[operation] ?? (other === null ? null : { rate: other, concurrency: Infinity });
  if (limit === null) return null;
  let { rate, concurrency } = limit;
  if (fault === 'rate-one-too-low') rate -= 1;
  if (fault === 'rate-one-too-high') rate += 1;
  if (fault === 'rate-halved') rate /= 2;
  if (fault === 'concurrency-missing') concurrency = Infinity;
  if (fault === 'concurrency-halved') concurrency /= 2;
  return { rate, concurrency };
}

/** What one user has used of one operation of one endpoint. */
export class Allowance {
  private taken: number[] = [];
  private windowMs = -Infinity;
  private used = 0;
  private tokens = Infinity;
  private piled = NaN;
  private refusedLast = false;
  private exhaustions = 0;
  private filledMs = 0;
  /** Requests that have arrived and are not yet answered. */
  open = 0;

  /** Whether a request at `nowMs` is within `rate`; counts it when it is. */
  take(nowMs: number, rate: number, choices: Choices, fault: FaultId | null): boolean {
    let spanMs = WINDOW_MS;
    if (fault === 'rate-window-one-minute') spanMs = 60_000;
    if (fault === 'rate-window-one-second') spanMs = 1000;
    if (fault === 'rate-spread-per-second') [spanMs, rate] = [1000, Math.ceil(rate / 10)];
    if (fault === 'rate-resets-once' && this.exhaustions > 1) spanMs = Infinity;
    if (fault === 'rate-tokens-pile-up') return this.takePiled(nowMs, rate, spanMs);
    if (fault === 'rate-never-resets') spanMs = Infinity;
    switch (choices.rateWindow) {
      case 'sliding':
        return this.takeSliding(nowMs, rate, spanMs, choices, fault);
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

  private takeSliding(
    nowMs: number,
    rate: number,
    spanMs: number,
    choices: Choices,
    fault: FaultId | null,
  ): boolean {
    const old = this.taken.findIndex((takenMs) => takenMs > nowMs - spanMs);
    this.taken = old === -1 ? [] : old === 0 ? this.taken : this.taken.slice(old);
    if (this.taken.length < rate) {
      this.taken.push(nowMs);
      this.refusedLast = false;
      return true;
    }
    if (!this.refusedLast) this.exhaustions += 1;
    this.refusedLast = true;
    if (fault === 'rate-refusal-resets') this.taken = [];
    if (fault === 'rate-refusals-prolong') this.taken = this.taken.map(() => nowMs);
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

  /** A bucket that holds twice the rate, and is half full at first. */
  private takePiled(nowMs: number, rate: number, spanMs: number): boolean {
    const passedMs = Number.isNaN(this.piled) ? 0 : nowMs - this.filledMs;
    this.piled = Math.min(
      2 * rate,
      (Number.isNaN(this.piled) ? rate : this.piled) + (passedMs * rate) / spanMs,
    );
    this.filledMs = nowMs;
    if (this.piled < 1) return false;
    this.piled -= 1;
    return true;
  }

  private takeToken(nowMs: number, rate: number, spanMs: number): boolean {
    this.tokens = Math.min(rate, this.tokens + ((nowMs - this.filledMs) * rate) / spanMs);
    this.filledMs = nowMs;
    if (this.tokens < 1) return false;
    this.tokens -= 1;
    return true;
  }
}
