import type { NamedScenario } from '../scenario/index.js';
import { UsageError } from './errors.js';

/** Every shipped scenario. They are many files, so only the commands that want them load them. */
export async function loadScenarios(): Promise<readonly NamedScenario[]> {
  const { named } = await import('../../scenarios/index.js');
  return named;
}

/**
 * The shipped scenarios, and after them those of the user's own folder, where there is one.
 *
 * @throws {UsageError} for a file that is broken, or named like a shipped one
 */
export async function loadAllScenarios(
  folder: string | undefined,
  cwd: string,
): Promise<readonly NamedScenario[]> {
  const shipped = await loadScenarios();
  if (folder === undefined) return shipped;
  // The compiler behind it is loaded by those alone who have such files.
  const own = await (await import('./own-scenarios.js')).ownScenarios(folder, cwd);
  const taken = own.find(({ name }) => shipped.some((scenario) => scenario.name === name));
  if (taken !== undefined) {
    throw new UsageError(`--scenarios: a shipped scenario is named ${taken.name} too; rename the file`);
  }
  return [...shipped, ...own];
}
