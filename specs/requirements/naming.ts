import { named } from '../../scenarios/index.js';
import { requirementPlaces } from '../../src/features/list/requirement-places.js';
import { requirement, type Requirement, type RequirementId } from '../../src/spec/index.js';
import type { Source } from '../project/sources.js';

/** The files of the oracle that decide the requirement, by its id; none for what no run could decide. */
export function checkFiles(): ReadonlyMap<string, readonly string[]> {
  return new Map(
    requirementPlaces(named).map(({ id, checks }) => [
      id,
      [...new Set(checks.map((place) => place.replace(/^src\/oracle\/|:\d+$/g, '')))],
    ]),
  );
}

/** Nothing could decide it, so nothing has to check it. */
export function isUntestable(id: string): boolean {
  const one: Requirement = requirement(id as RequirementId);
  return one.untestable !== undefined || one.undecided !== undefined;
}

/** Ids that a source puts together from strings, each with its place: nobody who looks for such an id finds it. */
export function gluedIds({ path, text }: Source): readonly string[] {
  return [...text.matchAll(/`\d(?:\.\d)?\/[^`\s]*\$\{[^`]*`/g)].map(
    ({ 0: glued, index }) => `${path}:${text.slice(0, index).split('\n').length}: ${glued}`,
  );
}
