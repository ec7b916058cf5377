/** Reports on damaged data, and puts an intact file in its place. */
import { closeSync, copyFileSync, existsSync, linkSync, openSync } from 'node:fs';
import { basename } from 'node:path';
import { checkLog, type Damage } from './log-check.js';
import { createLog } from './replacement-log.js';
import { rowsIn } from './log-file.js';
import { salvage, type Salvaged } from './salvage.js';

export interface Damaged extends Salvaged {
  readonly damage: Damage | null;
}

export function readDamaged(path: string): Damaged {
  const fd = openSync(path, 'r');
  try {
    const checked = checkLog(fd);
    return { ...salvage(checked, rowsIn(fd, checked)), damage: checked.damage };
  } finally {
    closeSync(fd);
  }
}

const NAMED_MAX = 20;

/** Describes the damage and the losses, in complete sentences. */
export function lossesOf({ damage, jobs, lostJobs, otherLosses }: Damaged, name: string): string {
  const { shortBytes = 0, places = [], unknown = 0 } = damage ?? {};
  const found = [
    ...(shortBytes > 0 ? [`${name} has lost its last ${shortBytes} bytes`] : []),
    ...(places.length > 0 ? [`${name} has invalid data at byte ${list(places)}`] : []),
  ];
  const kept = `${jobs} ${jobs === 1 ? 'job' : 'jobs'} can be read completely.`;
  const lost = [
    ...(lostJobs.length > 0 ? [`jobs (${lostJobs.length}): ${list(lostJobs)}`] : []),
    ...otherLosses,
    ...(shortBytes > 0 ? ['the last changes, possibly of jobs that are unknown here'] : []),
    ...(unknown > 0 ? [`${unknown} changes that cannot be identified`] : []),
  ];
  return `${found.join('; ')}. ${kept} Lost: ${lost.length === 0 ? 'nothing' : lost.join('; ')}.`;
}

const list = (values: readonly (string | number)[]): string =>
  values.slice(0, NAMED_MAX).join(', ') +
  (values.length > NAMED_MAX ? ` and ${values.length - NAMED_MAX} more` : '');

/**
 * Replaces the damaged file and gives the name under which it is kept. At every moment one of the two files
 * has the original name.
 */
export async function replaceDamaged(path: string, rows: Salvaged['rows']): Promise<string> {
  let number = 1;
  while (existsSync(`${path}.damaged-${number}`)) number++;
  const kept = `${path}.damaged-${number}`;
  try {
    linkSync(path, kept);
  } catch {
    // For file systems without hard links.
    copyFileSync(path, kept);
  }
  await createLog(path, rows);
  return basename(kept);
}
