/** The one table of the data folder's file: a row for each job, endpoint and webhook call. */
import { closeSync, openSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { isDamage, type Database, type OpenDatabase } from './database.js';
import type { ChangedRow, Kind, Row } from './rows.js';
import { changesIn, changesOf, recordName, recordOf, type NumberedRow } from './write-record.js';

/**
 * SQLite has checksums in its log, but none in its file: `sum` is a CRC-32 of the row. `seq` is the order of creation, `write` the
 * number of the write that put the row.
 */
const CREATE = `CREATE TABLE rows (
  seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, text TEXT NOT NULL, sum INTEGER NOT NULL,
  "write" INTEGER NOT NULL, UNIQUE (kind, name)) STRICT`;
const PUT = `INSERT INTO rows (kind, name, text, sum, "write") VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (kind, name) DO UPDATE SET text = excluded.text, sum = excluded.sum, "write" = excluded."write"`;

const sumOf = ({ kind, name, text }: Row, write: number): number =>
  crc32(text, crc32(`${kind} ${name} ${write} `));

/** A row as it was read. */
export interface StoredRow extends NumberedRow {
  readonly seq: number;
  readonly isSound: boolean;
}

/** Columns whose text may be damaged: `libsql` ends the process on text that is not UTF-8. */
export const KEY_COLUMNS = 'CAST(kind AS BLOB) AS kind, CAST(name AS BLOB) AS name';
export const COLUMNS = `seq, sum, "write", ${KEY_COLUMNS}, CAST(text AS BLOB) AS text`;

export const keyIn = (read: unknown): Pick<Row, 'kind' | 'name'> => {
  const { kind, name } = read as Record<'kind' | 'name', Uint8Array>;
  return { kind: textIn(kind) as Kind, name: textIn(name) };
};

export function rowIn(read: unknown): StoredRow {
  const { seq, sum, write, text } = read as {
    readonly seq: number;
    readonly sum: number;
    readonly write: number;
    readonly text: Uint8Array;
  };
  const row = { ...keyIn(read), text: textIn(text) };
  return { ...row, seq, write, isSound: sum === sumOf(row, write) };
}

const textIn = (bytes: Uint8Array | null): string => Buffer.from(bytes ?? []).toString();

/** Creates a file that holds these rows, readable by its owner only. */
export function createTable(open: OpenDatabase, path: string, rows: Iterable<Row>): void {
  closeSync(openSync(path, 'wx', 0o600));
  const db = open(path);
  try {
    db.exec(`PRAGMA synchronous = FULL; BEGIN EXCLUSIVE; ${CREATE}`);
    const put = db.prepare(PUT);
    for (const row of rows) put.run(row.kind, row.name, row.text, sumOf(row, 0), 0);
    db.exec('COMMIT');
  } finally {
    db.close();
  }
}

/** Closes a connection; `libsql` holds its lock until the statements are collected as garbage. */
function unlock(db: Database): void {
  try {
    db.exec('PRAGMA journal_mode = DELETE; PRAGMA locking_mode = NORMAL; SELECT count(*) FROM sqlite_schema');
  } catch {
    // A full disk or a damaged file: the log stays, and the next start reads it.
  }
  db.close();
}

/**
 * Says what is wrong with a file; null where nothing is.
 * @param checkHead called where the file is sound, or was written by another version; may throw
 */
export function damageIn(db: Database, checkHead: () => void): string | null {
  try {
    // All of it is read: a statement that has not ended may hold its lock.
    const [found] = [...db.prepare('PRAGMA integrity_check(1)').iterate()] as { integrity_check: string }[];
    if (found!.integrity_check !== 'ok') return found!.integrity_check.replace(/\s+/g, ' ');
    if (!hasColumn(db, 'write')) checkHead();
    let damage: string | null = null;
    for (const row of rowsIn(db))
      if (!row.isSound) damage ??= `the checksum of ${row.kind} ${row.name} is wrong`;
    if (damage === null) checkHead();
    return damage;
  } catch (error) {
    if (isDamage(error)) return (error as Error).message;
    throw error;
  }
}

/** Earlier versions have others. */
const hasColumn = (db: Database, name: string): boolean =>
  [...db.prepare("SELECT name FROM pragma_table_info('rows') WHERE name = ?").iterate(name)].length > 0;

/** Undefined where there is no such row. */
export function textOf(db: Database, kind: Kind, name = ''): string | undefined {
  const found = db.prepare('SELECT CAST(text AS BLOB) AS text FROM rows WHERE kind = ? AND name = ?');
  for (const { text } of [...found.iterate(kind, name)] as { readonly text: Uint8Array }[])
    return textIn(text);
  return undefined;
}

/** In order of creation. */
function* rowsIn(db: Database): Iterable<StoredRow> {
  for (const read of db.prepare(`SELECT ${COLUMNS} FROM rows ORDER BY seq`).iterate()) yield rowIn(read);
}

export interface JobTable {
  /** In order of creation, without the records of writes. */
  rows(): Row[];
  /** Writes all of the rows or none; they are synced to disk when it returns. */
  write(rows: readonly ChangedRow[]): void;
  /** Writes something, after a write that failed and may have left something in the log. @throws where that cannot be */
  probe(): void;
  close(): void;
}

/**
 * Opens a file that is not damaged for this connection alone.
 * @param beforeSync called before each write is synced
 * @throws where another connection has the file, or it cannot be written
 */
export function openTable(open: OpenDatabase, path: string, beforeSync: () => void): JobTable {
  const db = open(path);
  try {
    db.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT');
    db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
    return tableOf(db, beforeSync);
  } catch (error) {
    unlock(db);
    throw error;
  }
}

function tableOf(db: Database, beforeSync: () => void): JobTable {
  const { last } = db.prepare('SELECT max("write") AS last FROM rows').get() as { readonly last: number };
  let lastWrite = last;
  let lastChanges = changesIn({ text: textOf(db, 'write', recordName(lastWrite)) ?? '[[]]' });
  function write(rows: readonly ChangedRow[]): void {
    const number = lastWrite + 1;
    const changes = changesOf(rows);
    db.exec('BEGIN');
    try {
      // Anew each time: a statement of `libsql` that has failed keeps what was bound to it.
      const put = db.prepare(PUT);
      const drop = db.prepare('DELETE FROM rows WHERE kind = ? AND name = ?');
      for (const row of [...rows, recordOf(number, changes, lastChanges)])
        if (row.text === null) drop.run(row.kind, row.name);
        else put.run(row.kind, row.name, row.text, sumOf(row as Row, number), number);
      beforeSync();
      db.exec('COMMIT');
    } catch (error) {
      rollBack(db);
      throw error;
    }
    lastWrite = number;
    lastChanges = changes;
  }

  return {
    rows: () =>
      Array.from(rowsIn(db), ({ kind, name, text }) => ({ kind, name, text })).filter(
        ({ kind }) => kind !== 'write',
      ),
    write,
    probe() {
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      write([{ kind: 'head', name: '', text: textOf(db, 'head')! }]);
    },
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
