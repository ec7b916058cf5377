import { named } from '../../scenarios/index.js';
import type { NamedScenario } from './scenario.js';

/** The scenarios that ship with the package, in order of their names. */
export function shippedScenarios(): readonly NamedScenario[] {
  return named;
}
