import type { NamedScenario } from '../../scenario/index.js';
import type { Io } from '../../cli/io.js';
import { UsageError } from '../../util/errors.js';
import { shippedScenarios } from '../../files/shipped-scenarios.js';

/**
 * The shipped scenarios, followed by those of the user's folder, if there is one.
 *
 * @throws {UsageError} for an invalid file, and for one with the name of a shipped scenario
 */
export async function loadAllScenarios(
  folder: string | undefined,
  io: Pick<Io, 'cwd' | 'library'>,
): Promise<readonly NamedScenario[]> {
  const shipped = await shippedScenarios();
  if (folder === undefined) return shipped;
  // Loads the TypeScript compiler only if it is needed.
  const own = await (await import('./own-scenarios.js')).userScenarios(folder, io);
  const taken = own.find(({ name }) => shipped.some((scenario) => scenario.name === name));
  if (taken !== undefined) {
    throw new UsageError(`--scenarios: there is a shipped scenario ${taken.name}: rename the file`);
  }
  return [...shipped, ...own];
}
