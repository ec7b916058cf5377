import type { Script } from '../scenario/index.js';

/** A script that may be chosen, with its benefit and its cost. */
export interface Candidate {
  readonly script: Script;
  /** Requirements that its scenario exercises. */
  readonly exercises: readonly string[];
  readonly lastsMs: number;
  /** Worker time, in ms. */
  readonly workMs: number;
}

/** The least cost of a script, so that scripts without work are not free. */
const LEAST_COST_MS = 200;
/** The benefit of exercising a requirement again, relative to the first time. */
const AGAIN = 0.1;

/**
 * Chooses scripts that fit a budget of the target's time, greedily: first those that exercise the most new requirements for the
 * worker time that they cost. A script that lasts longer than the budget never fits.
 */
export function withinBudget(
  candidates: readonly Candidate[],
  budgetMs: number,
  workers: number,
): { readonly chosen: readonly Script[]; readonly leftOut: readonly Script[] } {
  const exercised = new Set<string>();
  const chosen = new Set<Script>();
  let roomMs = budgetMs * Math.max(1, workers);
  let open = candidates.filter(({ lastsMs }) => lastsMs <= budgetMs);
  for (;;) {
    open = open.filter(({ workMs }) => workMs <= roomMs);
    const best = mostWorth(open, exercised);
    if (best === null) break;
    chosen.add(best.script);
    open = open.filter((candidate) => candidate !== best);
    roomMs -= Math.max(LEAST_COST_MS, best.workMs);
    for (const id of best.exercises) exercised.add(id);
  }
  const scripts = candidates.map(({ script }) => script);
  return {
    chosen: scripts.filter((script) => chosen.has(script)),
    leftOut: scripts.filter((script) => !chosen.has(script)),
  };
}

/** The least budget that has room for all. */
export const leastBudgetMs = (candidates: readonly Candidate[], workers: number): number =>
  Math.max(
    ...candidates.map(({ lastsMs }) => lastsMs),
    candidates.reduce((sum, { workMs }) => sum + Math.max(LEAST_COST_MS, workMs), 0) / Math.max(1, workers),
  );

function mostWorth(open: readonly Candidate[], exercised: ReadonlySet<string>): Candidate | null {
  let best: Candidate | null = null;
  let bestWorth = -1;
  for (const candidate of open) {
    const { exercises, workMs } = candidate;
    const fresh = exercises.filter((id) => !exercised.has(id)).length;
    const worth = (fresh + AGAIN * (exercises.length - fresh)) / Math.max(LEAST_COST_MS, workMs);
    if (worth > bestWorth) [best, bestWorth] = [candidate, worth];
  }
  return best;
}
