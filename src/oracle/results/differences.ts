/** Where two JSON values differ. */
import type { Json } from '../../history/events.js';
import { brief, isObject, sameJson } from '../observed/reading.js';

export interface Difference {
  /** The names of the members that lead there; an array's are its places. */
  readonly names: readonly string[];
  readonly expected: Json | undefined;
  readonly got: Json | undefined;
}

/** The innermost differences, in order, so many at the most. */
export function differencesOf(
  expected: Json | undefined,
  got: Json | undefined,
  most: number,
  names: readonly string[] = [],
): readonly Difference[] {
  if (sameJson(expected, got)) return [];
  const [left, right] = [membersOf(expected), membersOf(got)];
  if (left === null || right === null || Array.isArray(expected) !== Array.isArray(got))
    return [{ names, expected, got }];
  const found: Difference[] = [];
  for (const name of new Set([...left.keys(), ...right.keys()])) {
    if (found.length >= most) break;
    found.push(...differencesOf(left.get(name), right.get(name), most - found.length, [...names, name]));
  }
  return found;
}

function membersOf(value: Json | undefined): Map<string, Json> | null {
  if (Array.isArray(value))
    return new Map((value as readonly Json[]).map((item, index) => [`${index}`, item]));
  return isObject(value) ? new Map(Object.entries(value)) : null;
}

/** What was made of which value, in whatever list it stood: what is changed alike elsewhere has the same words. */
export function inWords({ names, expected, got }: Difference): string {
  if (typeof expected === 'string' && typeof got === 'string' && isBeyondAscii(expected, got))
    return 'characters beyond ASCII became others';
  const name = names.at(-1) ?? '';
  return `${PLACE.test(name) ? '' : name}: ${brief(expected, WORDS_MAX)} became ${brief(got, WORDS_MAX)}`;
}

/** Of one text the other holds all that is ASCII, in order: whatever became of the rest. */
function isBeyondAscii(expected: string, got: string): boolean {
  const parts = expected.split(BEYOND_ASCII);
  const [first, last] = [parts[0]!, parts.at(-1)!];
  if (parts.length === 1 || !got.startsWith(first) || !got.endsWith(last)) return false;
  let from = 0;
  for (const part of parts) {
    const at = got.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return true;
}

const BEYOND_ASCII = /[^\0-\x7f]+/;

/** In a list. */
const PLACE = /^\d+$/;

const WORDS_MAX = 200;
