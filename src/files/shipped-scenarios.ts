import type { NamedScenario } from '../scenario/index.js';

/** Every shipped scenario. They are many files, so only the commands that need them load them. */
export async function shippedScenarios(): Promise<readonly NamedScenario[]> {
  const { named } = await import('../../scenarios/index.js');
  return named;
}
