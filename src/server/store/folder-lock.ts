/** Which process has a folder: a file that names it. One that was killed leaves the file, and has nothing any more. */
import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

export interface FolderLock {
  /** Whether it is still this process: another one may have taken it for dead. */
  isHeld(): boolean;
  release(): void;
}

interface LockRecord {
  readonly pid: number;
  /** What the system says of when it started, where it does: an id is given to other processes later. */
  readonly started: string | null;
  readonly mark: string;
}

const MODE = 0o600;
/** In this time whoever has begun to write the file has written it. */
const WRITTEN_MS = 100;
/** In this time another one that has found the same dead owner has claimed the folder, too. */
const SETTLED_MS = 20;

/** Makes this process the owner, or gives the id of the process that is. */
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
  // Held open, so that the question needs no file more when the process may have no more.
  const fd = openSync(path, 'r');
  return {
    // Whoever takes the folder takes the file away.
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
    // A file without a word, where there is no room for one.
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

/** In this process a folder is opened once only: its own id is that of a process before it. */
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

/** When a process started, where the system has a file that says so; `over` where it has ended. */
function startOf(pid: number): string | null {
  const text = readText(`/proc/${pid}/stat`);
  // The name of the program, in brackets, may hold anything.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields === undefined ? null : fields[0] === 'Z' ? 'over' : (fields[19] ?? null);
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
