/** What no file may contain of a key: the key itself, and any part that would make it easier to guess. */

/** This many consecutive characters of a key are too many. */
const PART = 12;
/** Three characters are four of base64. */
const PART_64 = 16;

export interface Search {
  /** The parts of the keys in the text, with their context. */
  (text: string): readonly string[];
}

/** Finds keys whole and cut, in any case, percent-encoded, as character references, as base64 and hex. */
export function searchFor(keys: readonly string[]): Search {
  const parts = new Set<string>();
  for (const key of keys) {
    for (const form of [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1), references(key)])
      for (const part of partsOf(form.toLowerCase(), form === references(key) ? 60 : PART)) parts.add(part);
    for (const part of partsOf(Buffer.from(key).toString('hex'), 2 * PART)) parts.add(part);
  }
  const exact = new Set(
    keys.flatMap((key) => [key, swapped(key), key.toUpperCase(), key.toLowerCase()]).flatMap(encoded64),
  );
  return (text) => {
    const lower = text.toLowerCase();
    return [...found(lower, parts), ...found(text, exact)];
  };
}

function found(text: string, parts: ReadonlySet<string>): readonly string[] {
  for (const part of parts) {
    const at = text.indexOf(part);
    if (at !== -1) return [JSON.stringify(text.slice(Math.max(0, at - 60), at + part.length + 20))];
  }
  return [];
}

function partsOf(text: string, length: number): readonly string[] {
  if (text.length <= length) return [text];
  return Array.from({ length: text.length - length + 1 }, (_, at) => text.slice(at, at + length));
}

/** Whatever precedes it, a key has one of three forms in base64, except for its ends. */
function encoded64(key: string): readonly string[] {
  return [0, 1, 2].flatMap((shift) => {
    const text = Buffer.from('x'.repeat(shift) + key)
      .toString('base64')
      .replace(/=+$/, '');
    return partsOf(text.slice(shift === 0 ? 0 : 4, -4), PART_64);
  });
}

const swapped = (text: string): string =>
  [...text].map((one) => (one === one.toUpperCase() ? one.toLowerCase() : one.toUpperCase())).join('');

const references = (text: string): string =>
  [...text].map((character) => `&#${character.codePointAt(0)};`).join('');
