/** Reads what can be read of a damaged file and its log, from copies of them. */
import {
  closeSync,
  copyFileSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Database, OpenDatabase } from './database.js';
import { COLUMNS, createTable, KEY_COLUMNS, keyIn, rowIn, type StoredRow } from './job-table.js';
import { framesOf, readLog, type Frame } from './log.js';
import type { Row } from './rows.js';
import { keyFrom, keyOf, newestChanges, type Newest } from './write-record.js';

type RowKey = Pick<Row, 'kind' | 'name'>;

export interface Readable {
  /** Rows whose checksum holds, in order of creation; of several versions of a row the newest. */
  readonly rows: readonly Row[];
  /** Those of them that were, or may have been, changed or deleted by a later write, which cannot be read. */
  readonly older: ReadonlySet<Row>;
  /** Rows that are known of, and cannot be read. Where several places are damaged, a name may be as well. */
  readonly lost: readonly RowKey[];
  /** Whether there may be rows that are lost and not known of. */
  readonly mayLoseMore: boolean;
}

export function readDamaged(open: OpenDatabase, path: string): Readable {
  const folder = mkdtempSync(`${path}.reading-`);
  const fresh = join(folder, 'fresh');
  const found = new Map<string, StoredRow>();
  const indexed = new Map<string, RowKey>();
  const log = framesOf(readLog(path));
  let isIndexRead = false;
  let isInOrder = true;
  try {
    createTable(open, fresh, []);
    for (const [n, frames] of framesToApply(log).entries()) {
      const copy = join(folder, String(n));
      copyFileSync(path, copy);
      applyFrames(copy, frames, readFileSync(fresh));
      const db = open(copy);
      try {
        isInOrder = readRows(db, found) && isInOrder;
        // In a damaged image names may be damaged; what is newer than the index is in the records of writes.
        if (n === 0) isIndexRead = readIndex(db, indexed);
      } finally {
        db.close();
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const isLogIntact = log.every(({ isIntact }) => isIntact);
  const { changes, unknownWrite } = newestChanges(
    found.values(),
    isLogIntact ? 0 : log.filter(({ isCommit }) => isCommit).length,
  );
  // A page of the file is as the last write left it, unless it is not that page.
  const mayBeOlder = !(isLogIntact && isInOrder);
  return {
    ...compared(found, indexed, changes, mayBeOlder ? unknownWrite : 0),
    mayLoseMore: unknownWrite > 0 || !isIndexRead,
  };
}

/** The rows that were found, beside what is known of later writes. */
function compared(
  found: ReadonlyMap<string, StoredRow>,
  indexed: Map<string, RowKey>,
  changes: Newest['changes'],
  unknownWrite: number,
): Omit<Readable, 'mayLoseMore'> {
  const rows: StoredRow[] = [];
  const older = new Set<Row>();
  for (const [key, row] of found) {
    const change = changes.get(key);
    const isNewest = change === undefined || change.write <= row.write;
    if (!isNewest && change.isDeleted) continue;
    rows.push(row);
    if (!isNewest || row.write < unknownWrite) older.add(row);
  }
  for (const [key, { isDeleted }] of changes)
    if (isDeleted) indexed.delete(key);
    else indexed.set(key, keyFrom(key));
  const lost = [...indexed].filter(([key]) => !found.has(key)).map(([, key]) => key);
  return { rows: rows.sort((a, b) => a.seq - b.seq), older, lost };
}

/**
 * The frames up to the last complete write, for each copy to read. What follows a damaged frame is complete in itself: the log has
 * images of whole pages. A damaged image may have rows that are nowhere else, so it is in a copy of its own.
 */
function framesToApply(frames: readonly Frame[]): Frame[][] {
  const written = frames.slice(0, frames.findLastIndex(({ isCommit }) => isCommit) + 1);
  const intact = written.filter(({ isIntact }) => isIntact);
  return intact.length === written.length ? [intact] : [intact, written];
}

const PAGE_BYTES_AT = 16;
const PAGE_COUNT_AT = 28;

function applyFrames(path: string, frames: readonly Frame[], fresh: Buffer): void {
  const pageBytes = fresh.readUInt16BE(PAGE_BYTES_AT);
  // The number of a page may be damaged, too.
  const pagesMax = Math.ceil(statSync(path).size / pageBytes) + frames.length;
  const fd = openSync(path, 'r+');
  for (const { page, image } of frames)
    if (page > 1 && page <= pagesMax) writeSync(fd, image, 0, image.length, (page - 1) * pageBytes);
  // The first page is the same in all files, but for the number of pages; without it nothing can be read.
  fresh.writeUInt32BE(Math.max(1, Math.ceil(statSync(path).size / pageBytes)), PAGE_COUNT_AT);
  writeSync(fd, fresh, 0, pageBytes, 0);
  closeSync(fd);
}

/** So many numbers in a row that cannot be read are taken for the end. */
const UNREADABLE_MAX = 5_000;

/** Adds the rows whose checksum holds, and which are newer than those that are there. Whether they come in their order. */
function readRows(db: Database, found: Map<string, StoredRow>): boolean {
  let last = 0;
  let isInOrder = true;
  const take = (read: unknown): StoredRow => {
    const row = rowIn(read);
    const other = found.get(keyOf(row));
    if (row.isSound && (other === undefined || other.write < row.write)) found.set(keyOf(row), row);
    return row;
  };
  const isWhole = readAll(db, `SELECT ${COLUMNS} FROM rows ORDER BY seq`, (read) => {
    const { seq, isSound } = take(read);
    // What is damaged tells nothing of the place of its page.
    if (!isSound) return;
    if (seq <= last) isInOrder = false;
    last = seq;
  });
  if (isWhole) return isInOrder;
  // From the other end up to the last damage, and then what is between damaged places.
  readAll(db, `SELECT ${COLUMNS} FROM rows ORDER BY seq DESC`, take);
  const next = `SELECT ${COLUMNS} FROM rows WHERE seq >= ? ORDER BY seq LIMIT 1`;
  for (let seq = 1, unreadable = 0; unreadable < UNREADABLE_MAX; seq++) {
    try {
      const read = db.prepare(next).get(seq);
      if (read === undefined) break;
      const row = take(read);
      if (!row.isSound) throw new Error('its number may be wrong as well');
      seq = row.seq;
      unreadable = 0;
    } catch {
      unreadable++;
    }
  }
  return isInOrder;
}

/** The index tells the rows without reading them. Whether all of it could be read. */
function readIndex(db: Database, indexed: Map<string, RowKey>): boolean {
  const index = `SELECT ${KEY_COLUMNS} FROM rows INDEXED BY sqlite_autoindex_rows_1`;
  return readAll(db, index, (read) => {
    const key = keyIn(read);
    indexed.set(keyOf(key), key);
  });
}

/** Whether all rows could be read. */
function readAll(db: Database, sql: string, take: (read: unknown) => unknown): boolean {
  try {
    for (const read of db.prepare(sql).iterate()) take(read);
    return true;
  } catch {
    return false;
  }
}
