/**
 * `proof/` promises to show that the suite works: every known fault is tried with it, and so are conformant endpoints
 * by the million calls. It changes nothing in what it tries; its answers are tables.
 */
import { named } from '../../scenarios/index.js';
import { judge } from '../../src/oracle/index.js';
import { packageVersion } from '../../src/package-files.js';
import { drawPlan } from '../../src/schedule/draw-plan.js';
import { runScripts } from '../../src/target/run-scripts.js';
import type { NamedScenario } from '../../src/scenario/index.js';
import type { Target } from '../../src/target/port.js';

export interface Trial {
  readonly seed: number;
  /** Scripts drawn of each scenario. */
  readonly runs: number;
  /** Scenarios to begin with: those of the requirements or sections that the fault breaks. */
  readonly first: (scenario: NamedScenario) => boolean;
  /** Whether enough is known after those: then no other scenario is played. */
  readonly enough?: (failed: Failed) => boolean;
}

/** Requirements that failed, with the first scenario that failed each, in the order found. */
export type Failed = ReadonlyMap<string, string>;

/** Plays the shipped suite on the target and tells which requirements failed. */
export async function failedBy(target: Target, { seed, runs, first, enough }: Trial): Promise<Failed> {
  const failed = new Map<string, string>();
  for (const scenarios of [named.filter(first), named.filter((one) => !first(one))]) {
    const { scripts } = drawPlan(scenarios, target, seed, runs);
    const { events } = await runScripts(target, scripts, {
      seed,
      edition: 'document',
      runproof: packageVersion(),
    });
    for (const { verdict, failures } of judge(events).requirements)
      for (const { requirement, scenario } of verdict === 'fail' ? failures : [])
        if (!failed.has(requirement)) failed.set(requirement, scenario);
    if (enough?.(failed) === true) break;
  }
  return failed;
}
