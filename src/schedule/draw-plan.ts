/**
 * `schedule/` promises to say which scripts a run has on a target, in which order, and how long that takes. It sends
 * nothing and reads no clock: the caller passes the time.
 */
import {
  drawOrLeaveOut,
  type Lack,
  type Limits,
  type NamedScenario,
  type Script,
} from '../scenario/index.js';
import { missingOf } from '../spec/capability-words.js';
import type { Capability } from '../spec/types.js';
import { createRandom, FAST_CHECK_SEED_MASK } from '../time/random.js';

/** The scripts of a run, before anything is sent. @public */
export interface Plan {
  readonly seed: number;
  readonly scripts: readonly Script[];
  /** Scenarios that cannot be run on this target, each with the reason. */
  readonly leftOut: readonly LeftOut[];
  /** @internal A budget with room for all scripts, if scripts were left out for it, ms. */
  readonly enoughMs?: number;
}

/** A scenario that is not run, and why. @public */
export interface LeftOut {
  readonly scenario: string;
  /** Capabilities that the target lacks; empty where another `reason` applies. */
  readonly missing: readonly Capability[];
  readonly reason: string;
  /** Of what it needs more than the target has; absent: of nothing, or of capabilities. */
  readonly lack?: Lack | null;
  /** Only the budget is too small for it. */
  readonly forBudget?: true;
}

/** Scripts of scenarios that were left out, where `draw` returns a script that can be run nevertheless. */
export function drawLeftOut(
  plan: Plan,
  scenarios: readonly NamedScenario[],
  limits: Limits,
  draw: (left: LeftOut, script: Script) => Script | null,
): readonly Script[] {
  const leftOut = new Map(plan.leftOut.map((left) => [left.scenario, left]));
  return scenarios.flatMap((scenario) => {
    const left = leftOut.get(scenario.name);
    if (left === undefined || left.missing.length === 0) return [];
    const result = drawOrLeaveOut(scenario, scriptSeed(plan.seed, scenario.name, 0), limits);
    const script = 'leftOut' in result ? null : draw(left, result.script);
    return script === null ? [] : [script];
  });
}

/** Depends only on the root seed, the scenario's name and the run, so that a selection draws the same scripts. */
function scriptSeed(seed: number, scenario: string, run: number): number {
  const stream = createRandom(seed).fork('scenario').fork(scenario).fork(String(run));
  return stream.nextUint32() & FAST_CHECK_SEED_MASK;
}

/**
 * Draws scripts of every scenario that can be run on the target. Scripts of one scenario with the same steps are
 * included once.
 *
 * @param seed safe integer; the same seed draws the same scripts
 * @param runs scripts drawn of each scenario, at least 1
 *
 * @public
 */
export function drawPlan(
  scenarios: readonly NamedScenario[],
  target: { readonly capabilities: readonly Capability[]; readonly limits: Limits },
  seed: number,
  runs: number,
): Plan {
  const scripts: Script[] = [];
  const leftOut: LeftOut[] = [];
  for (const scenario of scenarios) {
    const missing = missingOf(scenario.needs, target.capabilities);
    if (missing.length > 0) {
      leftOut.push({ scenario: scenario.name, missing, reason: `needs ${missing.join(', ')}` });
      continue;
    }
    const drawn = new Set<string>();
    for (let run = 0; run < runs; run += 1) {
      const result = drawOrLeaveOut(scenario, scriptSeed(seed, scenario.name, run), target.limits);
      if ('leftOut' in result) {
        const { leftOut: reason, lack } = result;
        leftOut.push({ scenario: scenario.name, missing: [], reason, lack });
        break;
      }
      const steps = JSON.stringify(result.script.steps);
      if (!drawn.has(steps)) scripts.push(result.script);
      drawn.add(steps);
    }
  }
  return { seed, scripts, leftOut };
}
