import fc from 'fast-check';
import { expectedMs } from './expected.js';
import { ExceedsLimits } from './exceeds-limits.js';
import type { NamedScenario } from './scenario.js';
import type { Limits, Script, Step } from './script.js';

/**
 * Draws one script of a scenario. The same scenario, seed and limits give the same script.
 *
 * @throws {ExceedsLimits} when the target cannot bear what the scenario needs
 */
export function drawScript(scenario: NamedScenario, seed: number, limits: Limits): Script {
  assertWorkersWithinLimits(scenario, limits);
  const [steps] = fc.sample(scenario.steps(limits), { seed, numRuns: 1 });
  if (steps === undefined) throw new Error(`scenario ${scenario.name} drew nothing`);
  return scriptOf(scenario, steps, seed);
}

/**
 * Every script that the scenario may stand for on such a target, for properties of one's own; shrinks as the
 * scenario's parameters do.
 *
 * @throws {ExceedsLimits} when the target cannot bear what the scenario needs
 */
export function scriptsOf(scenario: NamedScenario, limits: Limits): fc.Arbitrary<Script> {
  assertWorkersWithinLimits(scenario, limits);
  return scenario.steps(limits).map((steps) => scriptOf(scenario, steps, 0));
}

function assertWorkersWithinLimits(scenario: NamedScenario, limits: Limits): void {
  if (scenario.workers <= limits.maxWorkers) return;
  throw new ExceedsLimits(`needs ${scenario.workers} workers, the endpoint may have ${limits.maxWorkers}`);
}

function scriptOf(scenario: NamedScenario, steps: readonly Step[], seed: number): Script {
  return {
    schema: 'runproof-script/1',
    scenario: scenario.name,
    title: scenario.title,
    seed,
    needs: scenario.needs,
    workers: scenario.workers,
    exclusive: scenario.exclusive,
    ...(scenario.secondEndpoint ? { neighbour: true as const } : {}),
    expectedMs: expectedMs(steps),
    // What is drawn may share structure or hold undefined; a script is exactly what its file says.
    steps: JSON.parse(JSON.stringify(steps)) as typeof steps,
  };
}

/** The script, or the reason why the scenario is left out on such a target. */
export type Drawn = { readonly script: Script } | { readonly leftOut: string };

export function drawOrLeaveOut(scenario: NamedScenario, seed: number, limits: Limits): Drawn {
  try {
    return { script: drawScript(scenario, seed, limits) };
  } catch (error) {
    if (error instanceof ExceedsLimits) return { leftOut: error.message };
    throw error;
  }
}
