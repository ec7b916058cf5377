import { partOfCommit, PARTS } from '../run/parts.js';

/** `WHOLE=1 npm test -- kill`: all that a spec can try, where it tries a share of that otherwise. */
export const WHOLE = process.env['WHOLE'] === '1';

/** Of what takes long to try one by one, the part that the commit draws: within a few commits, each is tried. */
export function drawnByCommit<T>(all: readonly T[], parts = PARTS): readonly T[] {
  if (WHOLE) return all;
  // Once: it asks git.
  const part = partOfCommit(parts);
  return all.filter((_, index) => index % parts === part);
}
