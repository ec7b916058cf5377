import type { JobRef } from '../scenario/script.js';
import type { PlannedJob } from './phases.js';

const LABELS = 'abcdefghijklmnopqrstuvwxyz';

/** a, b, c … z, a2, b2 … */
export function labelOf(index: number): string {
  const letter = LABELS[index % LABELS.length]!;
  return index < LABELS.length ? letter : `${letter}${Math.floor(index / LABELS.length) + 1}`;
}

/** The job by its place among the newest in the phase in which the player last saw it, or among all. */
export function nthNewest(job: PlannedJob, jobs: readonly PlannedJob[]): JobRef {
  const { shown } = job;
  const anyPhase = shown === null || shown === 'GONE';
  const alike = jobs.filter((other) => anyPhase || other.shown === shown);
  const nth = alike.length - 1 - alike.indexOf(job);
  return anyPhase ? { nth } : { nth, phase: [shown] };
}
