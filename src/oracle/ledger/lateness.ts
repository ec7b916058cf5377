/** How late each timer was: a lower bound where it had not expired yet, an upper bound where it had. */
import type { LatenessFinding } from './findings.js';

export type Timer =
  'ttl' | 'executionTimeout' | 'retention' | 'wait' | 'dispatch' | 'webhook' | 'webhookPause' | 'rateWindow';

/** Kept for each timer; more samples add nothing. */
const SAMPLES_KEPT_MAX = 2_000;
/** The usual lateness of a timer is the 90th percentile. */
const USUAL_SHARE = 0.9;
/** Fewer expirations than this do not tell what is usual. */
const STRIKES_MIN = 5;
/** Any clock and network may cause a difference below this. */
const ODD_MS = 250;

export class Lateness {
  private maxMs = 0;
  private samples = 0;
  /** Upper bounds of the lateness of expirations. */
  private readonly strikes: number[] = [];

  /** It was at least, and if known at most, this late; below zero: in time. */
  add(atLeastMs: number, atMostMs: number | null): void {
    this.samples += 1;
    if (atLeastMs < Infinity) this.maxMs = Math.max(this.maxMs, atLeastMs);
    if (atMostMs !== null && atMostMs < Infinity && this.strikes.length < SAMPLES_KEPT_MAX)
      this.strikes.push(Math.max(0, atMostMs));
  }

  finding(): LatenessFinding {
    const { maxMs, samples, strikes } = this;
    return { maxMs, samples, strikes: strikes.length, usualMs: this.usualMs() };
  }

  /** A warning if the timer was once much later than usual, else null. */
  outlierWarning(timer: Timer, graceMs: number): string | null {
    const usualMs = this.usualMs();
    if (usualMs === null || this.strikes.length < STRIKES_MIN || this.maxMs <= 2 * usualMs + ODD_MS)
      return null;
    return (
      `${timer} was once at least ${this.maxMs} ms late, but usually at most ${usualMs} ms ` +
      `(${this.strikes.length} times): tolerated, since up to ${graceMs} ms are allowed (--grace)`
    );
  }

  private usualMs(): number | null {
    const sorted = [...this.strikes].sort((left, right) => left - right);
    return sorted[Math.ceil(sorted.length * USUAL_SHARE) - 1] ?? null;
  }
}
