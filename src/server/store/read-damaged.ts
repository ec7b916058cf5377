/** Reads what can be read of a damaged file, from a copy of it. */
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import type { Database, OpenDatabase } from './database.js';
import { COLUMNS, createTable, KEY_COLUMNS, keyIn, rowIn, type StoredRow } from './job-table.js';
import { damageInLog } from './log-check.js';
import type { Row } from './rows.js';

type RowKey = Pick<Row, 'kind' | 'name'>;

export interface Readable {
  /** Rows whose checksum holds, in order of creation. */
  readonly rows: readonly Row[];
  /** Rows that are known of, and cannot be read. Where several places are damaged, a name may be as well. */
  readonly lost: readonly RowKey[];
  /** Whether there may be rows that are lost and not known of. */
  readonly mayLoseMore: boolean;
}

/** SQLite's log, which is there while a file is open, and after a kill. */
export const logOf = (path: string): string => `${path}-wal`;

export function readDamaged(open: OpenDatabase, path: string): Readable {
  const copy = `${path}.reading`;
  const fresh = `${path}.fresh`;
  const remove = (): void => [copy, logOf(copy), fresh].forEach((file) => rmSync(file, { force: true }));
  remove();
  try {
    copyFileSync(path, copy);
    if (existsSync(logOf(path))) copyFileSync(logOf(path), logOf(copy));
    createTable(open, fresh, []);
    putFirstPage(copy, readFileSync(fresh));
    const db = open(copy);
    try {
      const { mayLoseMore, ...readable } = readRows(db);
      return { ...readable, mayLoseMore: mayLoseMore || damageInLog(logOf(path)) !== null };
    } finally {
      db.close();
    }
  } finally {
    remove();
  }
}

const PAGE_BYTES_AT = 16;
const PAGE_COUNT_AT = 28;

/** The first page is the same in all files, but for the number of pages; without it nothing can be read. */
function putFirstPage(path: string, fresh: Buffer): void {
  const pageBytes = fresh.readUInt16BE(PAGE_BYTES_AT);
  fresh.writeUInt32BE(Math.ceil(statSync(path).size / pageBytes), PAGE_COUNT_AT);
  const fd = openSync(path, 'r+');
  writeSync(fd, fresh, 0, pageBytes, 0);
  closeSync(fd);
}

/** So many numbers in a row that cannot be read are taken for the end. */
const UNREADABLE_MAX = 5_000;

function readRows(db: Database): Readable {
  const keyOf = ({ kind, name }: RowKey): string => `${kind} ${name}`;
  const found = new Map<string, StoredRow>();
  const take = (read: unknown): StoredRow => {
    const row = rowIn(read);
    if (row.isSound) found.set(keyOf(row), row);
    return row;
  };
  // From both ends up to the first damage, and then what is between damaged places.
  for (const order of ['ASC', 'DESC']) readAll(db, `SELECT ${COLUMNS} FROM rows ORDER BY seq ${order}`, take);
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
  // The index tells the rows without reading them.
  const lost: RowKey[] = [];
  const index = `SELECT ${KEY_COLUMNS} FROM rows INDEXED BY sqlite_autoindex_rows_1`;
  const isIndexRead = readAll(db, index, (read) => {
    const key = keyIn(read);
    if (!found.has(keyOf(key))) lost.push(key);
  });
  const rows = [...found.values()].sort((a, b) => a.seq - b.seq);
  return { rows, lost, mayLoseMore: !isIndexRead };
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
