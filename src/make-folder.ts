import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const isFolder = (path: string): boolean => existsSync(path) && statSync(path).isDirectory();

/**
 * Makes a folder, and those above it that are missing. Node's own `recursive` never returns where no folder can be
 * made although the one above exists, such as in `/proc`.
 *
 * @param mode the permissions of those that are made, which the process's umask restricts
 * @throws the system's error, if it cannot be made
 */
export function makeFolder(path: string, mode = 0o777): void {
  const missing: string[] = [];
  for (let at = resolve(path); !isFolder(at) && dirname(at) !== at; at = dirname(at)) missing.push(at);
  for (const each of missing.reverse()) {
    try {
      mkdirSync(each, mode);
    } catch (error) {
      // Another process may have made it meanwhile.
      if (!isFolder(each)) throw error;
    }
  }
}
