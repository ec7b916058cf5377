/** How large the JSON texts are for which kept values stand. */
import type { Json } from './events.js';
import { markIn } from './large-value.js';
import { byteLengthOf, SHORT_FORM_MARK } from './long-text.js';

const DEPTH_MAX = 500;

/**
 * Bytes of the JSON text of a kept value with all strings and all omitted values complete; escaped characters in long strings
 * are not counted exactly.
 */
export function jsonBytesOf(value: Json): number {
  let hidden = 0;
  // What stands for it has two bytes: the quotes of an empty text.
  const hide = (bytes: number, counted: number): string => {
    hidden += bytes - counted;
    return '';
  };
  const text = JSON.stringify(value, (_, item: Json) => {
    if (typeof item === 'string')
      return item.startsWith(SHORT_FORM_MARK) ? hide(byteLengthOf(item), 0) : item;
    const bytes = markIn(item)?.bytes;
    return bytes === undefined ? item : hide(bytes, 2);
  });
  return Buffer.byteLength(text) + hidden;
}

/** Whether its JSON text is longer than `bytesMax`. Small values are not serialized for this. */
export function exceedsBytes(value: Json, bytesMax: number): boolean {
  return bytesAtMost(value, 0) > bytesMax && jsonBytesOf(value) > bytesMax;
}

/** A quick upper bound: every character escaped, every number at its longest. */
function bytesAtMost(value: Json, depth: number): number {
  if (typeof value === 'string') return value.startsWith(SHORT_FORM_MARK) ? Infinity : 6 * value.length + 2;
  if (value === null || typeof value !== 'object') return 32;
  if (depth > DEPTH_MAX || markIn(value) !== null) return Infinity;
  let bytes = 2;
  if (Array.isArray(value))
    for (const item of value as readonly Json[]) bytes += bytesAtMost(item, depth + 1) + 1;
  else
    for (const name of Object.keys(value))
      bytes +=
        6 * name.length + 4 + bytesAtMost((value as { readonly [key: string]: Json })[name]!, depth + 1);
  return bytes;
}
