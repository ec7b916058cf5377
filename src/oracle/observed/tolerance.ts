/**
 * Allowed lateness and earliness: the harness may have been held up, and the target may have a clock of its
 * own.
 */
import type { CallEvent, HarnessLag, RunEvent } from '../../history/events.js';
import { LAG_NEAR_MS } from './assumptions.js';

/**
 * What takes so long on a real machine, whatever the speed of the service's clock, in ms of that clock. A service that runs
 * slowly is granted as much as any other.
 */
export const onItsClock = ({ speed = 1 }: RunEvent, realMs: number): number => realMs * Math.max(1, speed);

/**
 * When the harness itself was held up, and for how long. What holds up one process often holds up others on
 * the machine, the target among them: a timer that was due then may fire later by as much. The timestamps
 * of calls need no tolerance: late as they may be, what they stand for lies between them.
 */
export class HarnessLags {
  /** In order; they do not overlap. */
  private readonly list: readonly HarnessLag[];
  private readonly nearMs: number;

  /** @param nearMs what was held up this shortly before may still be behind */
  constructor(lags: Iterable<HarnessLag>, nearMs = LAG_NEAR_MS) {
    this.list = distinctLags(lags);
    this.nearMs = nearMs;
  }

  static of(run: RunEvent, lags: Iterable<HarnessLag>): HarnessLags {
    return new HarnessLags(lags, onItsClock(run, LAG_NEAR_MS));
  }

  get isEmpty(): boolean {
    return this.list.length === 0;
  }

  /** The greatest lag of anything that was due, or was read, at some instant from `fromMs` to `byMs`, ms. */
  worstBetween(fromMs: number, byMs: number): number {
    const sinceMs = fromMs - this.nearMs;
    let worstMs = 0;
    let sumMs = 0;
    let first = 0;
    for (const [index, lag] of this.list.entries()) {
      if (lag.fromMs > byMs) break;
      sumMs += lag.lostMs;
      for (
        ;
        first < index && this.list[first]!.toMs < Math.max(sinceMs, lag.fromMs - this.nearMs);
        first += 1
      )
        sumMs -= this.list[first]!.lostMs;
      if (lag.toMs >= sinceMs) worstMs = Math.max(worstMs, sumMs);
    }
    return worstMs;
  }

  /** Both instants may be late because of the same lag. */
  isNear(firstMs: number, secondMs: number): boolean {
    return this.isEmpty || secondMs - firstMs <= this.nearMs;
  }

  /** The greatest lag of all, ms. */
  get worstMs(): number {
    return this.worstBetween(-Infinity, Infinity);
  }

  /** With times that count from another instant. */
  withOrigin(originMs: number): HarnessLags {
    if (this.isEmpty) return this;
    return new HarnessLags(
      this.list.map((lag) => ({ ...lag, fromMs: lag.fromMs - originMs, toMs: lag.toMs - originMs })),
      this.nearMs,
    );
  }
}

/**
 * Each script records the lags during its time: a script that ended during a lag, only the first part. In
 * order.
 */
export function distinctLags(lags: Iterable<HarnessLag>): readonly HarnessLag[] {
  const whole = new Map<number, HarnessLag>();
  for (const lag of lags)
    if (lag.toMs > (whole.get(lag.fromMs)?.toMs ?? -Infinity)) whole.set(lag.fromMs, lag);
  return [...whole.values()].sort((left, right) => left.toMs - right.toMs);
}

export const NO_LAGS = new HarnessLags([]);

/** Two clocks may drift by this much while NTP corrects one of them. */
const DRIFT_PPM = 500;

/**
 * How much too early a timer of this length may seem to fire; `earlyMs`: for rounding, 0 where both share
 * one clock.
 */
export function earlyToleranceMs(earlyMs: number, ms: number): number {
  return earlyMs === 0 || ms === Infinity ? earlyMs : earlyMs + Math.ceil((ms * DRIFT_PPM) / 1e6);
}

/** The call took at least this long, as far as clocks can tell. */
export function tookAtLeast({ earlyMs }: RunEvent, { sentMs, receivedMs }: CallEvent, ms: number): boolean {
  return receivedMs! - sentMs >= ms - earlyToleranceMs(earlyMs, ms);
}

/**
 * The smallest violation of a bound in time that a test would have shown: had the target been too late, or
 * too early, by more than `ms` milliseconds, the test would have failed. @public
 */
export interface Sharpness {
  readonly bound: 'too late' | 'too early';
  readonly ms: number;
}

export function sharper(left: Sharpness | null, right: Sharpness | null): Sharpness | null {
  if (left === null || right === null) return left ?? right;
  return right.ms < left.ms ? right : left;
}
