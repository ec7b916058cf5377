/** SQLite by `node:sqlite`, or by the optional package `libsql` where Node does not have it. */
import { OptionsError } from '../options.js';

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

/** @throws OptionsError where there is no SQLite */
export async function loadSqlite(): Promise<OpenDatabase> {
  const Sqlite = builtinSqlite() ?? (await import('libsql').catch(() => null))?.default;
  if (Sqlite === undefined)
    throw new OptionsError(
      'a data folder needs SQLite, which Node has from 22.13 on: ' +
        `use a newer Node than ${process.version}, or run: npm install libsql`,
    );
  return (path) => new Sqlite(path) as Database;
}

type SqliteModule = { readonly DatabaseSync: new (path: string) => Database } | undefined;

/** Loads it without the warning that it is experimental, as which it is marked before Node 26. */
function builtinSqlite(): (new (path: string) => Database) | undefined {
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
function resultCode(error: unknown): number {
  const { errcode, rawCode } = error as { readonly errcode?: number; readonly rawCode?: number };
  return (errcode ?? rawCode ?? 0) & 0xff;
}
