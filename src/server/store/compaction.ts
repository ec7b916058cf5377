/** Copies what is current of a log into the log that replaces it, while the first one is in use. */
import { readSync } from 'node:fs';
import { createLineWriter } from './line-writer.js';
import { createChecker, type Checked, type LineRange } from './log-check.js';
import { rawLinesIn } from './raw-lines.js';
import { ROWS_PER_WRITE, type ReplacementLog } from './replacement-log.js';

/** Other work gets a turn after this many bytes read or copied. */
export const TURN_BYTES = 1024 * 1024;

/** Lets other work have its turn; rejects when the log is being closed. */
export type GiveTurn = () => Promise<void>;

/** Reads the log up to an offset. */
export async function checkInTurns(
  fd: number,
  { until, fileBytes }: { readonly until: number; readonly fileBytes: number },
  giveTurn: GiveTurn,
): Promise<Checked> {
  const checker = createChecker(fd, fileBytes);
  let turnAt = TURN_BYTES;
  for (const rawLine of rawLinesIn(fd, 0, until)) {
    checker.take(rawLine);
    if (rawLine.at < turnAt) continue;
    turnAt = rawLine.at + TURN_BYTES;
    await giveTurn();
  }
  return checker.finish(until);
}

/** Copies the current rows, as writes of which the last one has the number of the log's last write. */
export async function copyRows(
  replacement: ReplacementLog,
  fd: number,
  { rows, seq }: Checked,
  giveTurn: GiveTurn,
): Promise<void> {
  const writer = createLineWriter();
  const read = createForwardReader(fd);
  let at = seq - Math.ceil(rows.size / ROWS_PER_WRITE);
  let keys: string[] = [];
  let copied = 0;
  const endWrite = (): Promise<void> => {
    writer.addEnd(++at, keys, []);
    keys = [];
    return replacement.add(writer.take());
  };
  for (const [key, range] of rows) {
    writer.addBytes(read(range));
    copied += range.bytes;
    if (keys.push(key) === ROWS_PER_WRITE) await endWrite();
    if (copied < TURN_BYTES) continue;
    copied = 0;
    await giveTurn();
  }
  if (keys.length > 0) await endWrite();
}

/** Copies the writes between two offsets without size lines, as the new file records its own size. */
export async function copyWrites(
  replacement: ReplacementLog,
  fd: number,
  {
    from,
    to,
    sizeLines,
  }: { readonly from: number; readonly to: number; readonly sizeLines: readonly LineRange[] },
): Promise<void> {
  const read = createForwardReader(fd);
  let at = from;
  const between = sizeLines.filter((line) => line.at >= from && line.at < to);
  for (const next of [...between, { at: to, bytes: 0 }]) {
    for (let bytes = 0; at < next.at; at += bytes) {
      bytes = Math.min(TURN_BYTES, next.at - at);
      await replacement.add(read({ at, bytes }));
    }
    at += next.bytes;
  }
}

/** Reads ranges in ascending order, many of them at once. */
function createForwardReader(fd: number): (range: LineRange) => Buffer {
  let chunk = Buffer.alloc(0);
  let chunkAt = 0;
  return ({ at, bytes }) => {
    if (at + bytes > chunkAt + chunk.length) {
      chunk = Buffer.allocUnsafeSlow(Math.max(TURN_BYTES, bytes));
      chunk = chunk.subarray(0, readSync(fd, chunk, 0, chunk.length, at));
      chunkAt = at;
      if (chunk.length < bytes) throw new Error('the log is shorter than it was');
    }
    return chunk.subarray(at - chunkAt, at - chunkAt + bytes);
  };
}
