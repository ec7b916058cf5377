/** How late each timer was: a lower bound where it had not expired yet, an upper bound where it had. */
import type { LatenessFinding } from './findings.js';

const TIMERS = [
  'ttl',
  'executionTimeout',
  'retention',
  'wait',
  'dispatch',
  'webhook',
  'webhookPause',
  'rateWindow',
] as const;

export type Timer = (typeof TIMERS)[number];

export const isTimer = (name: string): name is Timer => TIMERS.some((timer) => timer === name);

/** Kept for each timer; more samples add nothing. */
const SAMPLES_KEPT_MAX = 2_000;
/** The usual lateness of a timer is the 90th percentile. */
const USUAL_SHARE = 0.9;
/** Fewer expirations than this do not tell what is usual. */
const STRIKES_MIN = 5;
/** Expirations are counted by these upper bounds of their lateness, and by none. */
const SPREAD_MS = [
  ...[0, 1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000],
] as const;
/** Any clock and network may cause a difference below this. */
const ODD_MS = 250;

export class Lateness {
  private maxMs = 0;
  /** How late the latest was allowed to be. */
  private allowedMs = 0;
  private samples = 0;
  /** Upper bounds of the lateness of expirations. */
  private readonly strikes: number[] = [];

  /** It was at least, and if known at most, this late; below zero: in time. `allowedMs`: how late it may be. */
  add(atLeastMs: number, atMostMs: number | null, allowedMs: number): void {
    this.samples += 1;
    if (atLeastMs < Infinity && atLeastMs > this.maxMs) {
      this.maxMs = atLeastMs;
      this.allowedMs = allowedMs;
    }
    if (atMostMs !== null && atMostMs < Infinity && this.strikes.length < SAMPLES_KEPT_MAX)
      this.strikes.push(Math.max(0, atMostMs));
  }

  /** What another has seen after this one. */
  append(later: Lateness): void {
    this.samples += later.samples;
    if (later.maxMs > this.maxMs) {
      this.maxMs = later.maxMs;
      this.allowedMs = later.allowedMs;
    }
    this.strikes.push(...later.strikes.slice(0, SAMPLES_KEPT_MAX - this.strikes.length));
  }

  finding(): LatenessFinding {
    const { maxMs, samples, strikes } = this;
    return { maxMs, samples, strikes: strikes.length, usualMs: this.usualMs(), spread: this.spread() };
  }

  /** A warning if the timer was once much later than usual, and no more than it may be; else null. */
  outlierWarning(timer: Timer, graceMs: number): string | null {
    const usualMs = this.usualMs();
    const { maxMs, allowedMs, strikes } = this;
    if (usualMs === null || strikes.length < STRIKES_MIN || maxMs <= 2 * usualMs + ODD_MS) return null;
    if (maxMs > allowedMs) return null;
    const moreMs = allowedMs - graceMs;
    return (
      `${timer} was once at least ${maxMs} ms late, but usually at most ${usualMs} ms ` +
      `(${strikes.length} times): tolerated, since up to ${allowedMs} ms are allowed ` +
      (moreMs > 0
        ? `there: ${graceMs} ms by --grace, ${moreMs} ms for the network and delays of the harness`
        : '(--grace)')
    );
  }

  private spread(): NonNullable<LatenessFinding['spread']> {
    const times = new Map<number | null, number>();
    for (const strike of this.strikes) {
      const boundMs = SPREAD_MS.find((ms) => strike <= ms) ?? null;
      times.set(boundMs, (times.get(boundMs) ?? 0) + 1);
    }
    return [...SPREAD_MS, null].flatMap((ms) => (times.has(ms) ? [[ms, times.get(ms)!] as const] : []));
  }

  private usualMs(): number | null {
    const sorted = [...this.strikes].sort((left, right) => left - right);
    return sorted[Math.ceil(sorted.length * USUAL_SHARE) - 1] ?? null;
  }
}
