/** One observation of a job with all that could be true before and after it. */
import type { Context } from './context.js';
import type { Decided } from './decided.js';
import type { Hypothesis, Place } from './hypothesis.js';
import type { JobCase } from './job.js';
import type { Operation } from './operations.js';
import { QUEUED, STARTED } from './zone.js';

export interface Seen {
  readonly decided: Decided;
  readonly ctx: Context;
  readonly job: JobCase;
  readonly op: Operation;
  readonly before: readonly Hypothesis[];
  readonly after: readonly Hypothesis[];
}

/** The value that all hypotheses agree on, or undefined. */
export function agreed<T>(hypotheses: readonly Hypothesis[], of: (at: Hypothesis) => T): T | undefined {
  const first = hypotheses[0];
  if (first === undefined) return undefined;
  const value = of(first);
  if (hypotheses.length === 1) return value;
  return hypotheses.every((at) => of(at) === value) ? value : undefined;
}

export const every = (hypotheses: readonly Hypothesis[], test: (at: Hypothesis) => boolean): boolean =>
  hypotheses.length > 0 && hypotheses.every(test);

// What is asked at each look of each job stands here as one function each: made anew each time, they would be most of
// what judging leaves to be collected.

export const placeOf = ({ place }: Hypothesis): Place => place;

export const hasRetries = ({ retries }: Hypothesis): boolean => retries > 0;

export const isFirstRun = ({ runs }: Hypothesis): boolean => runs === 0;

export const isGone = ({ place }: Hypothesis): boolean => place === 'gone';

export const isMeddledByRetry = ({ meddled }: Hypothesis): boolean => meddled === 'retry';

/** All of them say that it is there. */
export function everyAt(hypotheses: readonly Hypothesis[], place: Place): boolean {
  for (const at of hypotheses) if (at.place !== place) return false;
  return hypotheses.length > 0;
}

/** The least time that the job waited in the queue, ms. */
export const waitedAtLeastMs = ({ zone }: Hypothesis): number => -zone.bound(QUEUED, STARTED);
