import { REQUIREMENTS, type RequirementId } from './requirements/index.js';
import type { Requirement } from './types.js';

// Widened before use: mapping over the literal types themselves would cost the type checker seconds.
const all: readonly Requirement[] = REQUIREMENTS;
const byId: ReadonlyMap<string, Requirement> = new Map(all.map((each) => [each.id, each]));

/** The requirement with this id. */
export function requirement(id: RequirementId): Requirement {
  return byId.get(id) as Requirement;
}

/** Whether there is a requirement with this id. */
export function isRequirementId(id: string): id is RequirementId {
  return byId.has(id);
}
