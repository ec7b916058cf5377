/** The transitions that several parts of a run saw, taken together. */
import type { SeenTransition } from '../oracle/ledger/findings.js';

/** One entry for each pair of states. */
export function sumTransitions(all: readonly SeenTransition[]): readonly SeenTransition[] {
  const sums = new Map<string, SeenTransition>();
  for (const one of all) {
    const key = `${one.from} ${one.to}`;
    const known = sums.get(key) ?? { times: 0, shortestMs: null, longestMs: null };
    sums.set(key, {
      ...one,
      times: known.times + one.times,
      shortestMs: extreme(Math.min, known.shortestMs, one.shortestMs),
      longestMs: extreme(Math.max, known.longestMs, one.longestMs),
    });
  }
  return [...sums.values()];
}

const extreme = (choose: typeof Math.min, left: number | null, right: number | null): number | null =>
  left === null ? right : right === null ? left : choose(left, right);
