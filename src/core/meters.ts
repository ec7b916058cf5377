/** Section 8: counts requests within a window and calls in flight, with one meter per scope. */
export type RateAlgorithm = 'sliding' | 'fixed' | 'from-first' | 'bucket';

export type RateProblem = 'too-many' | 'too-many-at-once';

/** What a request is checked against. */
export interface MeterLimit {
  /** Requests per window; may be infinite. */
  readonly requests: number;
  /** The concurrency limit is reached. */
  readonly tooManyAtOnce: boolean;
  readonly windowMs: number;
  readonly algorithm: RateAlgorithm;
  /** Refused requests count, too. */
  readonly refusedCounts: boolean;
}

/** One call in flight. Releasing it twice has no further effect. */
export class ConcurrencySlot {
  #meter: Meter | null;

  constructor(meter: Meter) {
    this.#meter = meter;
    meter.inFlight++;
  }

  release(): void {
    if (this.#meter !== null) this.#meter.inFlight--;
    this.#meter = null;
  }
}

interface Meter {
  /** `sliding`: instants of the requests within the window, the oldest at `head`. */
  times: number[];
  head: number;
  /** `fixed` and `from-first`: requests since `sinceMs`. */
  count: number;
  sinceMs: number;
  /** `bucket`: tokens left, refilled evenly over the window. */
  tokens: number;
  inFlight: number;
}

export class Meters {
  readonly #meters = new Map<string, Meter>();

  #of(scope: string): Meter {
    let meter = this.#meters.get(scope);
    if (meter === undefined) {
      meter = { times: [], head: 0, count: 0, sinceMs: 0, tokens: Number.NaN, inFlight: 0 };
      this.#meters.set(scope, meter);
    }
    return meter;
  }

  /** Counts a request; null when it is admitted, else the reason of the refusal. */
  admit(scope: string, nowMs: number, limit: MeterLimit): RateProblem | null {
    const problem = this.problemOf(scope, nowMs, limit);
    if (problem === null || limit.refusedCounts) count(this.#of(scope), nowMs, limit.algorithm);
    return problem;
  }

  /** The same without counting the request. */
  problemOf(scope: string, nowMs: number, limit: MeterLimit): RateProblem | null {
    if (!hasRoom(this.#of(scope), nowMs, limit)) return 'too-many';
    return limit.tooManyAtOnce ? 'too-many-at-once' : null;
  }

  /** Calls in flight on this meter. */
  inFlight(scope: string): number {
    return this.#meters.get(scope)?.inFlight ?? 0;
  }

  /** Uncounts the last request. */
  refund(scope: string, algorithm: RateAlgorithm): void {
    const meter = this.#of(scope);
    if (algorithm === 'sliding') meter.times.pop();
    else if (algorithm !== 'bucket') meter.count--;
    else meter.tokens++;
  }

  enter(scope: string): ConcurrencySlot {
    return new ConcurrencySlot(this.#of(scope));
  }

  forget(scope: string): void {
    this.#meters.delete(scope);
  }
}

function hasRoom(meter: Meter, nowMs: number, { requests, windowMs, algorithm }: MeterLimit): boolean {
  // An unlimited bucket: infinity could not be counted down.
  if (requests === Number.POSITIVE_INFINITY) return true;
  if (algorithm === 'sliding') {
    const { times } = meter;
    while (meter.head < times.length && times[meter.head]! <= nowMs - windowMs) meter.head++;
    if (meter.head > 1024 && meter.head * 2 > times.length) {
      meter.times = times.slice(meter.head);
      meter.head = 0;
    }
    return meter.times.length - meter.head < requests;
  }
  if (algorithm === 'fixed') {
    const startMs = nowMs - (nowMs % windowMs);
    if (startMs !== meter.sinceMs) meter.count = 0;
    meter.sinceMs = startMs;
    return meter.count < requests;
  }
  if (algorithm === 'from-first') {
    // A window begins with the first request after the end of the previous window.
    if (meter.count === 0 || nowMs - meter.sinceMs >= windowMs) {
      meter.count = 0;
      meter.sinceMs = nowMs;
    }
    return meter.count < requests;
  }
  const refilled = Number.isNaN(meter.tokens)
    ? requests
    : meter.tokens + ((nowMs - meter.sinceMs) * requests) / windowMs;
  meter.tokens = Math.min(requests, refilled);
  meter.sinceMs = nowMs;
  return meter.tokens >= 1;
}

function count(meter: Meter, nowMs: number, algorithm: RateAlgorithm): void {
  if (algorithm === 'sliding') meter.times.push(nowMs);
  else if (algorithm !== 'bucket') meter.count++;
  else meter.tokens = Math.max(0, meter.tokens - 1);
}
