/**
 * A line of the log: checksum and length, kind, and content, separated by tabs. JSON contains neither raw
 * tabs nor raw line ends, so damage stays within a line.
 */
import { crc32 } from 'node:zlib';
import type { Row } from './rows.js';

export type Line =
  | { readonly kind: 'row'; readonly key: string; readonly text: () => string }
  | { readonly kind: 'gone'; readonly key: string }
  /** Ends a write, which consists of all lines since the previous end; lists the keys of its rows. */
  | {
      readonly kind: 'end';
      readonly seq: number;
      readonly rows: readonly string[];
      readonly gone: readonly string[];
    }
  /** The file has at least this size from here on. */
  | { readonly kind: 'size'; readonly bytes: number };

/** Checksum and length of the rest, in hexadecimal digits, and a tab. */
const HEAD_BYTES = 17;
/** The key's own checksum, and a tab. */
const KEY_SUM_BYTES = 9;
const TAB = 0x09;
const SIZE_DIGITS = 15;

const hex = (value: number): string => value.toString(16).padStart(8, '0');
const lineOf = (content: string): string =>
  `${hex(crc32(content))}${hex(Buffer.byteLength(content))}\t${content}\n`;

/** A size line; always of the same length. */
export const sizeLine = (bytes: number): string =>
  lineOf(`size\t${String(bytes).padStart(SIZE_DIGITS, '0')}`);
export const SIZE_LINE_BYTES = sizeLine(0).length;

export const endLine = (seq: number, rows: readonly string[], gone: readonly string[]): string =>
  lineOf(`end\t${seq}\t[${rows.join()}]\t[${gone.join()}]`);

/** The text of one complete write. */
export function writeOf(seq: number, rows: readonly Row[]): string {
  const there: string[] = [];
  const gone: string[] = [];
  let lines = '';
  for (const [parts, text] of rows) {
    const key = JSON.stringify(parts);
    (text === null ? gone : there).push(key);
    // The key has its own checksum, so that it can be trusted where the rest of the line is damaged.
    const marked = `${hex(crc32(key))}\t${key}`;
    lines += lineOf(text === null ? `gone\t${marked}` : `row\t${marked}\t${text}`);
  }
  return lines + endLine(seq, there, gone);
}

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
  const head = bytes.toString('latin1', 0, HEAD_BYTES);
  const number = (text: string): number =>
    /^[\da-f]{8}$/.test(text) ? Number.parseInt(text, 16) : Number.NaN;
  return { sum: number(head.slice(0, 8)), end: HEAD_BYTES + number(head.slice(8, 16)) };
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
  const content = (): string => bytes.toString('utf8', kindEnd + 1);
  if (kind === 'size') return { kind, bytes: Number(content()) };
  const [seq, rows, gone] = content().split('\t');
  return { kind: 'end', seq: Number(seq), rows: keysIn(rows!), gone: keysIn(gone!) };
}

const keysIn = (text: string): string[] => (JSON.parse(text) as unknown[]).map((key) => JSON.stringify(key));

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
