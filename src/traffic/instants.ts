/** When something happened, as a recording says it: a clock shows an instant in units, which are coarser than the instant. */

/** The instant lies between these, ms since 1970. */
export interface Interval {
  readonly fromMs: number;
  readonly byMs: number;
}

/** Smaller numbers are seconds: as milliseconds they would lie before March 1973. */
const MILLISECONDS_FROM = 1e11;

const STAMP = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:[.,](\d+))?\s*(Z|[+-]\d{2}:?\d{2})?$/iu;

/**
 * Reads ISO 8601, or seconds or milliseconds since 1970 as a number. A stamp without a time zone counts as UTC: only
 * differences matter. Whether the clock rounded or cut off is unknown, so that the interval allows for both.
 *
 * @returns null for anything else
 */
export function instantOf(stamp: unknown): Interval | null {
  if (typeof stamp === 'number') return ofNumber(stamp);
  if (typeof stamp !== 'string') return null;
  if (/^\d+(?:\.\d+)?$/u.test(stamp)) return ofNumber(Number(stamp));
  const [, day, time, fraction = '', zone = 'Z'] = STAMP.exec(stamp.trim()) ?? [];
  if (day === undefined || time === undefined) return null;
  const secondMs = Date.parse(`${day}T${time}${zone.toUpperCase()}`);
  if (Number.isNaN(secondMs)) return null;
  return around(secondMs + Number(`0.${fraction}0`) * 1000, 1000 / 10 ** Math.min(fraction.length, 3));
}

function ofNumber(value: number): Interval | null {
  if (!Number.isFinite(value) || value < 0) return null;
  if (value >= MILLISECONDS_FROM) return around(value, 1);
  return around(value * 1000, Number.isInteger(value) ? 1000 : 1);
}

const around = (ms: number, unitMs: number): Interval => ({
  fromMs: Math.floor(ms - unitMs / 2),
  byMs: Math.ceil(ms + unitMs),
});
