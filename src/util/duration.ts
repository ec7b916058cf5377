const UNITS_MS: { readonly [unit: string]: number } = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  min: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * The ms of a duration such as `250ms`, `1.5s`, `3m`, `1h30m` or `7 d 2 s`, rounded: a sum of amounts, each with its
 * unit (ms, s, m or min, h, d). Null if it is none.
 */
export function parseDuration(text: string): number | null {
  const AMOUNT = /\s*(\d+(?:\.\d+)?)\s*(ms|min|s|m|h|d)(?![a-z])/gy;
  let sum = 0;
  let end = 0;
  for (const [whole, amount, unit] of text.trimEnd().matchAll(AMOUNT)) {
    sum += Number(amount) * UNITS_MS[unit!]!;
    end += whole.length;
  }
  return end > 0 && end === text.trimEnd().length ? Math.round(sum) : null;
}

const UNITS: readonly (readonly [name: string, ms: number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
];

/**
 * A duration or an instant exactly, in the units people use: `250 ms`, `1.5 s`, `2 min 5.25 s`, `1 d`,
 * `1 d 2.001 s`. Rounded to the millisecond.
 */
export function exactDuration(ms: number): string {
  const whole = Math.round(ms);
  if (whole < 0) return `-${exactDuration(-whole)}`;
  if (whole === 0) return '0 s';
  if (whole < 1_000) return `${whole} ms`;
  const parts: string[] = [];
  let rest = whole;
  for (const [name, size] of UNITS) {
    const amount = Math.floor(rest / size);
    if (amount > 0) parts.push(`${amount} ${name}`);
    rest -= amount * size;
  }
  // Thousandths without trailing zeros.
  if (rest > 0) parts.push(`${Number((rest / 1_000).toFixed(3))} s`);
  return parts.join(' ');
}

/** `between 1 s and 2 s`; `at 1 s` where that is the same. */
export function between(fromMs: number, byMs: number): string {
  const [from, by] = [seconds(fromMs), seconds(byMs)];
  return from === by ? `at ${from}` : `between ${from} and ${by}`;
}

/** When a state was entered: `since 1 s`, or `entered between 1 s and 2 s`. */
export const entered = (fromMs: number, byMs: number): string =>
  fromMs === byMs ? `since ${seconds(fromMs)}` : `entered between ${seconds(fromMs)} and ${seconds(byMs)}`;

/** As `exactDuration`, of a bound that may be none. */
export const seconds = (ms: number): string =>
  ms === Infinity ? 'any time' : ms === -Infinity ? 'any time before' : exactDuration(ms);
