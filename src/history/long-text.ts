/**
 * Short forms of long strings in a history: a text of repeated characters is kept exactly as counts, any
 * other by its beginning, its end, its length and a hash. Equal strings have equal short forms and different
 * strings different ones, so that the oracle sees the same values during a run and when the history is read
 * again.
 */
import { BoundedCache } from './bounded-cache.js';
import { hashOf, joinedHash, NO_TEXT_HASH, type TextHash } from './text-hash.js';
import type { Json } from './events.js';

/** Longer strings are kept in short form, and so is any string that looks like one. */
export const TEXT_CHARS_WHOLE_MAX = 4_096;
/** Prefix of a short form; plain ASCII. */
export const SHORT_FORM_MARK = '@runproof/long-text ';

/** A character repeated at least this many UTF-16 units is kept as a character and a count. */
const RUN_UNITS_MIN = 64;
const EXCERPT_UNITS = 1_024;
const DEPTH_MAX = 500;
/** The part of a text that messages show. */
const SHOWN_UNITS = 40;

type Piece = string | readonly [character: string, count: number];

/** `chars` counts UTF-16 units, like the length of a string; `bytes` counts bytes of UTF-8. */
type LongText =
  | { readonly chars: number; readonly bytes: number; readonly pieces: readonly Piece[] }
  | {
      readonly chars: number;
      readonly bytes: number;
      readonly head: string;
      readonly tail: string;
      readonly hash: TextHash;
    };

/** The short form of a text; the text itself where it is short enough. */
export function shortened(text: string): string {
  if (text.length <= TEXT_CHARS_WHOLE_MAX && !text.startsWith(SHORT_FORM_MARK)) return text;
  const chars = text.length;
  const bytes = Buffer.byteLength(text);
  const pieces = piecesOf(text);
  if (pieces !== null) return toShortForm({ chars, bytes, pieces });
  const [head, tail] = [text.slice(0, EXCERPT_UNITS), text.slice(-EXCERPT_UNITS)];
  return toShortForm({ chars, bytes, head, tail, hash: hashOf(text) });
}

/** The short form of an ASCII character repeated `count` times, without building the text. */
export function repeated(character: string, count: number): string {
  if (count <= TEXT_CHARS_WHOLE_MAX) return character.repeat(count);
  return toShortForm({ chars: count, bytes: count, pieces: [[character, count]] });
}

/** The value with every long string in short form; keys are not changed. The value itself where no string is long. */
export function shortenedJson(value: Json, depth = 0): Json {
  if (typeof value === 'string') return shortened(value);
  // Nothing reads values this deep, and recursion must not overflow the stack.
  if (value === null || typeof value !== 'object' || depth > DEPTH_MAX || !hasLongText(value, depth))
    return value;
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => shortenedJson(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, shortenedJson(item, depth + 1)]),
  );
}

/** No more than `shortenedJson` reads. */
function hasLongText(value: Json, depth: number): boolean {
  if (typeof value === 'string')
    return value.length > TEXT_CHARS_WHOLE_MAX || value.startsWith(SHORT_FORM_MARK);
  if (value === null || typeof value !== 'object' || depth > DEPTH_MAX) return false;
  if (Array.isArray(value)) return (value as readonly Json[]).some((item) => hasLongText(item, depth + 1));
  return Object.values(value as { readonly [name: string]: Json }).some((item) =>
    hasLongText(item, depth + 1),
  );
}

/** Applies `change` to the known parts of a kept string; length and hash stay as they were. */
export function mapKnownText(kept: string, change: (text: string) => string): string {
  const long = parseShortForm(kept);
  if (long === null) return change(kept);
  if ('head' in long) return toShortForm({ ...long, head: change(long.head), tail: change(long.tail) });
  const pieces = long.pieces.map((piece) => (typeof piece === 'string' ? change(piece) : piece));
  return toShortForm({ ...long, pieces });
}

/** UTF-16 units of the text that a kept string stands for. */
export function lengthOf(kept: string): number {
  return parseShortForm(kept)?.chars ?? kept.length;
}

/** Bytes of UTF-8 of the text that a kept string stands for. */
export function byteLengthOf(kept: string): number {
  return parseShortForm(kept)?.bytes ?? Buffer.byteLength(kept);
}

/**
 * Bytes of the JSON text of a kept value with all strings complete; escaped characters in long strings are
 * not counted exactly.
 */
export function jsonBytesOf(value: Json): number {
  let hidden = 0;
  const text = JSON.stringify(value, (_, item: unknown) => {
    const long = typeof item === 'string' ? parseShortForm(item) : null;
    if (long === null) return item;
    hidden += long.bytes;
    return '';
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
  if (depth > DEPTH_MAX) return Infinity;
  let bytes = 2;
  if (Array.isArray(value))
    for (const item of value as readonly Json[]) bytes += bytesAtMost(item, depth + 1) + 1;
  else
    for (const name of Object.keys(value))
      bytes +=
        6 * name.length + 4 + bytesAtMost((value as { readonly [key: string]: Json })[name]!, depth + 1);
  return bytes;
}

/** A kept string for readers: itself, or its beginning and length. */
export function excerptOf(kept: string): string {
  const long = parseShortForm(kept);
  if (long === null) return kept;
  const begin = 'head' in long ? long.head : expand(long.pieces, SHOWN_UNITS);
  return `${begin.slice(0, SHOWN_UNITS)}… (${long.chars} characters)`;
}

/** The text of a kept string; null where only its hash is known. */
export function wholeText(kept: string): string | null {
  return kept.startsWith(SHORT_FORM_MARK) ? recentTexts.of(kept, fullTextOf) : kept;
}

function fullTextOf(kept: string): string | null {
  const long = parseShortForm(kept);
  if (long === null) return kept;
  return 'pieces' in long ? expand(long.pieces) : null;
}

/** Whether the text of `kept` may contain that of `part`. True also where that is unknown. */
export function mayContain(kept: string, part: string): boolean {
  if (!kept.startsWith(SHORT_FORM_MARK)) return containsText(kept, part);
  return recentContainment.of(`${kept.length} ${kept}${part}`, () => containsText(kept, part));
}

function containsText(kept: string, part: string): boolean {
  const [text, piece] = [wholeText(kept), wholeText(part)];
  if (text !== null && piece !== null) return text.includes(piece);
  return lengthOf(part) <= lengthOf(kept);
}

// The same few short forms are asked for repeatedly, and building megabytes of text each time would take longer
// than the rest of judging.
/** Few, since a text may have about twenty megabytes. */
const recentTexts = new BoundedCache<string | null>(8);
const recentContainment = new BoundedCache<boolean>(1_000);
const recentDeliveries = new BoundedCache<DeliveredText | null>(1_000);

/** How much of a text has been delivered, piece by piece. */
export interface DeliveredText {
  /** UTF-16 units. */
  readonly chars: number;
  readonly hash: TextHash;
}

export const NOTHING_DELIVERED: DeliveredText = { chars: 0, hash: NO_TEXT_HASH };

/**
 * The progress after the next piece of a text; null where the piece does not match. Both are kept strings.
 * Where only the hash of the text is known, a wrong piece may be detected only with the last one.
 */
export function deliveredWith(kept: string, delivered: DeliveredText, piece: string): DeliveredText | null {
  if (delivered.chars + lengthOf(piece) > lengthOf(kept)) return null;
  if (!kept.startsWith(SHORT_FORM_MARK)) return matchNext(kept, delivered, piece);
  const asked = `${delivered.chars} ${delivered.hash.join(' ')} ${kept.length} ${kept}${piece}`;
  return recentDeliveries.of(asked, () => matchNext(kept, delivered, piece));
}

function matchNext(kept: string, delivered: DeliveredText, piece: string): DeliveredText | null {
  const pieceChars = lengthOf(piece);
  const chars = delivered.chars + pieceChars;
  const text = wholeText(kept);
  const pieceText = wholeText(piece);
  if (text !== null) {
    const same =
      pieceText !== null
        ? text.startsWith(pieceText, delivered.chars)
        : sameHash(hashOf(text.slice(delivered.chars, chars)), hashOfKept(piece));
    return same ? { chars, hash: NO_TEXT_HASH } : null;
  }
  const long = parseShortForm(kept);
  if (long === null || 'pieces' in long) return null;
  if (pieceText !== null && !matchesExcerpts(long, delivered.chars, pieceText)) return null;
  const hash = joinedHash(delivered.hash, hashOfKept(piece), pieceChars);
  return chars < long.chars || sameHash(hash, long.hash) ? { chars, hash } : null;
}

/** False where the piece contradicts the known beginning or end. */
function matchesExcerpts(
  { head, tail, chars }: { readonly head: string; readonly tail: string; readonly chars: number },
  at: number,
  piece: string,
): boolean {
  const inHead = piece.slice(0, Math.max(0, head.length - at));
  const tailAt = chars - tail.length;
  const inTail = piece.slice(Math.max(0, tailAt - at));
  return head.startsWith(inHead, at) && (inTail === '' || tail.startsWith(inTail, Math.max(0, at - tailAt)));
}

function hashOfKept(kept: string): TextHash {
  const long = parseShortForm(kept);
  if (long !== null && 'hash' in long) return long.hash;
  return hashOf(wholeText(kept) ?? '');
}

function sameHash(left: TextHash, right: TextHash): boolean {
  return left[0] === right[0] && left[1] === right[1];
}

/** Null where too little of it repeats. */
function piecesOf(text: string): readonly Piece[] | null {
  const pieces: Piece[] = [];
  let plainFrom = 0;
  let plainUnits = 0;
  const endPlain = (at: number): void => {
    if (at > plainFrom) pieces.push(text.slice(plainFrom, at));
    plainUnits += at - plainFrom;
  };
  for (let at = 0; at < text.length;) {
    const character = String.fromCodePoint(text.codePointAt(at)!);
    const end = endOfRun(text, at, character.length);
    if (end - at >= RUN_UNITS_MIN) {
      endPlain(at);
      pieces.push([character, (end - at) / character.length]);
      plainFrom = end;
    }
    at = end;
    if (plainUnits + at - plainFrom > TEXT_CHARS_WHOLE_MAX) return null;
  }
  endPlain(text.length);
  return pieces.length > TEXT_CHARS_WHOLE_MAX / RUN_UNITS_MIN ? null : pieces;
}

/** End of the run of the character of `width` units at `at`. */
function endOfRun(text: string, at: number, width: number): number {
  const [first, second] = [text.charCodeAt(at), text.charCodeAt(at + 1)];
  let end = endOfBlocks(text, at, width);
  if (width === 1) while (text.charCodeAt(end) === first) end += 1;
  else while (text.charCodeAt(end) === first && text.charCodeAt(end + 1) === second) end += 2;
  return end;
}

/** Units compared at once within a run: about ten times as fast as one by one. */
const BLOCK_UNITS = 4096;
/** A run is compared in blocks only if the same unit occurs this much further on. */
const PROBE_UNITS = 64;

/** How far whole blocks of the character extend from `at`; `at + width` where there is no whole block. */
function endOfBlocks(text: string, at: number, width: number): number {
  let end = at + width;
  if (text.charCodeAt(at) !== text.charCodeAt(at + PROBE_UNITS)) return end;
  const character = text.slice(at, end);
  const block = character.repeat(BLOCK_UNITS / width);
  while (text.slice(end, end + BLOCK_UNITS) === block) end += BLOCK_UNITS;
  return end;
}

function expand(pieces: readonly Piece[], countMax = Infinity): string {
  return pieces
    .map((piece) => (typeof piece === 'string' ? piece : piece[0].repeat(Math.min(piece[1], countMax))))
    .join('');
}

function toShortForm(long: LongText): string {
  return SHORT_FORM_MARK + JSON.stringify(long);
}

/**
 * Null for a string that is not in short form, and for a short form that was corrupted, e.g. by masked
 * secrets.
 */
function parseShortForm(kept: string): LongText | null {
  if (!kept.startsWith(SHORT_FORM_MARK)) return null;
  try {
    return JSON.parse(kept.slice(SHORT_FORM_MARK.length)) as LongText;
  } catch {
    return null;
  }
}
