/** How late each timer was seen to strike: at the least, where it had not struck yet, and at the most, where it had. */
import type { LatenessFinding } from './findings.js';

export type Timer =
  'ttl' | 'executionTimeout' | 'retention' | 'wait' | 'dispatch' | 'webhook' | 'webhookPause' | 'rateWindow';

/** Kept of each timer; what comes after them says nothing new. */
const SAMPLES_KEPT_MAX = 2_000;
/** A timer is punctual so far as nine of ten strikes are. */
const USUAL_SHARE = 0.9;
/** So many strikes have to be known before one of them is out of the ordinary. */
const STRIKES_MIN = 5;
/** Less is what any clock and network do. */
const ODD_MS = 250;

export class Lateness {
  private maxMs = 0;
  private samples = 0;
  /** Upper bounds of the lateness of strikes. */
  private readonly strikes: number[] = [];

  /** It struck at least so late, and, where that is known, at most so late; below zero: in time. */
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

  /** Where it struck much later once than it usually does: as a doubt in words, else null. */
  outlierWarning(timer: Timer, graceMs: number): string | null {
    const usualMs = this.usualMs();
    if (usualMs === null || this.strikes.length < STRIKES_MIN || this.maxMs <= 2 * usualMs + ODD_MS)
      return null;
    return (
      `${timer} struck at least ${this.maxMs} ms late once, where it mostly is at most ${usualMs} ms late ` +
      `(${this.strikes.length} times): let pass, as up to ${graceMs} ms are allowed (--grace)`
    );
  }

  private usualMs(): number | null {
    const sorted = [...this.strikes].sort((left, right) => left - right);
    return sorted[Math.ceil(sorted.length * USUAL_SHARE) - 1] ?? null;
  }
}
