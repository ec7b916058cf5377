import { getOrMake } from '../util/maps.js';
import { MODEL_STATES, type ModelState } from './endpoint-model.js';
import type { ObservedState, ScriptTrace } from './trace.js';
import type { Steering } from './weights.js';

/**
 * How often each operation was tried in each state, with which outcome: `STATE OPERATION OUTCOME` → count.
 */
export type Coverage = { readonly [key: string]: number };

export interface Pair {
  readonly state: ModelState | 'none';
  readonly op: string;
}

const READ_OPERATIONS = ['status', 'stream'] as const;

/** Pairs that the document defines: the table of section 3, and reads in every state. */
export const LEGAL_PAIRS: readonly Pair[] = [
  ...MODEL_STATES.flatMap((state) => READ_OPERATIONS.map((op) => ({ state, op }))),
  { state: 'IN_QUEUE', op: 'cancel' },
  { state: 'IN_PROGRESS', op: 'cancel' },
  { state: 'FAILED', op: 'retry' },
  { state: 'TIMED_OUT', op: 'retry' },
  ...(['IN_QUEUE', 'none'] as const).flatMap((state) =>
    ['purge-queue', 'health'].map((op) => ({ state, op })),
  ),
  { state: 'none', op: 'run' },
  { state: 'none', op: 'runsync' },
];

/** Pairs that the document leaves open or forbids, and that clients try nevertheless. */
const ODD_PAIRS: readonly Pair[] = [
  ...(['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT', 'GONE'] as const).map((state) => ({
    state,
    op: 'cancel',
  })),
  ...(['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED', 'GONE'] as const).map((state) => ({
    state,
    op: 'retry',
  })),
];

interface Count {
  readonly key: string;
  calls: number;
}

export function coverageOf(traces: Iterable<ScriptTrace>): Coverage {
  // By its parts: to make and look up the key of every call would take longer.
  const known = new Map<string, Map<string, Map<string, Count>>>();
  const counts: Count[] = [];
  for (const { calls } of traces) {
    for (const { state, event, outcome } of calls) {
      const submits = event.op === 'run' || event.op === 'runsync';
      const found = submits && state !== 'elsewhere' ? 'none' : state;
      const op = event.op ?? 'other';
      const byOp = getOrMake(known, found, () => new Map<string, Map<string, Count>>());
      const byOutcome = getOrMake(byOp, op, () => new Map<string, Count>());
      getOrMake(byOutcome, outcome, () => {
        const count = { key: keyOf(found, op, outcome), calls: 0 };
        counts.push(count);
        return count;
      }).calls += 1;
    }
  }
  return Object.fromEntries(counts.map((each) => [each.key, each.calls]));
}

export function mergedCoverage(all: readonly Coverage[]): Coverage {
  const counts: { [key: string]: number } = {};
  for (const coverage of all) {
    for (const [key, count] of Object.entries(coverage)) counts[key] = (counts[key] ?? 0) + count;
  }
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Pairs that were tried at least once, with any outcome. */
export function pairsReached(coverage: Coverage, pairs: readonly Pair[] = LEGAL_PAIRS): readonly Pair[] {
  const counts = pairCounts(coverage);
  return pairs.filter(({ state, op }) => (counts.get(`${state} ${op}`) ?? 0) > 0);
}

/** Prefers pairs that were not tried yet, and to a lesser degree pairs that are rarer than most. */
export function steeringBy(coverage: Coverage): Steering {
  const counts = pairCounts(coverage);
  if (counts.size === 0) return () => 1;
  const known = [...LEGAL_PAIRS, ...ODD_PAIRS].map(({ state, op }) => counts.get(`${state} ${op}`) ?? 0);
  const middle = [...known].sort((a, b) => a - b)[known.length >> 1]!;
  return (state, op) => {
    const count = counts.get(`${state} ${op}`) ?? 0;
    if (count === 0) return 6;
    if (count * 8 < middle) return 3;
    return count * 2 < middle ? 1.5 : 1;
  };
}

function pairCounts(coverage: Coverage): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [key, count] of Object.entries(coverage)) {
    const pair = key.slice(0, key.lastIndexOf(' '));
    counts.set(pair, (counts.get(pair) ?? 0) + count);
  }
  return counts;
}

const keyOf = (state: ObservedState, op: string, outcome: string): string => `${state} ${op} ${outcome}`;
