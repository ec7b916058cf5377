import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createLineWriter, SIZE_LINE_BYTES, sizeLine, writeOf } from './line-writer.js';
import type { Key, Row } from './rows.js';

/** A new log that is written next to the old one and then replaces it. */
export interface ReplacementLog {
  readonly file: FileHandle;
  add(lines: Buffer): Promise<void>;
  /**
   * Writes it to disk and puts it in place of the old log; the rename itself survives a power cut only after
   * `syncFolder`. The file stays open.
   */
  finish(): Promise<{ readonly end: number; readonly size: number }>;
  /** Deletes it. */
  discard(): Promise<void>;
}

/** Readable by the owner only: jobs contain secrets. */
const MODE = 0o600;
/** The file grows in steps of this size, and in larger ones when it is large itself: each step takes a sync. */
const ROOM_BYTES = 256 * 1024;
const LARGE_BYTES = 4 * 1024 * 1024;
const LARGE_ROOM_BYTES = 1024 * 1024;
export const ROWS_PER_WRITE = 500;

/** File size for a given end, with room for a line that records the new size. */
export function sizeFor(end: number): number {
  const room = end < LARGE_BYTES ? ROOM_BYTES : LARGE_ROOM_BYTES;
  return Math.ceil((end + 1 + SIZE_LINE_BYTES) / room) * room;
}

export async function createReplacementLog(path: string): Promise<ReplacementLog> {
  const name = `${path}.new`;
  await rm(name, { force: true });
  const file = await open(name, 'wx+', MODE);
  let end = SIZE_LINE_BYTES;
  return {
    file,
    async add(lines) {
      await writeAll(file, lines, end);
      end += lines.length;
    },
    async finish() {
      const size = sizeFor(end);
      await writeZeros(file, end, size);
      await writeAll(file, sizeLine(size), 0);
      await file.datasync();
      await rename(name, path);
      return { end, size };
    },
    async discard() {
      await file.close();
      await rm(name, { force: true });
    },
  };
}

/** Creates a complete log and replaces one of that name. */
export async function createLog(
  path: string,
  rows: Iterable<readonly [key: Key, text: string]>,
): Promise<void> {
  const replacement = await createReplacementLog(path);
  try {
    const writer = createLineWriter();
    let seq = 0;
    const write: Row[] = [];
    const addAll = (): Promise<void> => replacement.add(writeOf(writer, ++seq, write.splice(0)));
    for (const row of rows) if (write.push(row) === ROWS_PER_WRITE) await addAll();
    await addAll();
    await replacement.finish();
    syncFolder(path);
    await replacement.file.close();
  } catch (error) {
    await replacement.discard();
    throw error;
  }
}

/** Up to this size, handing a write to another thread and back takes longer than the write itself. */
const SHORT_BYTES = 256 * 1024;

export async function writeLines(file: FileHandle, bytes: Buffer, place: number): Promise<void> {
  const written = bytes.length > SHORT_BYTES ? 0 : writeSync(file.fd, bytes, 0, bytes.length, place);
  await writeAll(file, bytes.subarray(written), place + written);
}

async function writeAll(file: FileHandle, bytes: Buffer, place: number): Promise<void> {
  for (let at = 0; at < bytes.length;)
    at += (await file.write(bytes, at, bytes.length - at, place + at)).bytesWritten;
}

const ZEROS = Buffer.alloc(ROOM_BYTES);
export async function writeZeros(file: FileHandle, from: number, to: number): Promise<void> {
  for (let at = from; at < to; at += ZEROS.length)
    await writeAll(file, ZEROS.subarray(0, Math.min(ZEROS.length, to - at)), at);
}

/** Syncs the folder, which makes a new file name durable. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const fd = openSync(dirname(path), 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
