import type { NamedScenario } from '../scenario/index.js';
import { UsageError } from '../app/errors.js';
import { shippedScenarios } from '../app/shipped-scenarios.js';

/**
 * The shipped scenarios, and after them those of the user's own folder, where there is one.
 *
 * @throws {UsageError} for a file that is broken, or named like a shipped one
 */
export async function loadAllScenarios(
  folder: string | undefined,
  cwd: string,
): Promise<readonly NamedScenario[]> {
  const shipped = await shippedScenarios();
  if (folder === undefined) return shipped;
  // The compiler behind it is loaded by those alone who have such files.
  const own = await (await import('./own-scenarios.js')).userScenarios(folder, cwd);
  const taken = own.find(({ name }) => shipped.some((scenario) => scenario.name === name));
  if (taken !== undefined) {
    throw new UsageError(`--scenarios: a shipped scenario is named ${taken.name} too; rename the file`);
  }
  return [...shipped, ...own];
}
