/**
 * A line of the log: checksum and length, kind, and content, separated by tabs. JSON contains neither raw
 * tabs nor raw line ends, so damage stays within a line.
 */
import { crc32 } from 'node:zlib';

export type Line =
  | { readonly kind: 'row'; readonly key: string; readonly text: () => string }
  | { readonly kind: 'gone'; readonly key: string }
  | EndLine
  /** The file has at least this size from here on. */
  | { readonly kind: 'size'; readonly bytes: number };

/** Ends a write, which consists of all lines since the previous end; lists the keys of its rows. */
export interface EndLine {
  readonly kind: 'end';
  readonly seq: number;
  /** As `keyLists` makes it. */
  readonly keys: string;
}

/** Two lists of keys as the text of an end line. */
export const keyLists = (rows: readonly string[], gone: readonly string[]): string =>
  `[${rows.join()}]\t[${gone.join()}]`;

/** The keys of an end line. */
export function keysOf({ keys }: EndLine): {
  readonly rows: readonly string[];
  readonly gone: readonly string[];
} {
  const [rows, gone] = keys.split('\t');
  return { rows: keysIn(rows!), gone: keysIn(gone!) };
}

const keysIn = (text: string): string[] => (JSON.parse(text) as unknown[]).map((key) => JSON.stringify(key));

/** Checksum and length of the rest, in hexadecimal digits, and a tab. */
export const HEAD_BYTES = 17;
/** The key's own checksum, and a tab. */
const KEY_SUM_BYTES = 9;
const TAB = 0x09;

/** The values of hexadecimal digits by their ASCII codes; of all other bytes, NaN. */
const DIGIT_VALUES = Array.from({ length: 256 }, (_, code) => {
  const digit = String.fromCharCode(code);
  return /[\da-f]/.test(digit) ? Number.parseInt(digit, 16) : Number.NaN;
});

/** Parses an intact line; null when it is damaged. */
export function readLine(bytes: Buffer): Line | null {
  const { sum, end } = headOf(bytes);
  const isWhole = end === bytes.length && bytes[HEAD_BYTES - 1] === TAB && checksumOf(bytes) === sum;
  return isWhole ? contentOf(bytes) : null;
}

/** The intact line at the start of damaged bytes, and its length; null if there is none. */
export function firstLine(bytes: Buffer): { readonly line: Line; readonly length: number } | null {
  const { sum, end } = headOf(bytes);
  // The recorded length itself may be damaged.
  for (const length of [end, bytes.length]) {
    const part = bytes.subarray(0, length);
    if (length > HEAD_BYTES && part.length === length && checksumOf(part) === sum)
      return { line: contentOf(part), length };
  }
  return null;
}

const checksumOf = (bytes: Buffer): number => crc32(bytes.subarray(HEAD_BYTES));

/** `end` is the offset of the line's end; both are NaN where no number can be read. */
function headOf(bytes: Buffer): { readonly sum: number; readonly end: number } {
  return { sum: hexAt(bytes, 0), end: HEAD_BYTES + hexAt(bytes, 8) };
}

function hexAt(bytes: Buffer, from: number): number {
  let value = 0;
  for (let at = from; at < from + 8; at++) value = value * 16 + (DIGIT_VALUES[bytes[at]!] ?? Number.NaN);
  return value;
}

/** Whether the bytes can be an incomplete line. */
export function isLineBegin(bytes: Buffer): boolean {
  const head = bytes.toString('latin1', 0, HEAD_BYTES);
  return bytes.length < HEAD_BYTES ? /^[\da-f]*$/.test(head) : headOf(bytes).end > bytes.length;
}

function contentOf(bytes: Buffer): Line {
  const kindEnd = bytes.indexOf(TAB, HEAD_BYTES);
  const kind = bytes.toString('latin1', HEAD_BYTES, kindEnd);
  const keyAt = kindEnd + 1 + KEY_SUM_BYTES;
  if (kind === 'row') {
    const keyEnd = bytes.indexOf(TAB, keyAt);
    return {
      kind,
      key: bytes.toString('utf8', keyAt, keyEnd),
      text: () => bytes.toString('utf8', keyEnd + 1),
    };
  }
  if (kind === 'gone') return { kind, key: bytes.toString('utf8', keyAt) };
  if (kind === 'size') return { kind, bytes: Number(bytes.toString('latin1', kindEnd + 1)) };
  const seqEnd = bytes.indexOf(TAB, kindEnd + 1);
  const seq = Number(bytes.toString('latin1', kindEnd + 1, seqEnd));
  return { kind: 'end', seq, keys: bytes.toString('utf8', seqEnd + 1) };
}

/** What damaged lines seem to have contained. */
export interface Guess {
  /** One of them seems to have been an end line. */
  readonly end: boolean;
  /** Keys of rows that they certainly contained. */
  readonly keys: readonly string[];
  /** They may have contained other rows. */
  readonly more: boolean;
}

export function guessContent(bytes: Buffer): Guess {
  const text = bytes.toString('latin1');
  const found = text.matchAll(/\t(?:row|gone)\t([\da-f]{8})\t(\[[^\t]*\])/g);
  const keys = [...found].flatMap(([, sum, latin1]) => {
    const key = Buffer.from(latin1!, 'latin1').toString();
    return crc32(key) === Number.parseInt(sum!, 16) ? [key] : [];
  });
  const end = /\t(?:end|size)\t/.test(text);
  return { end, keys, more: headOf(bytes).end !== bytes.length || keys.length + Number(end) !== 1 };
}

/** Offsets at which lines seem to begin in bytes without a line end; the first is 0. */
export function lineBegins(bytes: Buffer): number[] {
  const found = [...bytes.toString('latin1').matchAll(/[\da-f]{16}\t(?:row|gone|end|size)\t/g)];
  return [0, ...found.map(({ index }) => index).filter((at) => at > 0)];
}
