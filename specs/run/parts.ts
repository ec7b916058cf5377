/** Which of the long spec files a run takes. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

export const PARTS = 6;

/** The part that the commit draws of so many, from 0; 0 outside a clone. */
export function partOfCommit(parts: number, hash = commit()): number {
  return hash === null ? 0 : Number.parseInt(hash.slice(0, 8), 16) % parts;
}

/** Its hash; null outside a clone. */
export function commit(): string | null {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return null;
  }
}

/** All spec files of the repository, sorted. */
export function specFiles(): readonly string[] {
  return readdirSync('specs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.spec.ts'))
    .map((name) => `specs/${name.replaceAll('\\', '/')}`)
    .sort((left, right) => (left < right ? -1 : 1));
}
