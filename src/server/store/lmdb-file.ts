import { chmodSync, closeSync, existsSync, openSync, readSync } from 'node:fs';
import type { RootDatabase } from 'lmdb';
import type { Key, Row } from './rows.js';

/** One file of rows by LMDB: a write is on disk whole or not at all, however the process or the machine ends. */
export interface LmdbFile {
  get(key: Key): string | undefined;
  /** In the order of their keys. */
  rows(): Iterable<readonly [key: Key, text: string]>;
  /** All or none of them; resolves when they are on disk, synced. */
  write(rows: readonly Row[]): Promise<void>;
  /**
   * Makes this process the file's only owner, until it ends in whatever way. Null when it is, else the id of the
   * process that owns it.
   */
  own(): number | null;
  close(): Promise<void>;
}

const OWNER: Key = ['owner'];
/** What is in it is its owner's only: jobs carry secrets. */
const MODE = 0o600;

/** LMDB's own mark, near the begin of its files. */
const MAGIC = 0xbeef_c0de;

export async function openLmdbFile(path: string): Promise<LmdbFile> {
  if (existsSync(path) && !isLmdb(path)) throw new Error(`${path} is no LMDB file`);
  const { open } = await import('lmdb');
  const options = {
    path,
    noSubdir: true,
    encoding: 'string' as const,
    // A write has ended when it is synced, not when it can be read.
    overlappingSync: false,
    permissionsMode: MODE,
  };
  const db = open<string, DbKey>(options);
  chmodSync(path, MODE);
  return {
    get: (key) => db.get([...key]),
    *rows() {
      // A key of one part comes back as that part.
      for (const { key, value } of db.getRange({})) yield [Array.isArray(key) ? key : [key], value];
    },
    write: (rows) => write(db, rows),
    own: () => own(db),
    close: () => db.close(),
  };
}

/** Given anything else, LMDB would take the whole process with it. */
function isLmdb(path: string): boolean {
  const head = Buffer.alloc(64);
  const file = openSync(path, 'r');
  const length = readSync(file, head);
  closeSync(file);
  // An empty file is one that was just made.
  if (length === 0) return true;
  for (let at = 0; at + 4 <= length; at += 4)
    if (head.readUInt32LE(at) === MAGIC || head.readUInt32BE(at) === MAGIC) return true;
  return false;
}

type DbKey = (string | number)[] | string | number;
type Db = RootDatabase<string, DbKey>;

async function write(db: Db, rows: readonly Row[]): Promise<void> {
  const parts = new Set<Promise<boolean>>();
  const whole = db.batch(() => {
    for (const [key, text] of rows) parts.add(text === null ? db.remove([...key]) : db.put([...key], text));
  });
  // When a write fails, each of its parts is rejected, too: they are heard of here, and told of once.
  for (const part of parts) part.catch(() => undefined);
  try {
    await whole;
  } catch (error) {
    throw await causeOf(error);
  }
}

/** LMDB says "commit failed", and why in a promise of its own. */
async function causeOf(error: unknown): Promise<unknown> {
  const { commitError } = error as { readonly commitError?: Promise<never> };
  const unknown = new Promise<unknown>((resolve) => setImmediate(() => resolve(error)));
  return commitError === undefined ? error : Promise.race([commitError.catch((cause) => cause), unknown]);
}

/**
 * The owner's process id is a row; whether that process is still there and has the file open is what LMDB knows
 * of its readers, by locks of the operating system. A killed process leaves neither, and an id given to another
 * process since then is no reader. LMDB lets one process at a time into the transaction.
 */
function own(db: Db): number | null {
  // Makes this process a reader.
  db.get([...OWNER]);
  return db.transactionSync(() => {
    db.readerCheck();
    const readers = [...db.readerList().matchAll(/^\s*(\d+)\s/gm)].map(([, pid]) => Number(pid));
    const owner = Number(db.get([...OWNER]) ?? process.pid);
    if (owner !== process.pid && readers.includes(owner)) return owner;
    db.putSync([...OWNER], String(process.pid));
    return null;
  });
}
