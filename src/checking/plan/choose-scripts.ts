/** The scripts of a run: drawn for the target, and reduced to what fits the budget, if there is one. */
import { EXPLORED, EXPLORED_NEED } from '../../explore/explored.js';
import { setImmediate } from 'node:timers/promises';
import { formatDuration } from '../../report/formatting.js';
import { drawLeftOut, drawPlan, type Plan } from '../../schedule/draw-plan.js';
import { withOthersBusy, worthTheirTime } from '../../schedule/occupy.js';
import { exercisedOn } from '../../scenario/exercised.js';
import type { NamedScenario } from '../../scenario/scenario.js';
import type { Script } from '../../scenario/index.js';
import { leastBudgetMs, withinBudget } from '../../schedule/within-budget.js';
import { scriptCost, hasNoWorkers, dryRun, type DurationEstimate } from '../../target/http/index.js';
import { estimateOf } from './estimate.js';
import { ordinaryCalls, withAlsoShowing, withOrdinary } from './ordinary-calls.js';
import type { PlanTarget } from './plan-target.js';
import { decidedInDryRun } from './predicted-decisions.js';
import type { Capability } from '../../spec/types.js';
import type { Selection } from '../selectors.js';

const WORKERS: Capability = 'worker-count-known';
/** Scripts drawn of each scenario if the clock can be advanced: waiting then costs nothing. */
const RUNS_WITHOUT_WAITING = 3;
/** The rest of the budget is for the report, and for scripts that wait for each other's workers. */
const USABLE_SHARE = 0.85;

const NEEDS_WORKERS = 'decides nothing more on a target without workers in the time of the run';
/** A next run may find the target so much slower. */
const ENOUGH_FACTOR = 1.05;
/** Where some were not planned in half of a budget, so many times the budget is enough. */
const UNPLANNED_FACTOR = 2;
/** If there are no workers, a script that waits for them may last this many times the longest wait. */
const WAITS_FACTOR = 1.25;

export interface PlanOptions {
  readonly selection: Selection;
  readonly seed: number;
  /** Scripts drawn of each scenario. Null: 1 in real time, otherwise 3. */
  readonly runs: number | null;
  /** Scripts of random calls, in addition to those of the scenarios. */
  readonly explored: number;
  /** Null: no budget. */
  readonly budgetMs: number | null;
}

/**
 * Draws the scripts, and if there is a budget chooses those that fit it.
 *
 * @param goesOn asked after the dry run of each script; when it returns false, the others are left out
 */
export async function chooseScripts(
  target: PlanTarget,
  options: PlanOptions,
  goesOn: () => boolean = () => true,
): Promise<Plan> {
  const { selection, seed, runs, explored, budgetMs } = options;
  const each = runs ?? (target.clock === 'real' ? 1 : RUNS_WITHOUT_WAITING);
  const { scenarios, beside = [] } = selection;
  const selected = withAlsoShowing(drawPlan(scenarios, target, seed, each), selection, target, each);
  const ordinary = ordinaryCalls(selected.scripts, beside);
  const all = withOrdinary(ordinary, selected, target);
  // If time can be advanced nearby, durations do not matter.
  const drawn =
    target.clock === 'real' || target.network !== null ? await simulatedInTime(all, target, goesOn) : all;
  const worth = goesOn() && hasNoWorkers(target.latency) ? withoutWaiting(drawn, target) : drawn;
  const directed = goesOn() ? withOccupying(worth, target, selection) : worth;
  const plan = explored === 0 ? directed : await withExplored(directed, target, explored, selection);
  // If time can be advanced, the cost of a script is not known: the run stops when the budget is spent.
  if (budgetMs === null || target.clock !== 'real') return plan;
  const { capabilities, limits } = target;
  const exercises = new Map(
    [...scenarios, ...beside].map((one) => [one.name, exercisedOn(one, capabilities, limits.maxWaitMs)]),
  );
  const candidates = plan.scripts.map((script) => ({
    script,
    exercises: exercises.get(script.scenario) ?? [],
    ...scriptCost(script, target.latency),
  }));
  const usableMs = USABLE_SHARE * budgetMs;
  const byWork = withinBudget(candidates, usableMs * (target.latency.speed ?? 1), target.workers ?? 1).chosen;
  const fitting = shortened(byWork, usableMs, (scripts) => estimateOf({ ...plan, scripts }, target));
  // If no script fits, the shortest runs until the budget ends, so that there is a report.
  const [shortest] = candidates.toSorted((left, right) => left.lastsMs - right.lastsMs);
  const chosen = fitting.length > 0 || shortest === undefined ? fitting : [shortest.script];
  const leftOut = plan.scripts.filter((script) => !chosen.includes(script));
  const reason = `no room in the budget of ${formatDuration(budgetMs)}`;
  if (leftOut.length === 0) return { ...plan, scripts: chosen };
  const [workMs, { wallMs }] = [leastBudgetMs(candidates, target.workers ?? 1), estimateOf(plan, target)];
  const enoughMs = Math.max(
    (ENOUGH_FACTOR * Math.max(workMs / (target.latency.speed ?? 1), wallMs)) / USABLE_SHARE,
    plan.leftOut.some(({ forBudget }) => forBudget === true) ? UNPLANNED_FACTOR * budgetMs : budgetMs + 1,
  );
  return { ...plan, scripts: chosen, leftOut: [...plan.leftOut, ...leftOutFor(leftOut, reason)], enoughMs };
}

/** For a target without workers: scripts that need none, and scripts that decide something all the same. */
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
      // They run side by side and do not wait for each other.
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

/**
 * Simulates the scripts one by one, which may take seconds in all, and lets signals in between two of them.
 */
export async function simulatedInTime(plan: Plan, target: PlanTarget, goesOn: () => boolean): Promise<Plan> {
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

/** Adds random scripts. If fewer than requested are within the target's limits, the plan says so. */
async function withExplored(
  plan: Plan,
  target: PlanTarget,
  count: number,
  { shard = { index: 1, count: 1 } }: Selection,
): Promise<Plan> {
  const { exploredScripts } = await import('../../explore/explored-scripts.js');
  const explored = exploredScripts(target, plan.seed, count);
  const missing = EXPLORED_NEED.filter((need) => !target.capabilities.includes(need));
  const reason = `${explored.length} of ${count} are within the limits of this target`;
  return {
    ...plan,
    scripts: [...plan.scripts, ...explored.filter((_, number) => number % shard.count === shard.index - 1)],
    leftOut:
      explored.length === count ? plan.leftOut : [...plan.leftOut, { scenario: EXPLORED, missing, reason }],
  };
}

/**
 * On an endpoint that nothing else uses, a script that needs a known number of workers can occupy the others.
 * It needs all workers for itself, so such scripts run one after the other. Those that decide something more may take as
 * long as the longest wait, and so may those in which a violation shows of what only a known number of workers decides.
 */
function withOccupying(plan: Plan, target: PlanTarget, { scenarios }: Selection): Plan {
  const { capabilities, limits, workers } = target;
  const alone = capabilities.includes('dedicated') && capabilities.includes('scripted-worker');
  if (target.clock !== 'real' || !alone || workers === null) return plan;
  const possible = drawLeftOut(plan, scenarios, limits, ({ missing }, script) =>
    missing.every((need) => need === WORKERS) ? withOthersBusy(script, workers) : null,
  );
  const chosenBy = (
    scripts: readonly Script[],
    of: (script: Script) => readonly string[],
    known: Iterable<string>,
  ) =>
    worthTheirTime(
      scripts.map((script) => ({
        script,
        decides: of(script),
        lastsMs: scriptCost(script, target.latency).lastsMs,
      })),
      new Set(known),
      limits.maxWaitMs,
    );
  const decided = (script: Script): readonly string[] => decidedInDryRun(script, target);
  const deciding = chosenBy(possible, decided, plan.scripts.flatMap(decided));
  const shown = new Map(scenarios.map((one) => [one.name, shownOnly(one, target)]));
  const shows = ({ scenario }: Script): readonly string[] => shown.get(scenario) ?? [];
  const others = possible.filter((script) => !deciding.includes(script));
  const chosen = [...deciding, ...chosenBy(others, shows, deciding.flatMap(shows))];
  const added = new Set(chosen.map(({ scenario }) => scenario));
  return {
    ...plan,
    scripts: [...plan.scripts, ...chosen],
    leftOut: plan.leftOut.filter(({ scenario }) => !added.has(scenario)),
  };
}

/** The requirements that the scenario would decide if the number of workers were known. */
function shownOnly(scenario: NamedScenario, { capabilities, limits }: PlanTarget): readonly string[] {
  const decided = exercisedOn(scenario, capabilities, limits.maxWaitMs);
  return exercisedOn(scenario, [...capabilities, WORKERS], limits.maxWaitMs).filter(
    (id) => !decided.includes(id),
  );
}

/** Drops the script that ends last, until the estimate of the rest fits the budget. */
function shortened(
  scripts: readonly Script[],
  budgetMs: number,
  estimate: (scripts: readonly Script[]) => DurationEstimate,
): readonly Script[] {
  let left = scripts;
  for (;;) {
    const { wallMs, endsLast } = estimate(left);
    if (wallMs <= budgetMs || endsLast === null) return left;
    left = left.filter((script) => script !== endsLast);
  }
}
