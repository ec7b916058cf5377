import { readSync } from 'node:fs';

/** The bytes of a file between two line ends. */
export interface RawLine {
  /** Byte offset in the file. */
  readonly at: number;
  /** Without the line end. */
  readonly bytes: Buffer;
  /** False for the last one if no line end follows. */
  readonly ended: boolean;
}

const CHUNK_BYTES = 1024 * 1024;
const LINE_BYTES_MAX = 256 * 1024 * 1024;
const LINE_END = 0x0a;
/** Stands for a line that exceeds the maximum length. */
const TOO_LONG = Buffer.from('too long');

/** The raw lines of a file between two offsets. */
export function* rawLinesIn(fd: number, from: number, to: number): Generator<RawLine> {
  let begun: Buffer[] = [];
  let begunBytes = 0;
  let at = from;
  const take = (last: Buffer): Buffer =>
    begunBytes > LINE_BYTES_MAX ? TOO_LONG : begun.length === 0 ? last : Buffer.concat([...begun, last]);
  for (let place = from; place < to;) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, to - place));
    const read = readSync(fd, chunk, 0, chunk.length, place);
    if (read === 0) break;
    let begin = 0;
    for (let end = 0; (end = chunk.subarray(0, read).indexOf(LINE_END, begin)) !== -1; begin = end + 1) {
      yield { at, bytes: take(chunk.subarray(begin, end)), ended: true };
      at = place + end + 1;
      begun = [];
      begunBytes = 0;
    }
    begunBytes += read - begin;
    if (begunBytes > LINE_BYTES_MAX) begun = [];
    else begun.push(chunk.subarray(begin, read));
    place += read;
  }
  if (begunBytes > 0) yield { at, bytes: take(Buffer.alloc(0)), ended: false };
}

/** The offset at which the trailing zeros begin. */
export function endOfText(fd: number, size: number): number {
  for (let to = size; to > 0; to -= CHUNK_BYTES) {
    const from = Math.max(0, to - CHUNK_BYTES);
    const chunk = Buffer.alloc(to - from);
    readSync(fd, chunk, 0, chunk.length, from);
    for (let at = chunk.length - 1; at >= 0; at--) if (chunk[at] !== 0) return from + at + 1;
  }
  return 0;
}

/** The unit that a disk writes atomically. */
const SECTOR_BYTES = 512;

/** Whether a sector that begins between the two offsets was never written, i.e. is all zeros. */
export function hasUnwritten(fd: number, from: number, to: number): boolean {
  const sector = Buffer.alloc(SECTOR_BYTES);
  const zeros = Buffer.alloc(SECTOR_BYTES);
  for (let at = Math.ceil(from / SECTOR_BYTES) * SECTOR_BYTES; at < to; at += SECTOR_BYTES)
    if (readSync(fd, sector, 0, SECTOR_BYTES, at) === SECTOR_BYTES && sector.equals(zeros)) return true;
  return false;
}
