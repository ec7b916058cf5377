/** Which requirements an edition does not hold a target to. */
import type { Edition } from '../spec/types.js';

/** Why the edition sets the requirement aside, or null. */
export function notAppliedIn(edition: Edition, id: string): string | null {
  if (edition === 'document') return null;
  void id;
  return null;
}
