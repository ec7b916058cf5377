import { missingOf } from '../spec/capability-words.js';
import type { RequirementId } from '../spec/requirements/index.js';
import { REQUIREMENTS } from '../spec/requirements/index.js';
import type { Capability, Requirement } from '../spec/types.js';
import type { Scenario } from './scenario.js';

const requirements: ReadonlyMap<string, Requirement> = new Map(REQUIREMENTS.map((one) => [one.id, one]));

/**
 * The requirements that the oracle can decide from the scenario on such a target: those it exercises, except
 * where the requirement or the scenario needs a further capability or a longer wait.
 */
export function exercisedOn(
  { exercises, onlyWith }: Pick<Scenario, 'exercises' | 'onlyWith'>,
  capabilities: readonly Capability[],
  maxWaitMs: number,
): readonly RequirementId[] {
  const offers = (needs: readonly Capability[]): boolean => missingOf(needs, capabilities).length === 0;
  return exercises.filter((id) => {
    const requirement = requirements.get(id);
    if (requirement === undefined || requirement.undecided !== undefined) return false;
    const { needs = [], waitMs = 0 } = onlyWith[id] ?? {};
    return offers(requirement.needs) && offers(needs) && Math.max(requirement.waitMs, waitMs) <= maxWaitMs;
  });
}
