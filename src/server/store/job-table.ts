/** The one table of the data folder's file: a row for each job, endpoint and webhook call. */
import { closeSync, openSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { isDamage, type Database, type OpenDatabase } from './database.js';
import type { ChangedRow, Kind, Row } from './rows.js';

/** SQLite has checksums in its log, but none in its file: `sum` is a CRC-32 of the row. `seq` is the order of creation. */
const CREATE = `CREATE TABLE rows (
  seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL, sum INTEGER NOT NULL,
  UNIQUE (kind, name)) STRICT`;
const PUT = `INSERT INTO rows (kind, name, text, sum) VALUES (?, ?, ?, ?)
  ON CONFLICT (kind, name) DO UPDATE SET text = excluded.text, sum = excluded.sum`;

const sumOf = ({ kind, name, text }: Row): number => crc32(text, crc32(`${kind} ${name} `));

/** A row as it was read. */
export interface StoredRow extends Row {
  readonly seq: number;
  readonly isSound: boolean;
}

/** Columns whose text may be damaged: `libsql` ends the process on text that is not UTF-8. */
export const KEY_COLUMNS = 'CAST(kind AS BLOB) AS kind, CAST(name AS BLOB) AS name';
export const COLUMNS = `seq, sum, ${KEY_COLUMNS}, CAST(text AS BLOB) AS text`;

export const keyIn = (read: unknown): Pick<Row, 'kind' | 'name'> => {
  const { kind, name } = read as Record<'kind' | 'name', Uint8Array>;
  return { kind: textIn(kind) as Kind, name: textIn(name) };
};

export function rowIn(read: unknown): StoredRow {
  const { seq, sum, text } = read as {
    readonly seq: number;
    readonly sum: number;
    readonly text: Uint8Array;
  };
  const row = { ...keyIn(read), text: textIn(text) };
  return { ...row, seq, isSound: sum === sumOf(row) };
}

const textIn = (bytes: Uint8Array | null): string => Buffer.from(bytes ?? []).toString();

/** Creates a file that holds these rows, readable by its owner only. */
export function createTable(open: OpenDatabase, path: string, rows: Iterable<Row>): void {
  closeSync(openSync(path, 'wx', 0o600));
  const db = open(path);
  try {
    db.exec(`PRAGMA synchronous = FULL; BEGIN EXCLUSIVE; ${CREATE}`);
    const put = db.prepare(PUT);
    for (const row of rows) put.run(row.kind, row.name, row.text, sumOf(row));
    db.exec('COMMIT');
  } finally {
    db.close();
  }
}

/** Closes a connection; `libsql` holds its lock until the statements are collected as garbage. */
export function unlock(db: Database): void {
  try {
    db.exec('PRAGMA journal_mode = DELETE; PRAGMA locking_mode = NORMAL; SELECT count(*) FROM sqlite_schema');
  } catch {
    // A full disk or a damaged file: the log stays, and the next start reads it.
  }
  db.close();
}

/**
 * Locks the file for this connection alone, and says what is wrong with it; null where nothing is. Writes nothing.
 * @throws where another connection has the file, or it cannot be written
 */
export function lockSound(db: Database): string | null {
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT');
    const { integrity_check: found } = db.prepare('PRAGMA integrity_check(1)').get() as {
      readonly integrity_check: string;
    };
    if (found !== 'ok') return found.replace(/\s+/g, ' ');
    for (const row of rowsIn(db)) if (!row.isSound) return `the checksum of ${row.kind} ${row.name} is wrong`;
    return null;
  } catch (error) {
    if (isDamage(error)) return (error as Error).message;
    throw error;
  }
}

/** In order of creation. */
function* rowsIn(db: Database): Iterable<StoredRow> {
  for (const read of db.prepare(`SELECT ${COLUMNS} FROM rows ORDER BY seq`).iterate()) yield rowIn(read);
}

export interface JobTable {
  /** In order of creation. */
  rows(): Iterable<Row>;
  /** Undefined where there is no such row. */
  textOf(kind: Kind, name?: string): string | undefined;
  /** Writes all of the rows or none; they are synced to disk when it returns. */
  write(rows: Iterable<ChangedRow>): void;
  /** Empties the log, in which a write that failed may have left something. @throws where there is no room for it */
  emptyLog(): void;
  close(): void;
}

/** Goes on with a connection that is locked and whose file is not damaged. */
export function useTable(db: Database): JobTable {
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  return {
    rows: () => rowsIn(db),
    textOf(kind, name = '') {
      const found = db.prepare('SELECT text FROM rows WHERE kind = ? AND name = ?').get(kind, name);
      return (found as { readonly text: string } | undefined)?.text;
    },
    write(rows) {
      db.exec('BEGIN');
      try {
        // Anew each time: a statement of `libsql` that has failed keeps what was bound to it.
        const put = db.prepare(PUT);
        const drop = db.prepare('DELETE FROM rows WHERE kind = ? AND name = ?');
        for (const row of rows)
          if (row.text === null) drop.run(row.kind, row.name);
          else put.run(row.kind, row.name, row.text, sumOf(row as Row));
        db.exec('COMMIT');
      } catch (error) {
        rollBack(db);
        throw error;
      }
    },
    emptyLog: () => void db.exec('PRAGMA wal_checkpoint(TRUNCATE)'),
    close: () => unlock(db),
  };
}

function rollBack(db: Database): void {
  try {
    db.exec('ROLLBACK');
  } catch {
    // SQLite has done so itself, as it does on some errors.
  }
}
