/** Section 4.4: splits what a handler produces into chunks whose JSON has at most so many bytes. */
import type { Json } from '../history/events.js';

/** Bytes that a character takes inside a JSON string, as `JSON.stringify` writes it, in UTF-8. */
function jsonBytes(codePoint: number): number {
  if (codePoint < 0x20) return [8, 9, 10, 12, 13].includes(codePoint) ? 2 : 6;
  if (codePoint === 0x22 || codePoint === 0x5c) return 2;
  if (codePoint < 0x80) return 1;
  if (codePoint < 0x800) return 2;
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return 6; // a lone surrogate is written as \udxxx
  return codePoint < 0x10000 ? 3 : 4;
}

function textBytesUpTo(text: string, limit: number): number {
  let bytes = 0;
  for (let at = 0; at < text.length && bytes <= limit; at++) {
    const codePoint = text.codePointAt(at)!;
    bytes += jsonBytes(codePoint);
    if (codePoint > 0xffff) at++;
  }
  return bytes;
}

/** Pieces which take at most `limit` bytes each inside a JSON string; joined, they are the text. */
export function splitText(text: string, limit: number): string[] {
  const pieces: string[] = [];
  let start = 0;
  let bytes = 0;
  for (let at = 0; at < text.length; at++) {
    const codePoint = text.codePointAt(at)!;
    const size = jsonBytes(codePoint);
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

/**
 * The outputs of the chunks into which one output goes. `bytesMax` bounds the JSON of the chunk, `wrap` makes
 * the chunk. What is no string and too large goes as the pieces of its JSON: the document says only that
 * larger outputs are split.
 */
export function splitOutput(output: Json, bytesMax: number, wrap: (output: Json) => Json): Json[] {
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  const roomFor = bytesMax - JSON.stringify(wrap('')).length;
  const fitsSurely = text.length * 6 <= roomFor;
  if (fitsSurely) return [output];
  if (typeof output !== 'string' && utf8Bytes(JSON.stringify(wrap(output)), bytesMax) <= bytesMax)
    return [output];
  if (typeof output === 'string' && textBytesUpTo(output, roomFor) <= roomFor) return [output];
  return splitText(text, Math.max(6, roomFor));
}

function utf8Bytes(text: string, limit: number): number {
  let bytes = 0;
  for (let at = 0; at < text.length && bytes <= limit; at++) {
    const unit = text.charCodeAt(at);
    // Either half of a surrogate pair counts 2: together they are the 4 bytes they take.
    bytes += unit < 0x80 ? 1 : unit < 0x800 ? 2 : unit >= 0xd800 && unit <= 0xdfff ? 2 : 3;
  }
  return bytes;
}
