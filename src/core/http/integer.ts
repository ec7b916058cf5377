/** Integers in bodies and queries, within their ranges (sections 2.2, 4.1, 4.3). */
import type { Json } from '../../history/events.js';
import type { Rules } from '../rules.js';
import type { IntegerField } from '../rules/http.js';

/** A value, or why there is none. */
export type Read<T> = { readonly value: T } | { readonly refused: string };

export function integerInBody(rules: Rules, field: IntegerField, value: Json): Read<number> {
  return rules.integerAllowed(field, value)
    ? inRange(rules, field, Math.trunc(Number(value)))
    : { refused: `${field} must be an integer number of milliseconds` };
}

/** Query parameters are strict decimal integers: no sign but `-`, no fraction, no exponent, no blanks. */
export function integerInQuery(
  rules: Rules,
  field: IntegerField,
  text: string | undefined,
): Read<number | null> {
  if (text === undefined) return { value: null };
  return rules.integerAllowed(field, /^-?\d+$/.test(text) ? Number(text) : text)
    ? inRange(rules, field, Math.trunc(Number(text)))
    : { refused: `${field} must be an integer number of milliseconds` };
}

function inRange(rules: Rules, field: IntegerField, value: number): Read<number> {
  const { min, max } = rules.boundsOf(field);
  if (value >= min && value <= max) return { value };
  if (rules.outOfRange(field) === 'clamp') return { value: Math.min(max, Math.max(min, value)) };
  return { refused: `${field} must be between ${min} and ${max} ms, not ${value}` };
}
