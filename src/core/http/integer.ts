/** Integers in bodies and queries, with their ranges (sections 2.2, 4.1, 4.3). */
import type { Json } from '../../history/events.js';
import type { Rules } from '../rules.js';
import type { IntegerField } from '../rules/submissions.js';

/** A value, or the reason of a refusal. */
export type Parsed<T> = { readonly value: T } | { readonly refused: string };

/** Null when the field counts as left out. */
export function integerIn(rules: Rules, field: IntegerField, value: Json): Parsed<number | null> {
  const taken = rules.integerIn(field, value);
  if (taken === 'absent') return { value: null };
  if (taken === 'refused') return { refused: `${field} must be an integer number of milliseconds` };
  const bounds = rules.boundsOf(field);
  if (taken >= bounds.min && taken <= bounds.max) return { value: taken };
  const instead = rules.outOfRange(field, taken, bounds);
  if (instead === 'absent') return { value: null };
  if (instead === 'refused') {
    return { refused: `${field} must be between ${bounds.min} and ${bounds.max} ms, not ${taken}` };
  }
  return { value: instead };
}

/**
 * Query parameters are decimal integers without plus, exponent or blanks. Fractions are accepted in some
 * readings.
 */
export function integerInQuery(
  rules: Rules,
  field: IntegerField,
  text: string | undefined,
): Parsed<number | null> {
  if (text === undefined || (text === '' && rules.emptyMeansAbsent(field))) return { value: null };
  return integerIn(rules, field, /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text);
}
