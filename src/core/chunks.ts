/** Section 4.4: splits what a handler produces into chunks of limited size. */
import type { Json } from '../history/events.js';
import type { Rules } from './rules.js';
import type { ChunkMeasure } from './rules/streams.js';

type BytesOf = (codePoint: number) => number;

/** Bytes of a character in UTF-8; a lone surrogate counts as the replacement character. */
const utf8Bytes: BytesOf = (codePoint) =>
  codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;

/** Bytes of a character in UTF-8 within a JSON string, as `JSON.stringify` writes it. */
const jsonBytes: BytesOf = (codePoint) => {
  if (codePoint < 0x20) return codePoint >= 8 && codePoint <= 13 && codePoint !== 11 ? 2 : 6;
  if (codePoint === 0x22 || codePoint === 0x5c) return 2;
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return 6; // a lone surrogate is written as \udxxx
  return utf8Bytes(codePoint);
};

/** The size of a value as JSON, in bytes of UTF-8. */
export function jsonBytesOf(value: Json): number {
  let bytes = 0;
  for (const character of JSON.stringify(value)) bytes += utf8Bytes(character.codePointAt(0)!);
  return bytes;
}

/** A character that takes more than a byte, at least within a JSON string. */
const NOT_PLAIN = /[^\x20\x21\x23-\x5b\x5d-\x7e]/;

/** Splits a text into pieces of at most `limit` bytes each, between characters. */
export function splitText(text: string, limit: number, bytesOf: BytesOf = utf8Bytes): string[] {
  if (text.length <= limit && !NOT_PLAIN.test(text)) return [text];
  const pieces: string[] = [];
  let start = 0;
  let bytes = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    // Shortcut for plain characters: a result may have millions of them.
    const isPlain = unit >= 0x20 && unit < 0x7f && unit !== 0x22 && unit !== 0x5c;
    const codePoint = isPlain ? unit : text.codePointAt(at)!;
    const size = isPlain ? 1 : bytesOf(codePoint);
    if (bytes + size > limit && at > start) {
      pieces.push(text.slice(start, at));
      start = at;
      bytes = 0;
    }
    bytes += size;
    if (codePoint > 0xffff) at++;
  }
  pieces.push(text.slice(start));
  return pieces;
}

/** The outputs of the chunks of one incremental result. */
export function splitOutput(rules: Rules, output: Json, metrics?: Json): readonly Json[] {
  const measure = rules.chunkMeasure();
  const frame = measure === 'whole-chunk' ? jsonBytesOf(rules.chunkOf('', metrics)) - 2 : 0;
  return splitWithin(rules, output, measure, rules.chunkBytesMax() - frame, metrics);
}

function splitWithin(
  rules: Rules,
  output: Json,
  measure: ChunkMeasure,
  limit: number,
  metrics?: Json,
): readonly Json[] {
  const plainText = typeof output === 'string' && measure === 'output-text';
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  if (text.length * 6 + 2 <= limit) return [output]; // no character takes more than 6 bytes
  const asJson = !plainText && typeof output === 'string';
  const [whole] = splitText(text, limit - (asJson ? 2 : 0), asJson ? jsonBytes : utf8Bytes);
  if (whole === text) return [output];
  switch (rules.splits(output, metrics)) {
    case 'not':
      return [output];
    case 'by-elements':
      if (Array.isArray(output) && output.length > 1)
        return groups(rules, output as readonly Json[], measure, limit);
      break;
    case 'in-parts':
      return splitText(text, limit - PART_FRAME_BYTES, jsonBytes).map((json, part) => ({ part, json }));
    case 'as-text':
      break;
  }
  return plainText || measure === 'output-text'
    ? splitText(text, limit)
    : splitText(text, limit - 2, jsonBytes);
}

/** The size of `{"part":12345678,"json":""}`. */
const PART_FRAME_BYTES = 28;

/** Halves a list until each part is within the limit. */
function groups(rules: Rules, list: readonly Json[], measure: ChunkMeasure, limit: number): readonly Json[] {
  const middle = list.length >> 1;
  return [list.slice(0, middle), list.slice(middle)].flatMap((half) =>
    splitWithin(rules, half, measure, limit),
  );
}
