import type { JobRef } from '../scenario/script.js';
import type { PlannedJob } from './endpoint-model.js';

const LABELS = 'abcdefghijklmnopqrstuvwxyz';

/** The labels a, b, c … z, a2, b2 … */
export function labelOf(index: number): string {
  const letter = LABELS[index % LABELS.length]!;
  return index < LABELS.length ? letter : `${letter}${Math.floor(index / LABELS.length) + 1}`;
}

/**
 * Refers to the job by its position among the newest jobs that were last observed in its state, or among all
 * jobs.
 */
export function nthNewest(job: PlannedJob, jobs: readonly PlannedJob[]): JobRef {
  const { lastObserved } = job;
  const anyState = lastObserved === null || lastObserved === 'GONE';
  const sameState = jobs.filter((other) => anyState || other.lastObserved === lastObserved);
  const nth = sameState.length - 1 - sameState.indexOf(job);
  return anyState ? { nth } : { nth, phase: [lastObserved] };
}
