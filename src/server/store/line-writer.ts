import { crc32 } from 'node:zlib';
import { HEAD_BYTES, keyLists } from './line.js';
import type { Row } from './rows.js';

/** Writes lines as bytes; `line.ts` reads them. */
export interface LineWriter {
  addRow(key: string, text: string): void;
  addGone(key: string): void;
  /** Adds bytes as they are. */
  addBytes(bytes: Uint8Array): void;
  /** Ends a write: lists the keys of its rows. */
  addEnd(seq: number, rows: readonly string[], gone: readonly string[]): void;
  addSize(bytes: number): void;
  /** All bytes so far, valid until the next line is added; the next line is the first again. */
  take(): Buffer;
}

const SIZE_DIGITS = 15;
const TAB = 0x09;
const LINE_END = 0x0a;
/** The most bytes that a UTF-16 unit of a string takes as UTF-8. */
const UNIT_BYTES_MAX = 3;
/** A larger buffer is not kept for the next lines. */
const KEPT_BYTES_MAX = 4 * 1024 * 1024;
const FIRST_BYTES = 64 * 1024;

const DIGITS = Buffer.from('0123456789abcdef');

/** Eight hexadecimal digits. */
function putHex(bytes: Buffer, at: number, value: number): void {
  for (let digit = 7, rest = value; digit >= 0; digit--, rest >>>= 4) bytes[at + digit] = DIGITS[rest & 15]!;
}

const ROW = Buffer.from('row\t');
const GONE = Buffer.from('gone\t');
const KEY_SUM_BYTES = 9;

export function createLineWriter(): LineWriter {
  let bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  let end = 0;

  function makeRoom(more: number): void {
    if (end + more <= bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * bytes.length, end + more));
    bytes.copy(larger, 0, 0, end);
    bytes = larger;
  }

  /** Adds a line whose content may begin with these bytes and a key's checksum. */
  function addLine(kind: Buffer | null, key: string, content: string): void {
    makeRoom(HEAD_BYTES + GONE.length + KEY_SUM_BYTES + content.length * UNIT_BYTES_MAX + 1);
    const from = end + HEAD_BYTES;
    let to = from;
    if (kind !== null) {
      to += kind.copy(bytes, to);
      // The key has its own checksum, so that it can be trusted where the rest of the line is damaged.
      putHex(bytes, to, crc32(key));
      bytes[to + KEY_SUM_BYTES - 1] = TAB;
      to += KEY_SUM_BYTES;
    }
    to += bytes.write(content, to);
    putHex(bytes, end, crc32(bytes.subarray(from, to)));
    putHex(bytes, end + 8, to - from);
    bytes[from - 1] = TAB;
    bytes[to] = LINE_END;
    end = to + 1;
  }

  return {
    addRow: (key, text) => addLine(ROW, key, `${key}\t${text}`),
    addGone: (key) => addLine(GONE, key, key),
    addBytes(more) {
      makeRoom(more.length);
      bytes.set(more, end);
      end += more.length;
    },
    addEnd: (seq, rows, gone) => addLine(null, '', `end\t${seq}\t${keyLists(rows, gone)}`),
    addSize: (size) => addLine(null, '', `size\t${String(size).padStart(SIZE_DIGITS, '0')}`),
    take() {
      const taken = bytes.subarray(0, end);
      if (bytes.length > KEPT_BYTES_MAX) bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
      end = 0;
      return taken;
    },
  };
}

/** The bytes of one complete write, valid until the writer is used again. */
export function writeOf(writer: LineWriter, seq: number, rows: readonly Row[]): Buffer {
  const there: string[] = [];
  const gone: string[] = [];
  // What one that failed has left.
  writer.take();
  for (const [parts, text] of rows) {
    const key = JSON.stringify(parts);
    if (text === null) {
      gone.push(key);
      writer.addGone(key);
    } else {
      there.push(key);
      writer.addRow(key, text);
    }
  }
  writer.addEnd(seq, there, gone);
  return writer.take();
}

/** A size line; always of the same length. */
export function sizeLine(bytes: number): Buffer {
  const writer = createLineWriter();
  writer.addSize(bytes);
  return writer.take();
}
export const SIZE_LINE_BYTES = sizeLine(0).length;
