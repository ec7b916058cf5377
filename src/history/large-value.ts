/**
 * Abridges large JSON values: a history, and whatever judges it, holds many bodies at once and walks through
 * each of them. An omitted part becomes a value of the same kind, an array or an object, that marks how many
 * values it had.
 */
import type { Json } from './events.js';
import { TEXT_CHARS_WHOLE_MAX } from './long-text.js';

/** The member that replaces the members of an omitted object: `{"@runproof/large-value": 3000000}`. */
export const LARGE_VALUE_MARK = '@runproof/large-value';

/** The most that is kept of a body, in characters of JSON without white space and escapes. */
export const VALUE_CHARS_MAX = 512 * 1024;
/** What a string in short form counts for; usually less is kept. */
const LONG_TEXT_CHARS = 1024;
/** What a number, `true`, `false` or `null` counts for. */
const SCALAR_CHARS = 4;
/** The most levels that are kept. */
export const VALUE_DEPTH_MAX = 500;

interface Limits {
  readonly charsMax: number;
  readonly depthMax: number;
}

/** The value without the arrays and objects that are too large or too deep; the same value where none is. */
export function abridged(
  value: Json,
  limits: Limits = { charsMax: VALUE_CHARS_MAX, depthMax: VALUE_DEPTH_MAX },
): Json {
  return keptOf(value, limits, 0).value;
}

/** What is kept of a value on a level, and its characters. */
function keptOf(
  value: Json,
  limits: Limits,
  depth: number,
): { readonly value: Json; readonly chars: number } {
  if (typeof value === 'string')
    return { value, chars: value.length > TEXT_CHARS_WHOLE_MAX ? LONG_TEXT_CHARS : value.length + 2 };
  if (value === null || typeof value !== 'object') return { value, chars: SCALAR_CHARS };
  let chars = 2;
  if (depth < limits.depthMax) {
    // An object is copied only if something in it is omitted.
    let copy: { [key: string]: Json } | Json[] | null = null;
    for (const key of Object.keys(value)) {
      const item = (value as { readonly [key: string]: Json })[key]!;
      const kept = keptOf(item, limits, depth + 1);
      chars += kept.chars + 1 + (Array.isArray(value) ? 0 : key.length + 3);
      if (kept.value === item) continue;
      copy ??= (Array.isArray(value) ? [...(value as Json[])] : { ...value }) as { [key: string]: Json };
      Object.defineProperty(copy, key, { value: kept.value });
    }
    if (chars <= limits.charsMax) return { value: copy ?? value, chars };
  }
  const mark = { [LARGE_VALUE_MARK]: valuesIn(value) };
  const instead = Array.isArray(value) ? [mark] : mark;
  return { value: instead, chars: JSON.stringify(instead).length };
}

/** How many values were omitted here; null where none were. */
export function leftOut(value: Json | undefined): number | null {
  const mark: Json | undefined =
    Array.isArray(value) && value.length === 1 ? (value as readonly Json[])[0] : value;
  if (typeof mark !== 'object' || mark === null || Array.isArray(mark)) return null;
  const count = (mark as { readonly [name: string]: Json })[LARGE_VALUE_MARK];
  return typeof count === 'number' ? count : null;
}

/** Number of values in an array or object, on all levels, as the mark counts them; however deep it is. */
export function valuesIn(value: Json): number {
  let sum = 0;
  const open: Json[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    const count = leftOut(next);
    const items = count === null ? (Object.values(next) as readonly Json[]) : [];
    sum += count ?? Math.max(1, items.length);
    for (const item of items) if (typeof item === 'object' && item !== null) open.push(item);
  }
  return sum;
}
