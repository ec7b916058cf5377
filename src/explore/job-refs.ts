import type { JobRef } from '../scenario/script.js';
import type { PlannedJob } from './endpoint-model.js';

const LABELS = 'abcdefghijklmnopqrstuvwxyz';

/** a, b, c … z, a2, b2 … */
export function labelOf(index: number): string {
  const letter = LABELS[index % LABELS.length]!;
  return index < LABELS.length ? letter : `${letter}${Math.floor(index / LABELS.length) + 1}`;
}

/** The job by its place among the newest in the phase in which the player last saw it, or among all. */
export function nthNewest(job: PlannedJob, jobs: readonly PlannedJob[]): JobRef {
  const { lastObserved } = job;
  const anyState = lastObserved === null || lastObserved === 'GONE';
  const sameState = jobs.filter((other) => anyState || other.lastObserved === lastObserved);
  const nth = sameState.length - 1 - sameState.indexOf(job);
  return anyState ? { nth } : { nth, phase: [lastObserved] };
}
