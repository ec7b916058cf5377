/** Texts that are the same for equal JSON values, whatever the order of members, and however numbers and strings are written. */
import type { Json } from './events.js';

/** Deeper values are written with their members in the order in which they are. */
const DEPTH_MAX = 400;
const PIECE_CHARACTERS = 1 << 16;
const NAMES_MAX = 1_000;

/**
 * Writes the canonical text of a value in pieces: that of a large value is never there as a whole.
 *
 * @returns whether the value is nowhere so deep that the order of members counts
 */
export function writeCanonical(value: Json, take: (piece: string) => void): boolean {
  let piece = '';
  let isExact = true;
  // A large value has the same few names a million times.
  const literals = new Map<string, string>();
  const literalOf = (name: string): string => {
    const known = literals.get(name);
    if (known !== undefined) return known;
    const literal = `${JSON.stringify(name)}:`;
    if (literals.size < NAMES_MAX) literals.set(name, literal);
    return literal;
  };
  const put = (text: string): void => {
    piece += text;
    if (piece.length < PIECE_CHARACTERS) return;
    take(piece);
    piece = '';
  };
  const write = (item: Json, depth: number): void => {
    if (typeof item === 'number') return put(`${item}`);
    if (item === null || typeof item !== 'object') return put(JSON.stringify(item));
    if (depth > DEPTH_MAX) {
      isExact = false;
      return put(JSON.stringify(item));
    }
    let before = '';
    if (Array.isArray(item)) {
      put('[');
      for (const one of item as readonly Json[]) {
        if (before !== '') put(before);
        write(one, depth + 1);
        before = ',';
      }
      return put(']');
    }
    put('{');
    for (const name of inOrder(Object.keys(item))) {
      put(before + literalOf(name));
      write((item as { readonly [name: string]: Json })[name]!, depth + 1);
      before = ',';
    }
    put('}');
  };
  write(value, 0);
  take(piece);
  return isExact;
}

function inOrder(names: string[]): readonly string[] {
  for (let at = 1; at < names.length; at += 1)
    if (names[at - 1]! > names[at]!) return names.sort((left, right) => (left < right ? -1 : 1));
  return names;
}
