import { copied } from './copied.js';
import type { Body, Json } from './events.js';
import { abridged } from './large-value.js';
import { shortenedJson } from './long-text.js';

/** How much of a body that is not JSON a history keeps. */
const TEXT_CHARS_MAX = 2_000;

/**
 * The body of a request or a reply as a history keeps it; null is no body at all, and so is an empty one. Long
 * strings are kept in their short form and large values by their size (`large-value.ts`), while `bytes` is the size of the whole.
 *
 * The content type has no say: a right record under a wrong content type is one fault, not two.
 */
export function bodyOf(text: string | null): Body {
  return bodyWith(text, valueOf);
}

/** The body of a request of our own. A scenario says how large it is, and what is expected stands in it: all of it is kept. */
export function ownBodyOf(text: string | null): Body {
  return bodyWith(text, parsed);
}

function bodyWith(text: string | null, read: (text: string) => Json | undefined): Body {
  if (text === null || text === '') return { as: 'none' };
  const bytes = Buffer.byteLength(text);
  const value = read(text);
  return value === undefined
    ? { as: 'text', text: copied(text.slice(0, TEXT_CHARS_MAX)), bytes }
    : { as: 'json', value: shortenedJson(value), bytes };
}

/** What a JSON text says, as far as a history keeps it, save for long strings; undefined for any other text. */
export function valueOf(text: string): Json | undefined {
  const kept = abridged(text);
  return kept === null ? undefined : parsed(kept);
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
