/**
 * `util/` promises small functions on plain values that every room may use. It knows nothing of the API, and
 * imports nothing.
 */

/** Whether a value is a JSON object: no array, not null. */
export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a value is an integer from 0 to 2^53 − 1. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** The value of a JSON text; undefined, which no JSON text means, for any other text, and for none. */
export function jsonIn(text: string | null | undefined): unknown {
  try {
    return text === null || text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
