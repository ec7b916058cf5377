/**
 * Abridges large JSON texts: a history, and whatever judges it, holds many bodies at once and walks through
 * each of them. An omitted part becomes a value of the same kind, an array or an object, that marks how many
 * values it had, how large it was, and a digest of what it was. The text is scanned once, and only omitted parts are parsed.
 */
import { createHash } from 'node:crypto';
import { writeCanonical } from './canonical.js';
import type { Json } from './events.js';
import { TEXT_CHARS_WHOLE_MAX } from './long-text.js';
import { jsonIn } from '../util/json.js';

/**
 * The member that replaces the members of an omitted object: `{"@runproof/large-value": 3000, "bytes": 9000, "sha256": "…"}`.
 * What was too deep has only the first, and so have the histories of earlier versions.
 */
export const LARGE_VALUE_MARK = '@runproof/large-value';

/** The most that is kept of a body, in characters of JSON without white space. */
export const VALUE_CHARS_MAX = 512 * 1024;
/** What a string in short form counts for; usually less is kept. */
const LONG_TEXT_CHARS = 1024;
/** What a mark counts for, which is little beside what it stands for. */
const MARK_CHARS = 28;
/** The most levels that are kept. */
export const VALUE_DEPTH_MAX = 500;
/** What has more values is not parsed, which may take a hundred bytes for each: it has no digest. */
const DIGESTED_VALUES_MAX = 2_000_000;

interface Limits {
  readonly charsMax: number;
  readonly depthMax: number;
}

const BODY: Limits = { charsMax: VALUE_CHARS_MAX, depthMax: VALUE_DEPTH_MAX };

/** What makes the digests of omitted values. */
export interface Hashing {
  update(text: string, encoding: 'utf16le'): unknown;
  digest(encoding: 'hex'): string;
}

/** An array or object that is open at the present position. */
interface Container {
  readonly from: number;
  readonly isArray: boolean;
  /** Characters kept of it. */
  chars: number;
  /** Characters except white space, those of long strings and omitted parts too. */
  all: number;
  /** Number of values in it, on all levels. */
  values: number;
}

/** Replaces the characters from `from` up to `to` by `instead`. */
interface Cut {
  readonly from: number;
  readonly to: number;
  readonly isArray: boolean;
  /** It is not only deep. */
  readonly isLarge: boolean;
  readonly values: number;
  readonly chars: number;
}

/**
 * Abridges a JSON text; gives the same text where nothing is too large. Null where brackets do not match, or what is omitted
 * is not JSON; it is not validated otherwise.
 */
export function abridged(
  text: string,
  limits: Limits = BODY,
  hashing: () => Hashing = () => createHash('sha256'),
): string | null {
  if (text.length <= Math.min(limits.charsMax, limits.depthMax)) return text;
  const cuts = new Reader(text, limits).cuts();
  if (cuts === null) return null;
  if (cuts.length === 0) return text;
  const pieces: string[] = [];
  let at = 0;
  for (const { from, to, isArray, isLarge, values, chars } of cuts) {
    const mark: Mark | null = isLarge
      ? markOf(text.slice(from, to), { [LARGE_VALUE_MARK]: values, bytes: chars }, hashing())
      : { [LARGE_VALUE_MARK]: values };
    if (mark === null) return null;
    const instead = JSON.stringify(mark);
    pieces.push(text.slice(at, from), isArray ? `[${instead}]` : instead);
    at = to;
  }
  pieces.push(text.slice(at));
  return pieces.join('');
}

/** What stands for an omitted value, inside the brackets if that is an array. */
interface Mark {
  /** How many values it has, on all levels. */
  readonly [LARGE_VALUE_MARK]: number;
  /** Of its JSON text without white space, or as many as are certain. */
  readonly bytes?: number;
  /** The same for equal values, in hexadecimal. */
  readonly sha256?: string;
}

/** Null: it is not JSON. Its text may have megabytes, and its values take some hundred. */
function markOf(text: string, mark: Mark, hash: Hashing): Mark | null {
  if (mark[LARGE_VALUE_MARK] > DIGESTED_VALUES_MAX) return mark;
  const value = jsonIn(text) as Json | undefined;
  if (value === undefined) return null;
  let bytes = 0;
  try {
    const isExact = writeCanonical(value, (piece) => {
      hash.update(piece, 'utf16le');
      bytes += Buffer.byteLength(piece);
    });
    return isExact ? { ...mark, bytes, sha256: hash.digest('hex') } : mark;
  } catch {
    // It is too deep to be walked through.
    return mark;
  }
}

/** The mark that stands for an omitted value, an array or an object; null: it is another value. */
export function markIn(value: Json | undefined): Mark | null {
  const mark = Array.isArray(value) && value.length === 1 ? (value as readonly Json[])[0] : value;
  if (typeof mark !== 'object' || mark === null || Array.isArray(mark)) return null;
  const { [LARGE_VALUE_MARK]: count, bytes, sha256 } = mark as { readonly [name: string]: Json };
  if (typeof count !== 'number') return null;
  return {
    [LARGE_VALUE_MARK]: count,
    ...(typeof bytes === 'number' && { bytes }),
    ...(typeof sha256 === 'string' && SHA256.test(sha256) && { sha256 }),
  };
}

const SHA256 = /^[0-9a-f]{64}$/;

/** How many values were omitted here; null where none were. */
export const leftOut = (value: Json | undefined): number | null => markIn(value)?.[LARGE_VALUE_MARK] ?? null;

/** Whether values may be equal of which one was omitted at least: true also where that is unknown. */
export function mayBeEqual(left: Json, right: Json): boolean {
  const [one, other] = [markIn(left)?.sha256, markIn(right)?.sha256];
  return valuesIn(left) === valuesIn(right) && (one === undefined || other === undefined || one === other);
}

/** Number of values in an array or object, on all levels, as the mark counts them. */
export function valuesIn(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  const count = leftOut(value);
  if (count !== null) return count;
  const items = Object.values(value) as readonly Json[];
  return items.reduce<number>((sum, item) => sum + valuesIn(item), Math.max(1, items.length));
}

const [SPACE, QUOTE, BACKSLASH, COMMA, COLON] = [0x20, 0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

class Reader {
  private readonly text: string;
  private readonly limits: Limits;
  /** Open containers, down to the deepest level that is kept. */
  private readonly open: Container[] = [];
  /** Number of open containers below that level. */
  private deeper = 0;
  private readonly found: Cut[] = [];

  constructor(text: string, limits: Limits) {
    this.text = text;
    this.limits = limits;
  }

  /** In order; none contains another. */
  cuts(): readonly Cut[] | null {
    const { text, open } = this;
    let keyChars = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      const around = open.at(-1);
      if (code === QUOTE) {
        const end = this.endOfString(at);
        if (end === null) return null;
        keyChars = end - at;
        if (around !== undefined) {
          around.chars += keyChars > TEXT_CHARS_WHOLE_MAX ? LONG_TEXT_CHARS : keyChars;
          around.all += keyChars + 1;
        }
        at = end;
      } else if (code === OPEN_ARRAY || code === OPEN_OBJECT) this.begin(at, code === OPEN_ARRAY);
      else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) {
        if (!this.end(at + 1, code === CLOSE_ARRAY)) return null;
      } else if (around !== undefined && code > SPACE) {
        around.chars += 1;
        around.all += 1;
        if (code === COMMA) around.values += 1;
        // Keys are never shortened.
        if (code === COLON && keyChars > TEXT_CHARS_WHOLE_MAX) around.chars += keyChars - LONG_TEXT_CHARS;
      }
    }
    return open.length === 0 ? this.found : null;
  }

  /** Position of the quote that ends the string beginning at `from`. */
  private endOfString(from: number): number | null {
    const { text } = this;
    for (let end = text.indexOf('"', from + 1); end !== -1; end = text.indexOf('"', end + 1)) {
      let slashes = 0;
      while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes += 1;
      if (slashes % 2 === 0) return end;
    }
    return null;
  }

  private begin(from: number, isArray: boolean): void {
    if (this.open.length > this.limits.depthMax) {
      this.deeper += 1;
      this.open.at(-1)!.values += 1;
    } else this.open.push({ from, isArray, chars: 2, all: 2, values: 1 });
  }

  /** False where it closes a container that is not open. */
  private end(to: number, isArray: boolean): boolean {
    const { open, found, limits } = this;
    if (this.deeper > 0) {
      this.deeper -= 1;
      return true;
    }
    const over = open.pop();
    if (over === undefined || over.isArray !== isArray) return false;
    const around = open.at(-1);
    if (around !== undefined) {
      around.values += over.values;
      around.all += over.all;
    }
    const isLarge = over.chars > limits.charsMax;
    if (!isLarge && open.length < limits.depthMax) {
      if (around !== undefined) around.chars += over.chars;
      return true;
    }
    while (found.length > 0 && found.at(-1)!.from > over.from) found.pop();
    const { from, values, all: chars } = over;
    found.push({ from, to, isArray, isLarge, values, chars });
    if (around !== undefined) around.chars += MARK_CHARS;
    return true;
  }
}
