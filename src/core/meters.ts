/** Section 8: counts requests within a window and calls under way, one meter a scope. */
export type RateAlgorithm = 'sliding' | 'fixed' | 'from-first' | 'bucket';

export interface MeterLimit {
  readonly requests: number;
  /** As many calls as may be are under way already. */
  readonly tooManyAtOnce: boolean;
  readonly windowMs: number;
  readonly algorithm: RateAlgorithm;
  /** A refused request uses up allowance, too. */
  readonly refusedCounts: boolean;
}

/** A call that is under way, until it leaves. Leaving twice is leaving once. */
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
  /** Sliding: instants of the requests within the window, oldest at `head`. */
  times: number[];
  head: number;
  /** Fixed and from-first: requests since `sinceMs`. */
  count: number;
  sinceMs: number;
  /** Bucket: what is left, refilled evenly over the window. */
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

  /** Counts a request, or says why it is refused; null when it is not. */
  admit(scope: string, nowMs: number, allowance: MeterLimit): 'too-many' | 'too-many-at-once' | null {
    const meter = this.#of(scope);
    const room = hasRoom(meter, nowMs, allowance);
    const atOnce = allowance.tooManyAtOnce;
    if ((room && !atOnce) || allowance.refusedCounts) count(meter, nowMs, allowance.algorithm);
    if (!room) return 'too-many';
    return atOnce ? 'too-many-at-once' : null;
  }

  /** Whether the window takes one request more; none is counted. */
  hasRoom(scope: string, nowMs: number, allowance: MeterLimit): boolean {
    return hasRoom(this.#of(scope), nowMs, allowance);
  }

  /** Calls on this meter that have not been answered yet. */
  underWay(scope: string): number {
    return this.#meters.get(scope)?.inFlight ?? 0;
  }

  /** Takes the last request back. */
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
  // A bucket without a bottom: what it holds could not be counted.
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
    // A window begins with the first request after the one before has ended.
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
