import { PHASES, type Phase } from './phases.js';
import type { SeenPhase, Story } from './story.js';
import type { Steering } from './weights.js';

/** How often what was tried where, and with what outcome: `PHASE OPERATION OUTCOME` → count. */
export type Coverage = { readonly [key: string]: number };

export interface Pair {
  readonly phase: Phase | 'none';
  readonly op: string;
}

const LOOKS = ['status', 'stream'] as const;

/** What the document shows a meaning for: section 3's table, and looks at every state. */
export const LEGAL_PAIRS: readonly Pair[] = [
  ...PHASES.flatMap((phase) => LOOKS.map((op) => ({ phase, op }))),
  { phase: 'IN_QUEUE', op: 'cancel' },
  { phase: 'IN_PROGRESS', op: 'cancel' },
  { phase: 'FAILED', op: 'retry' },
  { phase: 'TIMED_OUT', op: 'retry' },
  ...(['IN_QUEUE', 'none'] as const).flatMap((phase) =>
    ['purge-queue', 'health'].map((op) => ({ phase, op })),
  ),
  { phase: 'none', op: 'run' },
  { phase: 'none', op: 'runsync' },
];

/** What the document leaves open or forbids, and somebody will try all the same. */
const ODD_PAIRS: readonly Pair[] = [
  ...(['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT', 'GONE'] as const).map((phase) => ({
    phase,
    op: 'cancel',
  })),
  ...(['IN_QUEUE', 'IN_PROGRESS', 'COMPLETED', 'CANCELLED', 'GONE'] as const).map((phase) => ({
    phase,
    op: 'retry',
  })),
];

export function coverageOf(stories: Iterable<Story>): Coverage {
  const counts: { [key: string]: number } = {};
  for (const { calls } of stories) {
    for (const { phase, event, outcome } of calls) {
      const submits = event.op === 'run' || event.op === 'runsync';
      const key = keyOf(submits && phase !== 'elsewhere' ? 'none' : phase, event.op ?? 'other', outcome);
      counts[key] = (counts[key] ?? 0) + 1;
    }
  }
  return counts;
}

export function mergedCoverage(all: readonly Coverage[]): Coverage {
  const counts: { [key: string]: number } = {};
  for (const coverage of all) {
    for (const [key, count] of Object.entries(coverage)) counts[key] = (counts[key] ?? 0) + count;
  }
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Pairs that were tried at least once, however it went. */
export function pairsReached(coverage: Coverage, pairs: readonly Pair[] = LEGAL_PAIRS): readonly Pair[] {
  const counts = pairCounts(coverage);
  return pairs.filter(({ phase, op }) => (counts.get(`${phase} ${op}`) ?? 0) > 0);
}

/** What has not been tried is tried more often; what is rarer than most, somewhat more. */
export function steeringBy(coverage: Coverage): Steering {
  const counts = pairCounts(coverage);
  if (counts.size === 0) return () => 1;
  const known = [...LEGAL_PAIRS, ...ODD_PAIRS].map(({ phase, op }) => counts.get(`${phase} ${op}`) ?? 0);
  const middle = [...known].sort((a, b) => a - b)[known.length >> 1]!;
  return (phase, op) => {
    const count = counts.get(`${phase} ${op}`) ?? 0;
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

const keyOf = (phase: SeenPhase, op: string, outcome: string): string => `${phase} ${op} ${outcome}`;
