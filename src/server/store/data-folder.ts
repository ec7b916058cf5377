import { chmodSync, existsSync, mkdirSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OptionsError } from '../options.js';
import { createLog } from './replacement-log.js';
import { DamagedError, openLog, type LogFile } from './log-file.js';
import { acquireLock, type FolderLock } from './folder-lock.js';
import { lossesOf, readDamaged, replaceDamaged } from './repair.js';
import { COUNTERS, createRowMapper, latestMsIn, type Key } from './rows.js';
import type { Store } from './store.js';

/** Version of the row format. Other versions are not read. */
const FORMAT = 2;
const HEAD: Key = ['format'];
const FILE = 'jobs.log';
const OWNER_FILE = 'owner';
/** The file of an earlier version. */
const FILE_OF_FORMAT_1 = 'jobs.mdb';

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

/** Folders open in this process. */
const open = new Set<string>();

type Refuse = (reason: string) => OptionsError;

/**
 * Opens the folder and creates it if necessary, readable by its owner only.
 * @param salvages continues with what can be read of damaged data; the damaged file is kept under another
 * name
 * @throws OptionsError when it cannot be used: not writable, damaged, of another version, or open in another
 * process
 */
export async function openDataFolder(dir: string, clock: ClockKind, salvages = false): Promise<DataFolder> {
  const refuse: Refuse = (reason) => new OptionsError(`the data folder ${dir} ${reason}`);
  const folder = makeFolder(dir, refuse);
  if (open.has(folder)) throw refuse('is already open in this process');
  open.add(folder);
  let lock: FolderLock | null = null;
  try {
    lock = await lockFolder(folder, refuse);
    const { file, salvaged } = await openFile(folder, { clock, salvages, lock, refuse });
    return { ...storeIn(file, folder, () => leave(folder, lock)), salvaged };
  } catch (error) {
    leave(folder, lock);
    throw error;
  }
}

function leave(folder: string, lock: FolderLock | null): void {
  lock?.release();
  open.delete(folder);
}

function makeFolder(dir: string, refuse: Refuse): string {
  const path = resolve(dir);
  try {
    const isNew = !existsSync(path);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    // The process's umask may have restricted the mode.
    if (isNew) chmodSync(path, 0o700);
    return realpathSync(path);
  } catch (error) {
    throw refuse(`cannot be created: ${(error as Error).message}`);
  }
}

async function lockFolder(folder: string, refuse: Refuse): Promise<FolderLock> {
  const path = join(folder, OWNER_FILE);
  const lock = await acquireLock(path).catch((error: Error) => {
    throw refuse(`cannot be written: ${error.message}`);
  });
  if (typeof lock === 'number')
    throw refuse(`is in use by another process (${lock}): one server at a time; see ${path}`);
  return lock;
}

interface Opening {
  readonly clock: ClockKind;
  readonly salvages: boolean;
  readonly lock: FolderLock;
  readonly refuse: Refuse;
}

async function openFile(
  folder: string,
  opening: Opening,
): Promise<{ readonly file: LogFile; readonly salvaged: string | null }> {
  const { clock, lock, refuse, salvages } = opening;
  const path = join(folder, FILE);
  const head = JSON.stringify({ format: FORMAT, clock } satisfies Head);
  let salvaged: string | null = null;
  try {
    if (!existsSync(path)) {
      if (existsSync(join(folder, FILE_OF_FORMAT_1)))
        throw refuse(
          `holds data of an earlier version (${FILE_OF_FORMAT_1}), which this version does not read: choose another folder`,
        );
      await createLog(path, [[HEAD, head]]);
    }
    let file = await openLog(path, { isLockHeld: lock.isHeld }).catch((error: unknown) => {
      if (error instanceof DamagedError) return null;
      throw error;
    });
    if (file === null) {
      const damaged = readDamaged(path);
      if (!salvages)
        throw refuse(
          `is damaged: ${lossesOf(damaged, FILE)} ` +
            `Nothing was changed. To continue with what can be read, add --salvage: ${FILE} is then kept under another name.`,
        );
      const rows = damaged.rows.some(([[kind]]) => kind === HEAD[0])
        ? damaged.rows
        : [[HEAD, head] as const, ...damaged.rows];
      const kept = await replaceDamaged(path, rows);
      salvaged = `the data folder ${folder} was damaged: ${lossesOf(damaged, FILE)} The damaged file is kept as ${kept}.`;
      file = await openLog(path, { isLockHeld: lock.isHeld });
    }
    try {
      checkHead(file, clock, refuse);
    } catch (error) {
      await file.close();
      throw error;
    }
    return { file, salvaged };
  } catch (error) {
    throw error instanceof OptionsError ? error : refuse(`cannot be opened: ${(error as Error).message}`);
  }
}

function checkHead(file: LogFile, clock: ClockKind, refuse: Refuse): void {
  const text = file.get(HEAD);
  const head = text === undefined ? null : (JSON.parse(text) as Head);
  if (head?.format !== FORMAT)
    throw refuse(`holds data of format ${head?.format}, and this version of Runproof reads format ${FORMAT}`);
  if (head.clock !== clock)
    throw refuse(`was made with a ${head.clock} clock and cannot be continued with a ${clock} one`);
}

function storeIn(file: LogFile, folder: string, onClose: () => void): Store {
  const rowMapper = createRowMapper();
  let closed = false;
  return {
    folder,
    latestMs: () => latestMsIn(file.get(COUNTERS)),
    read: () => rowMapper.read(file.rows()),
    write(changes) {
      const rows = rowMapper.rowsOf(changes);
      return file.write(rows, rowMapper.currentBytes());
    },
    probe: () => file.write([]),
    isClosed: () => closed,
    async close() {
      closed = true;
      await file.close();
      onClose();
    },
  };
}
