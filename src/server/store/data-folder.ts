import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  linkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import type { SavedCounters } from '../../core/saved/saved.js';
import { OptionsError } from '../options.js';
import { makeFolder } from '../../make-folder.js';
import { isInUse, loadSqlite, type Database, type OpenDatabase, type Sqlite } from './database.js';
import { createTable, damageIn, textOf } from './job-table.js';
import { damageInLog, readLog } from './log.js';
import { readDamaged } from './read-damaged.js';
import { rowOf, rowsOf, stateOf, type Row } from './rows.js';
import { completed, lossesOf, replaceDamaged } from './salvage.js';
import type { Store } from './store.js';
import { createWriter, type Writer } from './writer.js';

/** Version of the rows. Other versions are not read. */
const FORMAT = 4;
const FILE = 'jobs.db';
/** The files of earlier versions. */
const EARLIER_FILES = ['jobs.log', 'jobs.mdb'];

/** How time runs for the service. Data of one kind cannot be continued with the other. */
export type ClockKind = 'real' | 'controlled';

interface Head {
  readonly format: number;
  readonly clock: ClockKind;
}

export interface DataFolder extends Store {
  /** A message about damaged data that was salvaged; null where nothing was damaged. */
  readonly salvaged: string | null;
}

type Refuse = (reason: string) => OptionsError;

/**
 * Opens the folder and creates it if necessary, readable by its owner only.
 * @param salvages continues with what can be read of damaged data; the damaged file is kept under another
 * name
 * @param syncDelayMs how much longer each sync takes than the disk needs: a slow disk, for specs
 * @throws OptionsError when it cannot be used: not writable, damaged, of another version, open elsewhere, or
 * without SQLite
 */
export async function openDataFolder(
  dir: string,
  clock: ClockKind,
  salvages = false,
  syncDelayMs = 0,
): Promise<DataFolder> {
  const refuse: Refuse = (reason) => new OptionsError(`the data folder ${dir} ${reason}`);
  const sqlite = await loadSqlite();
  const { open } = sqlite;
  const folder = madeFolder(dir, refuse);
  const path = join(folder, FILE);
  try {
    // SQLite would only say that there was an error.
    for (const each of [folder, path].filter(existsSync)) accessSync(each, constants.R_OK | constants.W_OK);
    if (!existsSync(path)) createFile(open, folder, clock, refuse);
    let salvaged: string | null = null;
    const damage = damageOf(sqlite, path, clock, refuse);
    if (damage !== null) {
      const readable = readDamaged(open, path);
      const losses = `${damage}. ${lossesOf(readable)}`;
      if (!salvages)
        throw refuse(
          `is damaged: ${losses} To continue with what can be read, add --salvage: ` +
            `${FILE} is then kept under another name.`,
        );
      const hasHead = readable.rows.some(({ kind }) => kind === 'head');
      const kept = replaceDamaged(open, path, [...(hasHead ? [] : [headRow(clock)]), ...completed(readable)]);
      salvaged = `the data folder ${folder} was damaged: ${losses} The damaged file is kept as ${kept}.`;
      const left = damageOf(sqlite, path, clock, refuse);
      if (left !== null) throw new Error(left);
    }
    return { ...(await openStore(createWriter({ path, syncDelayMs }), folder)), salvaged };
  } catch (error) {
    if (isInUse(error)) throw refuse('is in use by another server: one at a time');
    throw error instanceof OptionsError ? error : refuse(`cannot be opened: ${(error as Error).message}`);
  }
}

function madeFolder(dir: string, refuse: Refuse): string {
  const path = resolve(dir);
  try {
    const isNew = !existsSync(path);
    makeFolder(path, 0o700);
    // The process's umask may have restricted the mode.
    if (isNew) chmodSync(path, 0o700);
    return realpathSync(path);
  } catch (error) {
    throw refuse(`cannot be created: ${(error as Error).message}`);
  }
}

const headRow = (clock: ClockKind): Row => rowOf('head', '', { format: FORMAT, clock } satisfies Head);

/** Under its name the file is always complete, so one without rows is damaged. */
function createFile(open: OpenDatabase, folder: string, clock: ClockKind, refuse: Refuse): void {
  const path = join(folder, FILE);
  const earlier = EARLIER_FILES.find((name) => existsSync(join(folder, name)));
  if (earlier !== undefined)
    throw refuse(
      `holds jobs of an earlier version (${earlier}), which this version does not read: choose another folder, ` +
        `delete ${earlier} to begin without these jobs, or serve them with the earlier version`,
    );
  const made = `${path}.new-${process.pid}`;
  rmSync(made, { force: true });
  try {
    createTable(open, made, [headRow(clock)]);
    try {
      // Does not replace the file of a server that starts at the same time.
      linkSync(made, path);
    } catch {
      // For file systems without hard links.
      if (!existsSync(path)) renameSync(made, path);
    }
  } finally {
    rmSync(made, { force: true });
  }
}

/**
 * Says what is wrong with a file, of which nothing is changed; null where nothing is.
 * @throws OptionsError where it is sound, and of another kind
 */
function damageOf({ openToRead }: Sqlite, path: string, clock: ClockKind, refuse: Refuse): string | null {
  if (statSync(path).size === 0) return `${FILE} is empty`;
  // SQLite would forget it.
  const at = damageInLog(readLog(path));
  if (at !== null) return `${FILE}-wal has invalid data at byte ${at}, before writes that were complete`;
  const db = openToRead(path);
  try {
    const damage = damageIn(db, () => checkHead(db, clock, refuse));
    return damage && `${FILE}: ${damage}`;
  } finally {
    db.close();
  }
}

function checkHead(db: Database, clock: ClockKind, refuse: Refuse): void {
  const head = JSON.parse(textOf(db, 'head') ?? '{}') as Partial<Head>;
  if (head.format !== FORMAT)
    throw refuse(`holds data of format ${head.format}, and this version of Runproof reads format ${FORMAT}`);
  if (head.clock !== clock)
    throw refuse(`was made with a ${head.clock} clock and cannot be continued with a ${clock} one`);
}

async function openStore(writer: Writer, folder: string): Promise<Store> {
  let rows: readonly Row[] | null;
  try {
    rows = await writer.open();
  } catch (error) {
    await writer.end();
    throw error;
  }
  let closed = false;
  return {
    folder,
    latestMs() {
      const counters = rows?.find(({ kind }) => kind === 'counters')?.text;
      return (JSON.parse(counters ?? '{"latestMs":0}') as SavedCounters).latestMs;
    },
    read() {
      const state = stateOf(rows!);
      // They would be in memory twice.
      rows = null;
      return state;
    },
    write: (changes) => writer.write(rowsOf(changes)),
    async probe() {
      rows = await writer.probe();
    },
    isClosed: () => closed,
    async close() {
      if (closed) return;
      closed = true;
      await writer.close();
    },
  };
}
