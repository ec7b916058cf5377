import fc from 'fast-check';
import { expectedMs } from './expected.js';
import { ExceedsLimits, type Lack } from './exceeds-limits.js';
import type { NamedScenario } from './scenario.js';
import type { Limits, Script, Step } from './script.js';

/**
 * Draws one script of a scenario. The same scenario, seed and limits give the same script.
 *
 * @throws {RunproofError} `limits` when the scenario needs more than the target's limits allow
 */
export function drawScript(scenario: NamedScenario, seed: number, limits: Limits): Script {
  assertWorkersWithinLimits(scenario, limits);
  const [steps] = fc.sample(scenario.steps(limits), { seed, numRuns: 1 });
  if (steps === undefined) throw new Error(`scenario ${scenario.name} drew nothing`);
  return scriptOf(scenario, steps, seed);
}

/**
 * All scripts that the scenario can give within the limits, for users' own properties; shrinks with the
 * scenario's parameters.
 *
 * @throws {RunproofError} `limits` when the scenario needs more than the target's limits allow
 *
 * @public
 */
export function scriptsOf(scenario: NamedScenario, limits: Limits): fc.Arbitrary<Script> {
  assertWorkersWithinLimits(scenario, limits);
  return scenario.steps(limits).map((steps) => scriptOf(scenario, steps, 0));
}

function assertWorkersWithinLimits(scenario: NamedScenario, limits: Limits): void {
  if (scenario.workers <= limits.maxWorkers) return;
  throw new ExceedsLimits(
    `needs ${scenario.workers} workers, the endpoint may have ${limits.maxWorkers}`,
    'workers',
  );
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
    ...(scenario.secondEndpoint ? { secondEndpoint: true as const } : {}),
    expectedMs: expectedMs(steps),
    // Copied, since drawn values may share structure or hold undefined; a script equals its JSON file.
    steps: JSON.parse(JSON.stringify(steps)) as typeof steps,
  };
}

/** The script, or the reason why the scenario is left out for such a target. */
export type Drawn = { readonly script: Script } | { readonly leftOut: string; readonly lack: Lack | null };

export function drawOrLeaveOut(scenario: NamedScenario, seed: number, limits: Limits): Drawn {
  try {
    return { script: drawScript(scenario, seed, limits) };
  } catch (error) {
    if (error instanceof ExceedsLimits) return { leftOut: error.message, lack: error.lack };
    throw error;
  }
}
