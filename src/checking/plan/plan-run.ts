/** The plan of a run: a value that `plan` prints and that `check` carries out. */
import { SEED_MAX } from './seed.js';
import type { Script } from '../../scenario/index.js';
import { callsOf } from '../../scenario/step-effects.js';
import type { Plan } from '../../schedule/draw-plan.js';
import type { ExpectedRun } from '../../schedule/time-left.js';
import type { DurationEstimate } from '../../target/http/index.js';
import { chooseScripts, type PlanOptions } from './choose-scripts.js';
import { estimateOf, overNetwork, workersAdvice, type Advice, type OverNetwork } from './estimate.js';
import { ordinaryCalls, withOrdinary } from './ordinary-calls.js';
import { planTargetOf, type PlannedTarget, type PlanTarget } from './plan-target.js';
import type { Shard } from '../selectors.js';
import { longerWaits, timeLimitOf, type LongerWaits } from './time-limit.js';

/** What a run would send to a target, and how long that would take. @public */
export interface RunPlan extends Plan {
  readonly target: PlanTarget;
  /** Calls and time; null where time can be advanced, so that waiting costs nothing. */
  readonly estimate: DurationEstimate | null;
  /** Real ms after which the run is stopped; null: when all scripts have ended. */
  readonly limitMs: number | null;
  /** Requirements that this target's longest wait is too short for. */
  readonly longerWaits: readonly LongerWaits[];
  /** More workers that would shorten the run; null where they would not. */
  readonly advice: Advice | null;
  /** How long the scripts take over a network; null where that is not what takes time. */
  readonly overNetwork: OverNetwork | null;
}

/** What a script costs where no time passes, in calls, and each of its steps: it is prepared, and the clock is moved. */
const SCRIPT_CALLS = 60;
const STEP_CALLS = 10;

/** How the scripts of a plan are expected to end. */
export function expectedRun({ estimate, overNetwork: far, scripts }: RunPlan): ExpectedRun {
  if (estimate !== null) return estimate;
  if (far !== null && far.atOnceMs === null) return far;
  let ms = 0;
  const endsMs = scripts.map(({ steps }) => {
    const calls = steps.reduce((sum, step) => sum + (callsOf(step)?.count ?? 0), 0);
    return (ms += SCRIPT_CALLS + STEP_CALLS * steps.length + calls);
  });
  return { wallMs: null, endsMs };
}

export function newSeed(): number {
  return Math.floor(Math.random() * SEED_MAX);
}

/** The seed where none is given: all shards of a check draw the same scripts. */
export const seedOf = (shard: Shard | undefined): number => (shard === undefined ? newSeed() : 0);

/**
 * Plans a run on the target. Nothing is sent.
 *
 * @param goesOn asked after each script that was simulated; when it returns false, the others are left out
 */
export async function planRun(
  target: PlannedTarget,
  options: PlanOptions,
  goesOn: () => boolean = () => true,
): Promise<RunPlan> {
  const planTarget = planTargetOf(target);
  const plan = await chooseScripts(planTarget, options, goesOn);
  return runPlan(target, plan, options.budgetMs, longerWaits(planTarget, options.selection.asked));
}

/** The plan that runs these scripts; of a selection, with the calls of ordinary use. */
export function planGivenScripts(
  target: PlannedTarget,
  scripts: readonly Script[],
  { selection: { scenarios, beside }, seed, budgetMs }: Pick<PlanOptions, 'selection' | 'seed' | 'budgetMs'>,
): RunPlan {
  const ordinary = beside === undefined ? [] : ordinaryCalls(scripts, [...scenarios, ...beside]);
  return runPlan(target, withOrdinary(ordinary, { seed, scripts, leftOut: [] }, target), budgetMs, []);
}

function runPlan(
  target: PlannedTarget,
  plan: Plan,
  budgetMs: number | null,
  waits: readonly LongerWaits[],
): RunPlan {
  const planTarget = planTargetOf(target);
  // Only where the target's latency was measured is an estimate worth something.
  const estimate =
    target.clock === 'real' && target.latency !== undefined ? estimateOf(plan, planTarget) : null;
  return {
    ...plan,
    target: planTarget,
    estimate,
    limitMs: timeLimitOf(estimate, budgetMs),
    longerWaits: waits,
    advice: estimate === null ? null : workersAdvice(plan, planTarget, estimate),
    overNetwork: overNetwork(plan, planTarget),
  };
}
