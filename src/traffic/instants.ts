/** When something happened, as a recording says it: a clock shows an instant in units, which are coarser than the instant. */

/** The instant lies between these, ms since 1970. */
export interface Interval {
  readonly fromMs: number;
  readonly byMs: number;
}

/** Units of numbers, with the least that counts in them: as another one, it would lie before March 1973 or after the year 5138. */
const UNITS: readonly { readonly from: number; readonly perMs: number }[] = [
  { from: 1e17, perMs: 1e6 },
  { from: 1e14, perMs: 1e3 },
  { from: 1e11, perMs: 1 },
  { from: 0, perMs: 1e-3 },
];
const NUMBERS_END = 1e20;

const STAMP = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:[.,](\d+))?\s*(Z|[+-]\d{2}:?\d{2})?$/iu;

/**
 * Reads ISO 8601, or seconds, ms, µs or ns since 1970 as a number. A stamp without a time zone counts as UTC: only
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
  if (!(value >= 0 && value < NUMBERS_END)) return null;
  const { perMs } = UNITS.find(({ from }) => value >= from)!;
  return around(value / perMs, perMs < 1 && Number.isInteger(value) ? 1000 : 1);
}

/**
 * The unit in which a clock counts durations, as those that it showed tell: 1000 for one of seconds.
 *
 * @returns 0 for one that shows fractions of a millisecond
 */
export const unitOf = (durationsMs: readonly number[]): number =>
  [1000, 100, 10, 1].find((unitMs) => durationsMs.every((ms) => ms % unitMs === 0)) ?? 0;

const around = (ms: number, unitMs: number): Interval => ({
  fromMs: Math.floor(ms - unitMs / 2),
  byMs: Math.ceil(ms + unitMs),
});
