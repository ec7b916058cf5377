/**
 * How much later, or earlier, than it is due a timer may seem to strike: where the harness was held up, and where the target
 * goes by a clock of its own.
 */
import type { CallEvent, HarnessLag, RunEvent } from '../../history/events.js';

/** What was held up so shortly before may be behind still. */
const NEAR_MS = 10_000;

/**
 * When the harness itself was held up, and for how long. What holds up one process often holds up those beside it, the target
 * among them: a timer that was due just then may strike later by as much. What came long before or after has nothing to do
 * with it. The stamps of calls need no allowance: late as they may be, what they stand for lies between them.
 */
export class HarnessLags {
  /** In order; they do not overlap. */
  private readonly list: readonly HarnessLag[];

  constructor(lags: Iterable<HarnessLag>) {
    this.list = distinctLags(lags);
  }

  get isEmpty(): boolean {
    return this.list.length === 0;
  }

  /** The most that met a thing which was due, or was looked at, at some instant from `fromMs` to `byMs`. */
  worstBetween(fromMs: number, byMs: number): number {
    const sinceMs = fromMs - NEAR_MS;
    let worstMs = 0;
    let sumMs = 0;
    let first = 0;
    for (const [index, lag] of this.list.entries()) {
      if (lag.fromMs > byMs) break;
      sumMs += lag.lostMs;
      for (; first < index && this.list[first]!.toMs < Math.max(sinceMs, lag.fromMs - NEAR_MS); first += 1)
        sumMs -= this.list[first]!.lostMs;
      if (lag.toMs >= sinceMs) worstMs = Math.max(worstMs, sumMs);
    }
    return worstMs;
  }

  /** The most that met anything. */
  get worstMs(): number {
    return this.worstBetween(-Infinity, Infinity);
  }

  /** With times that count from another instant. */
  withOrigin(originMs: number): HarnessLags {
    if (this.isEmpty) return this;
    return new HarnessLags(
      this.list.map((lag) => ({ ...lag, fromMs: lag.fromMs - originMs, toMs: lag.toMs - originMs })),
    );
  }
}

/** Each script tells those that it met: one that ended while a stretch lasted, the beginning only. In order. */
export function distinctLags(lags: Iterable<HarnessLag>): readonly HarnessLag[] {
  const whole = new Map<number, HarnessLag>();
  for (const lag of lags)
    if (lag.toMs > (whole.get(lag.fromMs)?.toMs ?? -Infinity)) whole.set(lag.fromMs, lag);
  return [...whole.values()].sort((left, right) => left.toMs - right.toMs);
}

export const NO_LAGS = new HarnessLags([]);

/** By so much may two clocks go apart while NTP sets one of them right. */
const DRIFT_PPM = 500;

/** How much too early a timer of so many ms may seem to strike; `earlyMs`: what rounding allows, 0 where both go by one clock. */
export function earlyToleranceMs(earlyMs: number, ms: number): number {
  return earlyMs === 0 || ms === Infinity ? earlyMs : earlyMs + Math.ceil((ms * DRIFT_PPM) / 1e6);
}

/** The call was answered no sooner than so long after it was sent, as far as clocks can tell. */
export function tookAtLeast({ earlyMs }: RunEvent, { sentMs, receivedMs }: CallEvent, ms: number): boolean {
  return receivedMs! - sentMs >= ms - earlyToleranceMs(earlyMs, ms);
}
