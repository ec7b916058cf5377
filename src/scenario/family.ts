import type { RequirementId } from '../spec/requirements/index.js';
import type { NamedScenario, Scenario, ScenarioFamily } from './scenario.js';

/** What a scenario file exports as its default. */
export type ScenarioFile = Scenario | ScenarioFamily;

/** The scenarios of the file at this path, without its extension. The members of a family are named beside it. */
export function scenariosOf(path: string, exported: ScenarioFile): readonly NamedScenario[] {
  if (!('members' in exported)) return [{ ...exported, name: path }];
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return Object.entries(exported.members).map(([name, one]) => ({ ...one, name: `${folder}${name}` }));
}

/**
 * The scenarios of these files, by name.
 *
 * @param files by path
 * @param exercises by name, the requirements that each is written for
 */
export function namedScenarios(
  files: { readonly [path: string]: ScenarioFile },
  exercises: { readonly [name: string]: readonly string[] },
): readonly NamedScenario[] {
  return Object.entries(files)
    .flatMap(([path, exported]) => scenariosOf(path, exported))
    .map((one) => ({ ...one, exercises: (exercises[one.name] ?? []) as readonly RequirementId[] }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
