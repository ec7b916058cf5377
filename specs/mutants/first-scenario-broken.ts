import { rulesFor } from '../../src/core/rules.js';
import type { Mutant } from '../../src/mutants/index.js';
import { judge } from '../../src/oracle/index.js';
import { drawPlan } from '../../src/schedule/draw-plan.js';
import { runScripts } from '../../src/target/run-scripts.js';
import { named as shippedScenarios } from '../../scenarios/index.js';
import { simulatorTarget } from '../../src/target/simulator/simulator-target.js';

const SEED = 11;

/** The first scenario of the requirements that the mutant violates that fails on it; null when none does. */
export async function firstScenarioBroken(mutant: Mutant): Promise<string | null> {
  const broken: readonly string[] = mutant.breaks;
  const target = simulatorTarget({
    seed: SEED,
    rules: mutant.rules(rulesFor({}, 'document')),
    graceMs: 2_000,
  });
  for (const scenario of shippedScenarios) {
    if (!scenario.exercises.some((id) => broken.includes(id))) continue;
    const { scripts } = drawPlan([scenario], target, SEED, 1);
    const run = { seed: SEED, edition: 'document', runproof: 'spec' } as const;
    const { events } = await runScripts(target, scripts, run);
    if (judge(events).requirements.some(({ verdict }) => verdict === 'fail')) return scenario.name;
  }
  return null;
}
