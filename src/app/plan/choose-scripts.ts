/** The scripts of a run: drawn for the target, and reduced to what fits the budget, if there is one. */
import { setImmediate } from 'node:timers/promises';
import { EXPLORED, EXPLORED_NEED, exploredScripts } from '../../explore/index.js';
import { formatDuration } from '../../report/formatting.js';
import { drawLeftOut, drawPlan, type Plan } from '../../schedule/draw-plan.js';
import { withOthersBusy, worthTheirTime } from '../../schedule/occupy.js';
import { exercisedOn, type Script } from '../../scenario/index.js';
import { withinBudget } from '../../schedule/within-budget.js';
import { scriptCost, hasNoWorkers, dryRun, type DurationEstimate } from '../../target/http/index.js';
import { estimateOf } from './estimate.js';
import type { PlanTarget } from './plan-target.js';
import { decidedInDryRun } from './predicted-decisions.js';
import type { Selection } from '../selectors.js';

/** Under a clock that can be advanced a script costs no waiting, so more of them are drawn. */
const RUNS_WITHOUT_WAITING = 3;
/** Of the budget: what scripts that share workers lose to each other, and the report. */
const USABLE_SHARE = 0.85;

const NEEDS_WORKERS =
  'decides nothing more in the time of the run where no worker takes a job, as on this target';
/** So much longer than the longest single wait a script may last that waits for workers where there are none. */
const WAITS_FACTOR = 1.25;

export interface PlanOptions {
  readonly selection: Selection;
  readonly seed: number;
  /** Null: as many as the clock allows. */
  readonly runs: number | null;
  /** Scripts of random calls beside those of the scenarios. */
  readonly explored: number;
  /** Null: as long as it takes. */
  readonly budgetMs: number | null;
}

/**
 * Draws the scripts, and chooses among them where there is a budget.
 *
 * @param goesOn asked after each script that was rehearsed; once it says no, the others are left out
 */
export async function chooseScripts(
  target: PlanTarget,
  options: PlanOptions,
  goesOn: () => boolean = () => true,
): Promise<Plan> {
  const { selection, seed, runs, explored, budgetMs } = options;
  const each = runs ?? (target.clock === 'real' ? 1 : RUNS_WITHOUT_WAITING);
  const drawn = await rehearsed(drawPlan(selection.scenarios, target, seed, each), target, goesOn);
  const worth = goesOn() && hasNoWorkers(target.latency) ? withoutWaiting(drawn, target) : drawn;
  const directed = goesOn() ? withOccupying(worth, target, selection) : worth;
  const plan = withExplored(directed, target, explored);
  // Where time can be advanced nobody knows what a script costs: the budget ends the run when it is spent.
  if (budgetMs === null || target.clock !== 'real') return plan;
  const { capabilities, limits } = target;
  const exercises = new Map(
    selection.scenarios.map((one) => [one.name, exercisedOn(one, capabilities, limits.maxWaitMs)]),
  );
  const candidates = plan.scripts.map((script) => ({
    script,
    exercises: exercises.get(script.scenario) ?? [],
    ...scriptCost(script, target.latency),
  }));
  const usableMs = USABLE_SHARE * budgetMs;
  const byWork = withinBudget(candidates, usableMs, target.workers ?? 1).chosen;
  const fitting = shortened(byWork, usableMs, (scripts) => estimateOf({ ...plan, scripts }, target));
  // Where no script fits, the shortest is played until the budget ends: the run has a report then.
  const [shortest] = candidates.toSorted((left, right) => left.lastsMs - right.lastsMs);
  const chosen = fitting.length > 0 || shortest === undefined ? fitting : [shortest.script];
  const leftOut = plan.scripts.filter((script) => !chosen.includes(script));
  const reason = `no room in the budget of ${formatDuration(budgetMs)}`;
  return { ...plan, scripts: chosen, leftOut: [...plan.leftOut, ...leftOutFor(leftOut, reason)] };
}

/** Where no worker takes a job: scripts that want none, and those of which something is decided all the same. */
function withoutWaiting(plan: Plan, target: PlanTarget): Plan {
  const decides = new Map(plan.scripts.map((script) => [script, decidedInDryRun(script, target)]));
  const alone = plan.scripts.filter((script) => dryRun(script, target.latency).needsNoWorker);
  const others = plan.scripts.filter((script) => !alone.includes(script));
  const roomMs = WAITS_FACTOR * target.limits.maxWaitMs;
  const chosen = new Set([
    ...alone,
    ...worthTheirTime(
      others
        .map((script) => ({
          script,
          decides: decides.get(script) ?? [],
          lastsMs: scriptCost(script, target.latency).lastsMs,
        }))
        .filter(({ lastsMs }) => lastsMs <= roomMs),
      new Set(alone.flatMap((script) => decides.get(script) ?? [])),
      // Nobody waits for another: they are played side by side.
      Infinity,
    ),
  ]);
  const leftOut = others.flatMap(({ scenario }, index) =>
    chosen.has(others[index]!) ? [] : [{ scenario, missing: [], reason: NEEDS_WORKERS }],
  );
  const scripts = plan.scripts.filter((script) => chosen.has(script));
  return { ...plan, scripts, leftOut: [...plan.leftOut, ...leftOut] };
}

function leftOutFor(scripts: readonly Script[], reason: string): Plan['leftOut'] {
  return scripts.map(({ scenario }) => ({ scenario, missing: [], reason, forBudget: true as const }));
}

/** Rehearses them one by one, which takes seconds together: signals are heard in between. */
async function rehearsed(plan: Plan, target: PlanTarget, goesOn: () => boolean): Promise<Plan> {
  // Where time can be advanced nothing is reckoned with.
  if (target.clock !== 'real') return plan;
  const scripts: Script[] = [];
  for (const script of plan.scripts) {
    scriptCost(script, target.latency);
    scripts.push(script);
    await setImmediate();
    if (!goesOn()) break;
  }
  const others = plan.scripts.slice(scripts.length);
  return { ...plan, scripts, leftOut: [...plan.leftOut, ...leftOutFor(others, 'no time to plan it')] };
}

/** Random scripts as well; where the target can bear fewer than were asked for, the plan says so. */
function withExplored(plan: Plan, target: PlanTarget, count: number): Plan {
  const explored = exploredScripts(target, plan.seed, count);
  const missing = EXPLORED_NEED.filter((need) => !target.capabilities.includes(need));
  const reason = `this target can bear ${explored.length} of ${count}`;
  return {
    ...plan,
    scripts: [...plan.scripts, ...explored],
    leftOut:
      explored.length === count ? plan.leftOut : [...plan.leftOut, { scenario: EXPLORED, missing, reason }],
  };
}

/**
 * On an endpoint that nobody else uses, scripts that want a known number of workers can keep the others busy. They
 * want all workers for themselves, one after the other, so only as many are played as fit the longest wait.
 */
function withOccupying(plan: Plan, target: PlanTarget, { scenarios }: Selection): Plan {
  const { capabilities, limits, workers } = target;
  const alone = capabilities.includes('dedicated') && capabilities.includes('scripted-worker');
  if (target.clock !== 'real' || !alone || workers === null) return plan;
  const possible = drawLeftOut(plan, scenarios, limits, ({ missing }, script) =>
    missing.every((need) => need === 'worker-count-known') ? withOthersBusy(script, workers) : null,
  );
  const chosen = worthTheirTime(
    possible.map((script) => ({
      script,
      decides: decidedInDryRun(script, target),
      lastsMs: scriptCost(script, target.latency).lastsMs,
    })),
    new Set(plan.scripts.flatMap((script) => decidedInDryRun(script, target))),
    limits.maxWaitMs,
  );
  const played = new Set(chosen.map(({ scenario }) => scenario));
  return {
    ...plan,
    scripts: [...plan.scripts, ...chosen],
    leftOut: plan.leftOut.filter(({ scenario }) => !played.has(scenario)),
  };
}

/** Drops the script that ends last, until the rest is foreseen to be over in time. */
function shortened(
  scripts: readonly Script[],
  budgetMs: number,
  foresee: (scripts: readonly Script[]) => DurationEstimate,
): readonly Script[] {
  let left = scripts;
  for (;;) {
    const { wallMs, endsLast } = foresee(left);
    if (wallMs <= budgetMs || endsLast === null) return left;
    left = left.filter((script) => script !== endsLast);
  }
}
