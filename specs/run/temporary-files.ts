/**
 * A global set-up of vitest: whatever a run, its workers and the processes that they start write into the system's
 * folder for temporary files lies in one folder there, which goes when the run ends.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

export const PREFIX = 'runproof-specs-';

/** Vitest calls it once for each project; a run that a spec starts stays in the folder of the whole. */
export function setup(): () => void {
  if (basename(tmpdir()).startsWith(PREFIX)) return () => {};
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  // Windows looks at the other two.
  for (const name of ['TMPDIR', 'TEMP', 'TMP']) process.env[name] = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
