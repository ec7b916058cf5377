import type { BatchResult, FoundViolation } from './batch.js';
import { LEGAL_PAIRS, mergedCoverage, pairsReached, type Coverage } from './coverage.js';
import { GOALS } from './goals.js';

/**
 * What some batches of an exploration showed. Plain JSON of a bounded size. Merging is associative and
 * commutative: the sum of all batches is the same in whatever order, and on whatever machines, they were run.
 */
export interface TallyOf<V> {
  readonly runs: number;
  readonly calls: number;
  readonly coverage: Coverage;
  /** Ids of the goals reached, sorted. */
  readonly goals: readonly string[];
  /** Ids of the requirements decided, sorted. */
  readonly decided: readonly string[];
  /** The first violation of each requirement, in order of runs. */
  readonly violations: readonly V[];
  /** Number of runs that violated each requirement. */
  readonly breachCounts: { readonly [requirement: string]: number };
}

export type Tally = TallyOf<FoundViolation>;

/** A violation without its script, which the batch of the run gives again. */
export type ViolationRef = Pick<FoundViolation, 'requirement' | 'level' | 'run'>;

export interface SummaryOf<V> extends Omit<TallyOf<V>, 'goals'> {
  readonly pairs: { readonly reached: number; readonly of: number; readonly missing: readonly string[] };
  readonly goals: { readonly reached: number; readonly of: number; readonly missing: readonly string[] };
}

export type ExplorationSummary = SummaryOf<FoundViolation>;

export const EMPTY_TALLY: TallyOf<never> = {
  runs: 0,
  calls: 0,
  coverage: {},
  goals: [],
  decided: [],
  violations: [],
  breachCounts: {},
};

export function tallyOf({ runs, calls, coverage, goals, decided, violations }: BatchResult): Tally {
  const runsOf = new Map<string, Set<number>>();
  for (const { requirement, run } of violations)
    runsOf.set(requirement, (runsOf.get(requirement) ?? new Set()).add(run));
  return {
    runs,
    calls,
    coverage,
    goals: sorted(goals),
    decided: sorted(decided),
    violations: firstOfEach(violations),
    breachCounts: sortedCounts([...runsOf].map(([requirement, each]) => [requirement, each.size])),
  };
}

export function withoutScripts(tally: Tally): TallyOf<ViolationRef> {
  const violations = tally.violations.map(({ requirement, level, run }) => ({ requirement, level, run }));
  return { ...tally, violations };
}

/** A run belongs to one of the tallies only: otherwise it counts twice. */
export function mergedTally<V extends ViolationRef>(tallies: readonly TallyOf<V>[]): TallyOf<V> {
  const breaches: { [requirement: string]: number } = {};
  for (const [requirement, count] of tallies.flatMap(({ breachCounts }) => Object.entries(breachCounts)))
    breaches[requirement] = (breaches[requirement] ?? 0) + count;
  return {
    runs: tallies.reduce((sum, { runs }) => sum + runs, 0),
    calls: tallies.reduce((sum, { calls }) => sum + calls, 0),
    coverage: mergedCoverage(tallies.map(({ coverage }) => coverage)),
    goals: sorted(tallies.flatMap(({ goals }) => goals)),
    decided: sorted(tallies.flatMap(({ decided }) => decided)),
    violations: firstOfEach(tallies.flatMap(({ violations }) => violations)),
    breachCounts: sortedCounts(Object.entries(breaches)),
  };
}

export function summaryOf<V>(tally: TallyOf<V>): SummaryOf<V> {
  const pairs = pairsReached(tally.coverage);
  const reached = new Set(tally.goals);
  return {
    ...tally,
    pairs: {
      reached: pairs.length,
      of: LEGAL_PAIRS.length,
      missing: LEGAL_PAIRS.filter((pair) => !pairs.includes(pair)).map(({ state, op }) => `${state} ${op}`),
    },
    goals: {
      reached: reached.size,
      of: GOALS.length,
      missing: GOALS.filter(({ id }) => !reached.has(id)).map(({ id }) => id),
    },
  };
}

/** Merges the summaries of several shards. */
export function mergedSummary(
  shards: readonly Omit<ExplorationSummary, 'violations'>[],
): Omit<ExplorationSummary, 'violations'> {
  const { violations: _, ...summary } = summaryOf(
    mergedTally<FoundViolation>(
      shards.map((shard) => ({
        ...shard,
        goals: GOALS.map(({ id }) => id).filter((id) => !shard.goals.missing.includes(id)),
        violations: [],
      })),
    ),
  );
  return summary;
}

function firstOfEach<V extends ViolationRef>(violations: readonly V[]): readonly V[] {
  const first = new Map<string, V>();
  for (const violation of violations) {
    const earlier = first.get(violation.requirement);
    if (earlier === undefined || violation.run < earlier.run) first.set(violation.requirement, violation);
  }
  return [...first.values()].sort((a, b) => a.run - b.run || (a.requirement < b.requirement ? -1 : 1));
}

const sorted = (ids: readonly string[]): readonly string[] =>
  [...new Set(ids)].sort((a, b) => (a < b ? -1 : 1));

const sortedCounts = (counts: readonly (readonly [string, number])[]): TallyOf<never>['breachCounts'] =>
  Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
