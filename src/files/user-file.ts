/**
 * `files/` promises what the user's folders hold: it reads and writes reports, histories, saved failures and tokens. Here: what
 * the user names, and one wording for what cannot be used.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../util/errors.js';

const WHY: { readonly [code: string]: string } = {
  ENOENT: 'does not exist',
  EISDIR: 'is a folder, not a file',
  ENOTDIR: 'is below a file, not a folder',
  EEXIST: 'is a file, not a folder',
  EACCES: 'is not accessible to this user',
  EROFS: 'is on a file system that is read-only',
};

/** What is wrong with the file or folder, to follow its name. */
export function whyUnusable(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  return WHY[code ?? ''] ?? `cannot be used (${code ?? 'error'})`;
}

/**
 * @param option the option that names the file, without dashes; absent: an argument
 * @throws {UsageError} if it cannot be read
 */
export function readUserFile(name: string, cwd: string, option?: string): string {
  try {
    return readFileSync(resolve(cwd, name), 'utf8');
  } catch (error) {
    throw new UsageError(`${named(name, option)} ${whyUnusable(error)}`);
  }
}

/** @throws {UsageError} if it cannot be read, or is no JSON */
export function readUserJson(name: string, cwd: string, option?: string): unknown {
  const text = readUserFile(name, cwd, option);
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${named(name, option)} is not JSON`);
  }
}

const named = (name: string, option: string | undefined): string =>
  option === undefined ? name : `--${option} ${name}`;

/**
 * A reader finds the old content or the new one, also while several processes replace the file.
 *
 * @throws the system's error, if it cannot be written; the old file stays
 */
export function replaceFile(path: string, content: string, mode = 0o666): void {
  const part = `${path}.${randomUUID()}.part`;
  try {
    writeFileSync(part, content, { mode });
    renameSync(part, path);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

/** How often a lock is tried, and the pause between, ms. No owner that lives holds one for so long. */
const LOCK_TRIES = 100;
const LOCK_PAUSE_MS = 20;

/**
 * Reads and replaces a file while no other process does: what both add is kept.
 *
 * @throws what `change` throws, and the system's error if there can be no lock beside the file
 */
export function changeFile<Result>(path: string, change: () => Result): Result {
  const lock = `${path}.lock`;
  for (let tries = 1; tries < LOCK_TRIES; tries += 1)
    try {
      closeSync(openSync(lock, 'wx'));
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_PAUSE_MS);
    }
  try {
    return change();
  } finally {
    rmSync(lock, { force: true });
  }
}
