/** SQLite by `node:sqlite`, or by the optional package `libsql` where Node does not have it. */
import { constants, copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { OptionsError } from '../options.js';
import { logOf } from './log.js';

/** A connection. Both drivers have these methods, and do their work before they return. */
export interface Database {
  exec(sql: string): unknown;
  prepare(sql: string): Statement;
  close(): void;
}

/** A prepared statement; values are bound by position. */
interface Statement {
  run(...values: readonly (string | number)[]): unknown;
  get(...values: readonly (string | number)[]): unknown;
  iterate(...values: readonly (string | number)[]): Iterable<unknown>;
}

/** Opens a file, which is created if it is missing. */
export type OpenDatabase = (path: string) => Database;

export interface Sqlite {
  readonly open: OpenDatabase;
  /**
   * Opens a file that is there, to read it. The file and its log stay as they are, and nothing is left when it is closed.
   * @throws where another connection has locked the file
   */
  readonly openToRead: OpenDatabase;
}

/** @throws OptionsError where there is no SQLite */
export async function loadSqlite(): Promise<Sqlite> {
  const Builtin = builtinSqlite();
  if (Builtin !== undefined)
    return {
      open: (path) => new Builtin(path),
      openToRead: (path) => withoutIndex(new Builtin(path, { readOnly: true }), path),
    };
  const Sqlite = (await import('libsql').catch(() => null))?.default ?? installedHere();
  if (Sqlite === undefined)
    throw new OptionsError(
      `a data folder needs SQLite, which Node ${process.version} does not have. Use Node 22.13 or newer, or type this ` +
        `in ${process.cwd()} and start again:\n  npm install libsql`,
    );
  const open: OpenDatabase = (path) => new Sqlite(path) as Database;
  return { open, openToRead: (path) => openCopy(open, path) };
}

/**
 * Installed globally or run by `npx`, Runproof lies elsewhere than what its user installs.
 * @throws OptionsError where it is installed and cannot be loaded
 */
function installedHere(): (new (path: string) => object) | undefined {
  try {
    return createRequire(join(process.cwd(), 'any.js'))('libsql') as new (path: string) => object;
  } catch (error) {
    const [why = ''] = (error as Error).message.split('\n', 1);
    if (why.includes("'libsql'")) return undefined;
    throw new OptionsError(`libsql is installed and cannot be loaded (${why}): use Node 22.13 or newer`);
  }
}

/** The index of a log stays behind a connection that may not write. */
function withoutIndex(db: Database, path: string): Database {
  const index = `${path}-shm`;
  const isThere = existsSync(index);
  return {
    exec: (sql) => db.exec(sql),
    prepare: (sql) => db.prepare(sql),
    close() {
      db.close();
      if (!isThere) rmSync(index, { force: true });
    },
  };
}

/** `libsql` holds its locks until statements are collected as garbage, and merges the log as it closes: not those of a copy. */
function openCopy(open: OpenDatabase, path: string): Database {
  const found = withoutIndex(open(`${pathToFileURL(path).href}?mode=ro`), path);
  try {
    found.exec('SELECT count(*) FROM sqlite_schema');
  } catch (error) {
    if (isInUse(error)) throw error;
  } finally {
    found.close();
  }
  const folder = mkdtempSync(`${path}.reading-`);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, 'copy');
    copyFileSync(path, copy, constants.COPYFILE_FICLONE);
    if (existsSync(logOf(path))) copyFileSync(logOf(path), logOf(copy));
    const db = open(copy);
    return {
      exec: (sql) => db.exec(sql),
      prepare: (sql) => db.prepare(sql),
      close() {
        db.close();
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

type BuiltinDatabase = new (path: string, options?: { readonly readOnly: boolean }) => Database;
type SqliteModule = { readonly DatabaseSync: BuiltinDatabase } | undefined;

/** Loads it without the warning that it is experimental, as which it is marked before Node 26. */
function builtinSqlite(): BuiltinDatabase | undefined {
  const warn = process.emitWarning;
  process.emitWarning = ((warning: string, ...more: [string]) => {
    if (!String(warning).startsWith('SQLite is an experimental feature')) warn(warning, ...more);
  }) as typeof warn;
  try {
    return (process.getBuiltinModule('node:sqlite') as SqliteModule)?.DatabaseSync;
  } finally {
    process.emitWarning = warn;
  }
}

const BUSY = 5;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

/** Whether another connection has the file. */
export const isInUse = (error: unknown): boolean => resultCode(error) === BUSY;

/** Whether the file does not hold what SQLite writes. */
export const isDamage = (error: unknown): boolean => [CORRUPT, NOT_A_DATABASE].includes(resultCode(error));

/** Of an extended result code, the last byte is the primary one. */
export function resultCode(error: unknown): number {
  const { errcode, rawCode } = error as { readonly errcode?: number; readonly rawCode?: number };
  return (errcode ?? rawCode ?? 0) & 0xff;
}
