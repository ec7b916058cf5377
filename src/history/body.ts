import { copied } from './copied.js';
import type { Body, Json } from './events.js';
import { abridged } from './large-value.js';
import { jsonBytesOf } from './json-size.js';
import { shortenedJson, TEXT_CHARS_WHOLE_MAX } from './long-text.js';
import { jsonIn } from '../util/json.js';

/** How much of a body that is not JSON a history keeps. */
const TEXT_CHARS_MAX = 2_000;

/**
 * The body of a request or a reply as a history keeps it; empty and missing bodies are `none`. Long strings
 * are kept in their short form and large values by their size (`large-value.ts`); `bytes` is the original
 * size.
 *
 * The content type is ignored: a correct record with a wrong content type is one defect, not two.
 */
export function bodyOf(text: string | null): Body {
  return bodyWith(text, valueOf);
}

/**
 * The body of a request of the harness. It is kept completely: its size is limited by the scenario, and
 * expected values are taken from it.
 */
export function ownBodyOf(text: string | null): Body {
  return bodyWith(text, (own) => jsonIn(own) as Json | undefined);
}

/** A body that has its texts in short form already. */
export function shortBodyOf(text: string | null): Body {
  const value = jsonIn(text) as Json | undefined;
  return value === undefined ? bodyOf(text) : { as: 'json', value, bytes: jsonBytesOf(value) };
}

function bodyWith(text: string | null, read: (text: string) => Json | undefined): Body {
  if (text === null || text === '') return { as: 'none' };
  const bytes = Buffer.byteLength(text);
  const value = read(text);
  return value === undefined
    ? { as: 'text', text: copied(text.slice(0, TEXT_CHARS_MAX)), bytes }
    : { as: 'json', value: mayHoldLongText(text) ? shortenedJson(value) : value, bytes };
}

/** False only where no string of the JSON text is kept in short form. */
function mayHoldLongText(text: string): boolean {
  // The mark of a short form begins with an at sign, which may be escaped.
  return text.length > TEXT_CHARS_WHOLE_MAX || text.includes('@') || text.includes('\\u');
}

/**
 * The value of a JSON text as a history keeps it, except that long strings are complete; undefined for any
 * other text.
 */
export function valueOf(text: string): Json | undefined {
  return jsonIn(abridged(text)) as Json | undefined;
}
