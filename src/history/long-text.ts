/**
 * Short forms of long strings in a history: a text of repeated characters is kept exactly as counts, any
 * other by its beginning, its length and its digest. Equal strings have equal short forms and different
 * strings different ones, so that the oracle sees the same values during a run and when the history is read
 * again. The texts themselves are not kept: a worker that makes images answers with megabytes for each job.
 */
import { createHash } from 'node:crypto';
import type { Json } from './events.js';
import { jsonIn } from '../util/json.js';

/** Longer strings are kept in short form, and so is any string that looks like one. */
export const TEXT_CHARS_WHOLE_MAX = 4_096;
/** Prefix of a short form; plain ASCII. */
export const SHORT_FORM_MARK = '@runproof/long-text ';

/** A character repeated at least this many UTF-16 units is kept as a character and a count. */
const RUN_UNITS_MIN = 64;
const HEAD_UNITS = 1_024;
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
      /** In hexadecimal. Absent in the histories of earlier versions. */
      readonly sha256?: string;
      /** Only in the histories of earlier versions. */
      readonly tail?: string;
    };

/** The short form of a text; the text itself where it is short enough. */
export function shortened(text: string): string {
  if (!isLong(text)) return text;
  const lengths = { chars: text.length, bytes: Buffer.byteLength(text) };
  const pieces = piecesOf(text);
  if (pieces !== null) return toShortForm({ ...lengths, pieces });
  return toShortForm({ ...lengths, head: text.slice(0, HEAD_UNITS), sha256: sha256Of(text) });
}

const isLong = (text: string): boolean =>
  text.length > TEXT_CHARS_WHOLE_MAX || text.startsWith(SHORT_FORM_MARK);

/** Of UTF-16, which keeps unpaired surrogates apart. */
const sha256Of = (text: string): string => createHash('sha256').update(text, 'utf16le').digest('hex');

/** The short form of an ASCII character repeated `count` times, without building the text. */
export function repeated(character: string, count: number): string {
  if (count <= TEXT_CHARS_WHOLE_MAX) return character.repeat(count);
  return toShortForm({ chars: count, bytes: count, pieces: [[character, count]] });
}

/** The short form of a text of which only this is known. */
export const digestedText = (known: {
  readonly chars: number;
  readonly bytes: number;
  readonly sha256: string;
}): string => toShortForm({ ...known, head: '' });

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
  if (typeof value === 'string') return isLong(value);
  if (value === null || typeof value !== 'object' || depth > DEPTH_MAX) return false;
  if (Array.isArray(value)) return (value as readonly Json[]).some((item) => hasLongText(item, depth + 1));
  return Object.values(value as { readonly [name: string]: Json }).some((item) =>
    hasLongText(item, depth + 1),
  );
}

/** Applies `change` to the known parts of a kept string; length and digest stay as they were. */
export function mapKnownText(kept: string, change: (text: string) => string): string {
  const long = parseShortForm(kept);
  if (long === null) return change(kept);
  if ('head' in long)
    return toShortForm({ ...long, head: change(long.head), ...(long.tail && { tail: change(long.tail) }) });
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

/** A kept string for readers: itself, or its beginning and length. */
export function excerptOf(kept: string): string {
  if (parseShortForm(kept) === null) return kept;
  return `${beginningOf(kept).slice(0, SHOWN_UNITS)}… (${lengthOf(kept)} characters)`;
}

/** As much of the text as is known from its beginning on; of repeated characters at least what messages show. */
function beginningOf(kept: string): string {
  const long = parseShortForm(kept);
  if (long === null) return kept;
  return 'head' in long ? long.head : expand(long.pieces, SHOWN_UNITS);
}

/** Few, since a text may have about twenty megabytes. */
const RECENT_TEXTS_MAX = 8;
/** The same few texts are asked for repeatedly, and building them each time would take longer than the rest of judging. */
const recentTexts = new Map<string, string | null>();

/** The text of a kept string; null where only its digest is known. */
export function wholeText(kept: string): string | null {
  if (!kept.startsWith(SHORT_FORM_MARK)) return kept;
  let text = recentTexts.get(kept);
  if (text === undefined) {
    if (recentTexts.size >= RECENT_TEXTS_MAX) recentTexts.clear();
    recentTexts.set(kept, (text = fullTextOf(kept)));
  }
  return text;
}

function fullTextOf(kept: string): string | null {
  const long = parseShortForm(kept);
  if (long === null) return kept;
  return 'pieces' in long ? expand(long.pieces) : null;
}

/** Whether the text of `kept` may contain that of `part`. True also where that is unknown. */
export function mayContain(kept: string, part: string): boolean {
  const [text, piece] = [wholeText(kept), wholeText(part)];
  if (text !== null && piece !== null) return text.includes(piece);
  return lengthOf(part) <= lengthOf(kept);
}

/**
 * Whether the text of `kept` may have that of `piece` at this position. True also where that is unknown: of a text that
 * does not repeat itself, only the beginning and the whole can be compared.
 */
export function mayHaveAt(kept: string, position: number, piece: string): boolean {
  const end = position + lengthOf(piece);
  if (end > lengthOf(kept)) return false;
  const [text, pieceText] = [wholeText(kept), wholeText(piece)];
  if (text !== null && pieceText !== null) return text.startsWith(pieceText, position);
  if (text !== null) return mayBeSame(sha256Of(text.slice(position, end)), digestIn(piece));
  if (pieceText === null)
    return lengthOf(piece) < lengthOf(kept) || mayBeSame(digestIn(kept), digestIn(piece));
  const head = beginningOf(kept).slice(position);
  return head.startsWith(pieceText.slice(0, head.length));
}

const digestIn = (kept: string): string | undefined => {
  const long = parseShortForm(kept);
  return long !== null && 'head' in long ? long.sha256 : undefined;
};

/** Earlier versions kept another digest. */
const mayBeSame = (one: string | undefined, other: string | undefined): boolean =>
  one === undefined || other === undefined || one === other;

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
  const long = at + RUN_UNITS_MIN;
  let end = at + width;
  if (width === 1) while (end < long && text.charCodeAt(end) === first) end += 1;
  else while (end < long && text.charCodeAt(end) === first && text.charCodeAt(end + 1) === second) end += 2;
  return end < long ? end : endOfLongRun(text, at, width);
}

/** There may be millions: as many as are known are compared with as many that follow, and by halves at the end. */
function endOfLongRun(text: string, at: number, width: number): number {
  let units = RUN_UNITS_MIN;
  let end = at + units;
  const goesOn = (): boolean => text.slice(at, at + units) === text.slice(end, end + units);
  for (; goesOn(); units *= 2) end += units;
  for (; units >= width; units /= 2) if (goesOn()) end += units;
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
  return (jsonIn(kept.slice(SHORT_FORM_MARK.length)) ?? null) as LongText | null;
}
