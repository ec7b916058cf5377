import { open } from 'node:fs/promises';
import { checkLog, createChecker, textAt, type Checked, type LineRange } from './log-check.js';
import {
  createReplacementLog,
  ROWS_PER_WRITE,
  sizeFor,
  syncFolder,
  writeAll,
  writeZeros,
  type ReplacementLog,
} from './replacement-log.js';
import { endLine, readLine, SIZE_LINE_BYTES, sizeLine, writeOf } from './line.js';
import { rawLinesIn, type RawLine } from './raw-lines.js';
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
  /** Writes all of the rows or none; resolves when they are synced to disk. */
  write(rows: readonly Row[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * When the file exceeds twice its compacted size by this much, it is compacted: rewritten without old rows.
 */
const COMPACT_AFTER_BYTES = 16 * 1024 * 1024;
/** Other work gets a turn after this many bytes read or copied. */
const TURN_BYTES = 1024 * 1024;

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
  let compactAt = 2 * lastCheck.rowBytes + compactAfterBytes;
  let compacting: Promise<void> | null = null;
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

  async function write(rows: readonly Row[]): Promise<void> {
    if (!isOwner()) throw new Error('another process has taken it over');
    if (needsFolderSync) {
      syncFolder(path);
      needsFolderSync = false;
    }
    if (hasTornTail) {
      await writeZeros(file, end, size);
      hasTornTail = false;
    }
    const lines = Buffer.from((lacksLineEnd ? '\n' : '') + writeOf(seq + 1, rows));
    await makeRoom(lines.length + SIZE_LINE_BYTES);
    const bytes = recordedBytes === size ? lines : Buffer.concat([sizeLineBytes(), lines]);
    try {
      await writeAll(file, bytes, end);
      await file.datasync();
    } catch (error) {
      hasTornTail = true;
      throw error;
    }
    lastCheck = null;
    end += bytes.length;
    seq += 1;
    recordedBytes = size;
    lacksLineEnd = false;
    if (end > compactAt) compacting ??= compact().finally(() => (compacting = null));
  }

  /** Must precede any line beyond the recorded size. */
  function sizeLineBytes(): Buffer {
    const lineEnd = lacksLineEnd ? '\n' : '';
    lacksLineEnd = false;
    return Buffer.from(lineEnd + sizeLine(size));
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

  /** Compacts the file while writes continue; only the last step delays them. On failure nothing changes. */
  async function compact(): Promise<void> {
    let replacement: ReplacementLog | null = null;
    try {
      const until = end;
      const checker = createChecker(file.fd, size);
      await eachRawLine(0, until, (rawLine) => checker.take(rawLine));
      const { rows, damage, seq: lastSeq } = checker.finish(until);
      if (damage !== null) throw new Error('damaged: the next start says so');
      replacement = await createReplacementLog(path);
      await copyRows(replacement, until, rows, lastSeq);
      let copied = until;
      while (end - copied > TURN_BYTES) copied = await copyWrites(replacement, copied, end);
      await replacement.file.datasync();
      await inTurn(() => replace(replacement!, copied));
      compactAt = 2 * end + compactAfterBytes;
    } catch {
      await replacement?.discard().catch(() => undefined);
      compactAt = end + compactAfterBytes;
    }
  }

  async function replace(replacement: ReplacementLog, copied: number): Promise<void> {
    if (!isOwner()) throw new Error('another process has taken it over');
    await copyWrites(replacement, copied, end);
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

  async function eachRawLine(
    from: number,
    to: number,
    take: (rawLine: RawLine) => void | Promise<void>,
  ): Promise<void> {
    let turnAt = from + TURN_BYTES;
    for (const rawLine of rawLinesIn(file.fd, from, to)) {
      await take(rawLine);
      if (rawLine.at < turnAt) continue;
      turnAt = rawLine.at + TURN_BYTES;
      await new Promise((resolve) => setImmediate(resolve));
      if (closing) throw new Error('closing');
    }
  }

  /** Copies the current rows; the last of the writes has the number `lastSeq`. */
  async function copyRows(
    replacement: ReplacementLog,
    until: number,
    rows: ReadonlyMap<string, LineRange>,
    lastSeq: number,
  ): Promise<void> {
    let at = lastSeq - Math.ceil(rows.size / ROWS_PER_WRITE);
    let keys: string[] = [];
    let lines = '';
    const flush = async (): Promise<void> => {
      await replacement.add(lines + endLine(++at, keys, []));
      keys = [];
      lines = '';
    };
    await eachRawLine(0, until, async ({ at, bytes }) => {
      const line = readLine(bytes);
      if (line?.kind !== 'row' || rows.get(line.key)?.at !== at) return;
      lines += `${bytes.toString()}\n`;
      if (keys.push(line.key) === ROWS_PER_WRITE) await flush();
    });
    if (keys.length > 0) await flush();
  }

  /** Copies the writes that came meanwhile, without size lines: the new file records its own size. */
  async function copyWrites(replacement: ReplacementLog, from: number, to: number): Promise<number> {
    let lines = '';
    await eachRawLine(from, to, async ({ bytes }) => {
      if (readLine(bytes)?.kind !== 'size') lines += `${bytes.toString()}\n`;
      if (lines.length < TURN_BYTES) return;
      await replacement.add(lines);
      lines = '';
    });
    await replacement.add(lines);
    return to;
  }

  return {
    get(key) {
      const place = check().rows.get(JSON.stringify(key));
      return place && textAt(file.fd, place);
    },
    rows: () => rowsIn(file.fd, check()),
    write: (rows) => inTurn(() => write(rows)),
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
