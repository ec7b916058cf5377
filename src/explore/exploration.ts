import { GOALS } from './goals.js';
import { LEGAL_PAIRS, mergedCoverage, pairsReached, type Coverage } from './coverage.js';
import { RUNS_PER_BATCH, type BatchResult, type BatchTask, type FoundViolation } from './batch.js';

export interface ExplorationOptions {
  /** A safe integer, 0 or more. */
  readonly seed: number;
  /** Number of runs over all shards. */
  readonly runs: number;
  /** Part `index` (from 1) of `count` parts. */
  readonly shard?: { readonly index: number; readonly count: number };
}

export interface ExplorationSummary {
  readonly runs: number;
  readonly calls: number;
  readonly coverage: Coverage;
  readonly pairs: { readonly reached: number; readonly of: number; readonly missing: readonly string[] };
  readonly goals: { readonly reached: number; readonly of: number; readonly missing: readonly string[] };
  readonly decided: readonly string[];
  /** The first violation of each requirement, in order of runs. */
  readonly violations: readonly FoundViolation[];
  /** Number of runs that violated each requirement. */
  readonly breachCounts: { readonly [requirement: string]: number };
}

/**
 * A round waits for all its batches, so that coverage steers the next one identically on any number of cores.
 */
const BATCHES_PER_ROUND_MAX = 16;

/** Hands out batches round by round and collects their results. */
export class Exploration {
  private readonly options: ExplorationOptions;
  private readonly results = new Map<number, BatchResult>();
  private coverage: Coverage = {};
  /** Number of the next batch of this shard. */
  private next = 0;
  private perRound = 1;

  constructor(options: ExplorationOptions) {
    this.options = options;
  }

  /** The next batches; empty when all were handed out. The results of a round have to be added first. */
  nextRound(): readonly BatchTask[] {
    const { seed, runs, shard = { index: 1, count: 1 } } = this.options;
    this.coverage = this.summary().coverage;
    const tasks: BatchTask[] = [];
    for (; tasks.length < this.perRound; this.next += 1) {
      const batch = this.next * shard.count + shard.index - 1;
      const left = runs - batch * RUNS_PER_BATCH;
      if (left <= 0) break;
      tasks.push({ seed, batch, runs: Math.min(left, RUNS_PER_BATCH), coverage: this.coverage });
    }
    this.perRound = Math.min(BATCHES_PER_ROUND_MAX, this.perRound * 2);
    return tasks;
  }

  take(result: BatchResult): void {
    this.results.set(result.batch, result);
  }

  summary(): ExplorationSummary {
    const results = [...this.results.values()].sort((a, b) => a.batch - b.batch);
    const coverage = mergedCoverage(results.map((result) => result.coverage));
    const reached = new Set(results.flatMap(({ goals }) => goals));
    const all = results.flatMap(({ violations }) => violations).sort((a, b) => a.run - b.run);
    return {
      runs: results.reduce((sum, { runs }) => sum + runs, 0),
      calls: results.reduce((sum, { calls }) => sum + calls, 0),
      coverage,
      pairs: pairsIn(coverage),
      goals: {
        reached: reached.size,
        of: GOALS.length,
        missing: GOALS.filter(({ id }) => !reached.has(id)).map(({ id }) => id),
      },
      decided: [...new Set(results.flatMap(({ decided }) => decided))].sort((a, b) => (a < b ? -1 : 1)),
      violations: firstOfEach(all),
      breachCounts: countOfEach(all),
    };
  }
}

/** Merges the summaries of several shards. */
export function mergedSummary(
  shards: readonly Omit<ExplorationSummary, 'violations'>[],
): Omit<ExplorationSummary, 'violations'> {
  const coverage = mergedCoverage(shards.map((shard) => shard.coverage));
  const missingGoals = GOALS.map(({ id }) => id).filter((id) =>
    shards.every(({ goals }) => goals.missing.includes(id)),
  );
  const counts: { [requirement: string]: number } = {};
  for (const [requirement, count] of shards.flatMap(({ breachCounts }) => Object.entries(breachCounts)))
    counts[requirement] = (counts[requirement] ?? 0) + count;
  return {
    runs: shards.reduce((sum, { runs }) => sum + runs, 0),
    calls: shards.reduce((sum, { calls }) => sum + calls, 0),
    coverage,
    pairs: pairsIn(coverage),
    goals: { reached: GOALS.length - missingGoals.length, of: GOALS.length, missing: missingGoals },
    decided: [...new Set(shards.flatMap(({ decided }) => decided))].sort((a, b) => (a < b ? -1 : 1)),
    breachCounts: counts,
  };
}

function pairsIn(coverage: Coverage): ExplorationSummary['pairs'] {
  const pairs = pairsReached(coverage);
  return {
    reached: pairs.length,
    of: LEGAL_PAIRS.length,
    missing: LEGAL_PAIRS.filter((pair) => !pairs.includes(pair)).map(({ state, op }) => `${state} ${op}`),
  };
}

function firstOfEach(violations: readonly FoundViolation[]): readonly FoundViolation[] {
  const first = new Map<string, FoundViolation>();
  for (const violation of violations)
    if (!first.has(violation.requirement)) first.set(violation.requirement, violation);
  return [...first.values()];
}

function countOfEach(violations: readonly FoundViolation[]): { readonly [requirement: string]: number } {
  const runs = new Map<string, Set<number>>();
  for (const { requirement, run } of violations) {
    runs.set(requirement, (runs.get(requirement) ?? new Set()).add(run));
  }
  return Object.fromEntries([...runs].map(([requirement, each]) => [requirement, each.size]));
}
