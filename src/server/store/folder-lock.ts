/**
 * A lock on a folder: a file names the process that holds it. A killed process leaves the file behind, and no
 * longer holds the lock.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

export interface FolderLock {
  /** Whether this process still holds the lock: another one may have taken this process for dead. */
  isHeld(): boolean;
  release(): void;
}

interface LockRecord {
  readonly pid: number;
  /** The start time of the process, where the system gives it, because process ids are reused. */
  readonly started: string | null;
  readonly mark: string;
}

const MODE = 0o600;
/** How long another process may take to write a file that it has created. */
const WRITTEN_MS = 100;
/** How long to wait for another process that has found the same dead holder and takes the lock, too. */
const SETTLED_MS = 20;

/** Acquires the lock, or gives the id of the process that holds it. */
export async function acquireLock(path: string): Promise<FolderLock | number> {
  const record: LockRecord = { pid: process.pid, started: startOf(process.pid), mark: randomUUID() };
  const mine = JSON.stringify(record);
  for (;;) {
    if (written(path, mine)) {
      await pause(SETTLED_MS);
      if (readText(path) === mine) return lockHeldBy(path, mine);
    }
    const text = readText(path);
    if (text === null) continue;
    const other = recordIn(text) ?? (await pause(WRITTEN_MS), recordIn(readText(path) ?? ''));
    if (other !== null && isAlive(other)) return other.pid;
    rmSync(path, { force: true });
  }
}

function lockHeldBy(path: string, mine: string): FolderLock {
  // Kept open, so that the check needs no new file descriptor when the process has used up its own.
  const fd = openSync(path, 'r');
  return {
    // A process that takes over the lock deletes the file.
    isHeld: () => fstatSync(fd).nlink > 0,
    release() {
      if (readText(path) === mine) rmSync(path, { force: true });
      closeSync(fd);
    },
  };
}

function written(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: MODE });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    // An empty file is left where the disk is full.
    if (readText(path) === '') rmSync(path, { force: true });
    throw error;
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function recordIn(text: string): LockRecord | null {
  try {
    const record = JSON.parse(text) as LockRecord;
    return Number.isInteger(record.pid) ? record : null;
  } catch {
    return null;
  }
}

/** A process opens a folder only once, so a record with its own id comes from an earlier process. */
function isAlive({ pid, started }: LockRecord): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const now = startOf(pid);
  return now !== 'over' && (started === null || now === null || now === started);
}

/** Start time of a process, where the system provides it; `over` where it has ended. */
function startOf(pid: number): string | null {
  const text = readText(`/proc/${pid}/stat`);
  // The name of the program, in parentheses, may contain anything.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields === undefined ? null : fields[0] === 'Z' ? 'over' : (fields[19] ?? null);
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
