import type { RequirementId } from '../spec/requirements/index.js';
import { assertWithinLimits } from './exceeds-limits.js';
import { scenario, type Scenario } from './scenario.js';
import type { Script, Step } from './script.js';

/** The scenario that gives this script alone. */
export function scenarioOf(script: Script, exercises: readonly RequirementId[]): Scenario {
  const { title, needs, workers, exclusive, secondEndpoint = false, steps } = script;
  return scenario({
    ...{ title, exercises, needs, workers, exclusive },
    secondEndpoint,
    draw(_arb, limits) {
      assertWithinLimits(limits, Math.max(0, ...steps.map(waitMs)));
      return {};
    },
    script: () => steps,
  });
}

/** The longest that the step waits. */
function waitMs(step: Step): number {
  const { at } = step;
  const beforeMs = at === undefined ? 0 : 'waitMs' in at ? at.waitMs : 'job' in at ? at.plusMs : 0;
  return Math.max(beforeMs, step.do === 'await' ? step.timeoutMs : 0);
}
