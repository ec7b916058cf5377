import type { Exchange } from '../../history/exchange.js';
import type { Interval } from '../instants.js';

/** A part of a recording that tells nothing, and why: the reader says it and goes on. */
export class Unreadable {
  readonly where: string;
  readonly why: string;
  /** When what it would tell was done, ms since 1970; null: at any time. */
  readonly during: Interval | null;

  constructor(where: string, why: string, during: Interval | null = null) {
    this.where = where;
    this.why = why;
    this.during = during;
  }
}

/** Unknown is before all others. */
export const beginOf = (exchange: Exchange | Unreadable): number =>
  exchange instanceof Unreadable ? -Infinity : exchange.fromMs;
