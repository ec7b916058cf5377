import type { Step, When } from '../../scenario/script.js';
import { SECOND_MS } from '../../spec/limits.js';

/** Candidates with times omitted, rounded or halved. */
export function* shorterGaps(steps: readonly Step[]): IterableIterator<readonly Step[]> {
  for (const [index, step] of steps.entries()) {
    const at = step.at;
    if (at === undefined) continue;
    const { at: _, ...atOnce } = step;
    yield steps.map((other, i) => (i === index ? atOnce : other));
    for (const shorter of shorterTimes(at)) {
      yield steps.map((other, i) => (i === index ? { ...step, at: shorter } : other));
    }
  }
}

function* shorterTimes(at: When): IterableIterator<When> {
  if ('waitMs' in at) for (const waitMs of rounder(at.waitMs)) yield { waitMs };
  else if ('sinceStartMs' in at) for (const ms of rounder(at.sinceStartMs)) yield { sinceStartMs: ms };
}

function rounder(ms: number): readonly number[] {
  const rounds = [100, SECOND_MS, 5 * SECOND_MS, 10 * SECOND_MS, Math.round(ms / 2 / SECOND_MS) * SECOND_MS];
  return [...new Set(rounds)].filter((round) => round > 0 && round < ms);
}
