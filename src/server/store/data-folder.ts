import { chmodSync, existsSync, mkdirSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OptionsError } from '../options.js';
import { openLmdbFile, type LmdbFile } from './lmdb-file.js';
import { COUNTERS, createRowBook, latestIn, type Key } from './rows.js';
import type { Store } from './store.js';

/** What the rows look like. Another number is another format, which this version does not read. */
const FORMAT = 1;
const HEAD: Key = ['format'];
const PROBE: Key = ['probe'];
const FILE = 'jobs.mdb';

/** How time runs for the service; one cannot go on where the other ended. */
export type ClockKind = 'real' | 'controlled';

interface Head {
  readonly format: number;
  readonly clock: ClockKind;
}

/** Folders that this process has open. */
const open = new Set<string>();

/**
 * Opens the folder, and makes it where it is missing, for its owner's eyes only.
 * @throws OptionsError when it cannot be used: not writable, of another version, or open in another process
 */
export async function openDataFolder(dir: string, clock: ClockKind): Promise<Store> {
  const refuse = (reason: string): OptionsError => new OptionsError(`the data folder ${dir} ${reason}`);
  const folder = makeFolder(dir, refuse);
  if (open.has(folder)) throw refuse('is open in this process already');
  open.add(folder);
  let file: LmdbFile | null = null;
  try {
    file = await openFile(folder, refuse);
    const owner = file.own();
    if (owner !== null) throw refuse(`is in use by another process (${owner}): one server at a time`);
    await checkHead(file, clock, refuse);
  } catch (error) {
    await file?.close();
    open.delete(folder);
    throw error;
  }
  return storeIn(file, folder, () => open.delete(folder));
}

type Refuse = (reason: string) => OptionsError;

function makeFolder(dir: string, refuse: Refuse): string {
  const path = resolve(dir);
  try {
    const isNew = !existsSync(path);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    // Whatever the process's own mask has made of it.
    if (isNew) chmodSync(path, 0o700);
    return realpathSync(path);
  } catch (error) {
    throw refuse(`cannot be made: ${(error as Error).message}`);
  }
}

async function openFile(folder: string, refuse: Refuse): Promise<LmdbFile> {
  try {
    return await openLmdbFile(join(folder, FILE));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_MODULE_NOT_FOUND')
      throw refuse(
        'needs the package lmdb, which is not installed: it comes with Runproof as an optional dependency',
      );
    throw refuse(`cannot be opened: ${message}`);
  }
}

async function checkHead(file: LmdbFile, clock: ClockKind, refuse: Refuse): Promise<void> {
  const text = file.get(HEAD);
  if (text === undefined) {
    await file.write([[HEAD, JSON.stringify({ format: FORMAT, clock } satisfies Head)]]);
    return;
  }
  const head = JSON.parse(text) as Head;
  if (head.format !== FORMAT)
    throw refuse(`holds data of format ${head.format}, and this version of Runproof reads format ${FORMAT}`);
  if (head.clock !== clock)
    throw refuse(`was made with a ${head.clock} clock, and cannot go on with a ${clock} one`);
}

function storeIn(file: LmdbFile, folder: string, onClose: () => void): Store {
  const book = createRowBook();
  let closed = false;
  return {
    folder,
    latestMs: () => latestIn(file.get(COUNTERS)),
    read: () => book.read(file.rows()),
    write: (changes) => file.write(book.rowsOf(changes)),
    probe: () => file.write([[PROBE, '']]),
    isClosed: () => closed,
    async close() {
      closed = true;
      await file.close();
      onClose();
    },
  };
}
