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
 * One file to which every write is appended, each line with a checksum: a write is on disk whole or not at all,
 * however the process or the machine ends. Behind the last write stand zeros, so that there is room for the next
 * one; and the file says how long it is, so that one that was cut off is known.
 */
export interface LogFile {
  get(key: Key): string | undefined;
  /** In the order in which they were last written. */
  rows(): Iterable<readonly [key: Key, text: string]>;
  /** All or none of them; resolves when they are on disk, synced. */
  write(rows: readonly Row[]): Promise<void>;
  close(): Promise<void>;
}

/** When the file is that much longer than twice what it was when it was new, it is written anew without old rows. */
const ANEW_BYTES = 16 * 1024 * 1024;
/** Between so many bytes that are read and copied other work is let in. */
const TURN_BYTES = 1024 * 1024;

export interface LogOptions {
  /** Whether this process may still write. */
  readonly isLockHeld: () => boolean;
  /** Default 16 MB. */
  readonly anewBytes?: number;
}

/** @throws DamagedError */
export async function openLog(
  path: string,
  { isLockHeld: isOwner, anewBytes = ANEW_BYTES }: LogOptions,
): Promise<LogFile> {
  let file = await open(path, 'r+');
  /** What is in the file, unless it has been written since. */
  let known: Checked | null = checkLog(file.fd);
  if (known.damage !== null) {
    await file.close();
    throw new DamagedError();
  }
  let { end, seq, saidBytes, fileBytes: size, open: lacksLineEnd, torn: hasRest } = known;
  let anewAt = 2 * known.rowBytes + anewBytes;
  let anew: Promise<void> | null = null;
  /** The file has taken another one's place, and a power cut might bring that one back. */
  let isNewName = false;
  let closing = false;
  /** The writes that are under way, one after the other. */
  let last: Promise<unknown> = Promise.resolve();

  function inTurn(act: () => Promise<void>): Promise<void> {
    const mine = last.then(act);
    last = mine.catch(() => undefined);
    return mine;
  }

  async function write(rows: readonly Row[]): Promise<void> {
    if (!isOwner()) throw new Error('another process has taken it over');
    if (isNewName) {
      syncFolder(path);
      isNewName = false;
    }
    if (hasRest) {
      await writeZeros(file, end, size);
      hasRest = false;
    }
    const lines = Buffer.from((lacksLineEnd ? '\n' : '') + writeOf(seq + 1, rows));
    await makeRoom(lines.length + SIZE_LINE_BYTES);
    const bytes = saidBytes === size ? lines : Buffer.concat([sayingSize(), lines]);
    try {
      await writeAll(file, bytes, end);
      await file.datasync();
    } catch (error) {
      hasRest = true;
      throw error;
    }
    known = null;
    end += bytes.length;
    seq += 1;
    saidBytes = size;
    lacksLineEnd = false;
    if (end > anewAt) anew ??= writeAnew().finally(() => (anew = null));
  }

  /** Before any line that may stand beyond what the file has said of its length. */
  function sayingSize(): Buffer {
    const lineEnd = lacksLineEnd ? '\n' : '';
    lacksLineEnd = false;
    return Buffer.from(lineEnd + sizeLine(size));
  }

  async function makeRoom(bytes: number): Promise<void> {
    const wanted = sizeFor(end + bytes);
    if (wanted <= size) return;
    try {
      await writeZeros(file, size, wanted);
      // Before the file says so.
      await file.datasync();
    } catch (error) {
      await file.truncate(size).catch(() => undefined);
      throw error;
    }
    size = wanted;
  }

  function check(): Checked {
    known ??= checkLog(file.fd, end);
    if (known.damage !== null) throw new DamagedError();
    return known;
  }

  /** While writes go on; only the last step holds them up. When it fails, all stays as it is. */
  async function writeAnew(): Promise<void> {
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
      anewAt = 2 * end + anewBytes;
    } catch {
      await replacement?.discard().catch(() => undefined);
      anewAt = end + anewBytes;
    }
  }

  async function replace(replacement: ReplacementLog, copied: number): Promise<void> {
    if (!isOwner()) throw new Error('another process has taken it over');
    await copyWrites(replacement, copied, end);
    const done = await replacement.finish();
    // From here on nothing may fail: the old file has no name any more.
    const old = file;
    file = replacement.file;
    isNewName = true;
    ({ end, size } = done);
    saidBytes = size;
    known = null;
    hasRest = false;
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

  /** The rows that count, in writes of which the last has the number `lastSeq`. */
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

  /** The new file has a length of its own. */
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
      await anew;
      await last;
      await file.close();
    },
  };
}

/** The file is not as it was written. */
export class DamagedError extends Error {
  override readonly name = 'DamagedError';
  constructor() {
    super('it is damaged');
  }
}

/** The rows that count, in the order of their lines; those that cannot be read are left out. */
export function* rowsIn(fd: number, { rows }: Checked): Iterable<readonly [key: Key, text: string]> {
  for (const [key, place] of rows) {
    const text = textAt(fd, place);
    if (text !== undefined) yield [JSON.parse(key) as Key, text];
  }
}
