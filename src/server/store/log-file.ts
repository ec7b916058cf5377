import { open } from 'node:fs/promises';
import { checkInTurns, copyRows, copyWrites, TURN_BYTES } from './compaction.js';
import { createLineWriter, SIZE_LINE_BYTES, sizeLine, writeOf } from './line-writer.js';
import { checkLog, textAt, type Checked, type LineRange } from './log-check.js';
import {
  createReplacementLog,
  sizeFor,
  syncFolder,
  writeLines,
  writeZeros,
  type ReplacementLog,
} from './replacement-log.js';
import type { Key, Row } from './rows.js';

/**
 * An append-only file. Each line has a checksum: a write is on disk completely or not at all, however the
 * process or the machine ends. The file is filled up with zeros, which leaves room for the next writes, and
 * records its own size, so that truncation is detected.
 */
export interface LogFile {
  get(key: Key): string | undefined;
  /** In the order in which they were last written. */
  rows(): Iterable<readonly [key: Key, text: string]>;
  /**
   * Writes all of the rows or none; resolves when they are synced to disk.
   * @param currentBytes about how many bytes the lines of all current rows take. Default: as many as when the
   * file was opened or compacted
   */
  write(rows: readonly Row[], currentBytes?: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * When the file exceeds twice the size of its current rows by this much, it is compacted: rewritten without old
 * rows.
 */
const COMPACT_AFTER_BYTES = 16 * 1024 * 1024;
const LINE_END = Buffer.from('\n');

export interface LogOptions {
  /** Whether this process still owns the folder. */
  readonly isLockHeld: () => boolean;
  /** Default 16 MB. */
  readonly compactAfterBytes?: number;
}

/** @throws DamagedError */
export async function openLog(
  path: string,
  { isLockHeld: isOwner, compactAfterBytes = COMPACT_AFTER_BYTES }: LogOptions,
): Promise<LogFile> {
  let file = await open(path, 'r+');
  /** The result of the last check; null after a write. */
  let lastCheck: Checked | null = checkLog(file.fd);
  if (lastCheck.damage !== null) {
    await file.close();
    throw new DamagedError();
  }
  let { end, seq, recordedBytes, fileBytes: size, open: lacksLineEnd, torn: hasTornTail } = lastCheck;
  let currentBytes = lastCheck.rowBytes;
  /** The next attempt to compact the file comes no earlier than at this size. */
  let compactFrom = 0;
  let compacting: Promise<void> | null = null;
  /** The size lines written since the file is being compacted, in ascending order. */
  let sizeLines: LineRange[] = [];
  const writer = createLineWriter();
  /** The file was renamed over the old one, and a power cut might undo that. */
  let needsFolderSync = false;
  let closing = false;
  /** The pending writes, one after the other. */
  let last: Promise<unknown> = Promise.resolve();

  function inTurn(act: () => Promise<void>): Promise<void> {
    const mine = last.then(act);
    last = mine.catch(() => undefined);
    return mine;
  }

  /** Not async: the rows would stay in memory until they are on disk. */
  function write(rows: readonly Row[], currentBytesThen = currentBytes): Promise<void> {
    return prepare().then(() => append(writeOf(writer, seq + 1, rows), currentBytesThen));
  }

  async function prepare(): Promise<void> {
    if (!isOwner()) throw new Error('another process has taken it over');
    if (needsFolderSync) {
      syncFolder(path);
      needsFolderSync = false;
    }
    if (hasTornTail) {
      await writeZeros(file, end, size);
      hasTornTail = false;
    }
  }

  async function append(lines: Buffer, currentBytesThen: number): Promise<void> {
    await makeRoom(LINE_END.length + SIZE_LINE_BYTES + lines.length);
    // A size line must precede any line beyond the recorded size.
    const recordsSize = recordedBytes !== size;
    const first = Buffer.concat([
      ...(lacksLineEnd ? [LINE_END] : []),
      ...(recordsSize ? [sizeLine(size)] : []),
    ]);
    const bytes = first.length === 0 ? lines : Buffer.concat([first, lines]);
    try {
      await writeLines(file, bytes, end);
      await file.datasync();
    } catch (error) {
      hasTornTail = true;
      throw error;
    }
    if (recordsSize && compacting !== null)
      sizeLines.push({ at: end + first.length - SIZE_LINE_BYTES, bytes: SIZE_LINE_BYTES });
    lastCheck = null;
    end += bytes.length;
    seq += 1;
    recordedBytes = size;
    lacksLineEnd = false;
    currentBytes = currentBytesThen;
    if (end > Math.max(compactFrom, 2 * currentBytes + compactAfterBytes))
      compacting ??= compact().finally(() => (compacting = null));
  }

  async function makeRoom(bytes: number): Promise<void> {
    const wanted = sizeFor(end + bytes);
    if (wanted <= size) return;
    try {
      await writeZeros(file, size, wanted);
      // The zeros must be on disk before the file records the size.
      await file.datasync();
    } catch (error) {
      await file.truncate(size).catch(() => undefined);
      throw error;
    }
    size = wanted;
  }

  function check(): Checked {
    lastCheck ??= checkLog(file.fd, end);
    if (lastCheck.damage !== null) throw new DamagedError();
    return lastCheck;
  }

  async function giveTurn(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    if (closing) throw new Error('closing');
  }

  /** Compacts the file while writes continue; only the last step delays them. On failure nothing changes. */
  async function compact(): Promise<void> {
    let replacement: ReplacementLog | null = null;
    sizeLines = [];
    try {
      const until = end;
      const checked = await checkInTurns(file.fd, { until, fileBytes: size }, giveTurn);
      if (checked.damage !== null) throw new Error('damaged: the next start says so');
      replacement = await createReplacementLog(path);
      await copyRows(replacement, file.fd, checked, giveTurn);
      let copied = until;
      while (end - copied > TURN_BYTES) {
        const to = end;
        await copyWrites(replacement, file.fd, { from: copied, to, sizeLines });
        copied = to;
        await giveTurn();
      }
      await replacement.file.datasync();
      await inTurn(() => replace(replacement!, copied));
      currentBytes = checked.rowBytes;
    } catch {
      await replacement?.discard().catch(() => undefined);
    }
    compactFrom = end + compactAfterBytes;
  }

  async function replace(replacement: ReplacementLog, copied: number): Promise<void> {
    if (!isOwner()) throw new Error('another process has taken it over');
    await copyWrites(replacement, file.fd, { from: copied, to: end, sizeLines });
    const done = await replacement.finish();
    // Nothing may fail from here on: the old file no longer has a name.
    const old = file;
    file = replacement.file;
    needsFolderSync = true;
    ({ end, size } = done);
    recordedBytes = size;
    lastCheck = null;
    hasTornTail = false;
    lacksLineEnd = false;
    await old.close().catch(() => undefined);
  }

  return {
    get(key) {
      const place = check().rows.get(JSON.stringify(key));
      return place && textAt(file.fd, place);
    },
    rows: () => rowsIn(file.fd, check()),
    write: (rows, currentBytesThen) => inTurn(() => write(rows, currentBytesThen)),
    async close() {
      closing = true;
      await compacting;
      await last;
      await file.close();
    },
  };
}

/** The file is damaged. */
export class DamagedError extends Error {
  override readonly name = 'DamagedError';
  constructor() {
    super('it is damaged');
  }
}

/** The current rows, in file order; unreadable ones are left out. */
export function* rowsIn(fd: number, { rows }: Checked): Iterable<readonly [key: Key, text: string]> {
  for (const [key, place] of rows) {
    const text = textAt(fd, place);
    if (text !== undefined) yield [JSON.parse(key) as Key, text];
  }
}
