import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';

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
