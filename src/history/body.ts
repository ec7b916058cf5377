import { copied } from './copied.js';
import type { Body, Json } from './events.js';
import { shortenedJson } from './long-text.js';

/** How much of a body that is not JSON a history keeps. */
const TEXT_CHARS_MAX = 2_000;

/**
 * The body of a request or a reply as a history keeps it; null is no body at all, and so is an empty one. Long
 * strings are kept in their short form, while `bytes` is the size of the whole.
 *
 * The content type has no say: a right record under a wrong content type is one fault, not two.
 */
export function bodyOf(text: string | null): Body {
  if (text === null || text === '') return { as: 'none' };
  const bytes = Buffer.byteLength(text);
  const value = parsed(text);
  return value === undefined
    ? { as: 'text', text: copied(text.slice(0, TEXT_CHARS_MAX)), bytes }
    : { as: 'json', value: shortenedJson(value), bytes };
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
