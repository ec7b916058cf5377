/**
 * What clients that no capture shows may have done to a job between two observations: cancelled it, removed it from the
 * queue, or retried it, as often as they liked (`observed/unseen-calls.ts`).
 */
import { RUN_COUNT_UNKNOWN } from '../observed/worker-prediction.js';
import { keptAsRun } from './effective-policy.js';
import { withZone, type Hypothesis, type JobState, type MutableHypothesis } from './hypothesis.js';
import type { JobModel } from './job-model.js';
import { ENDED, QUEUED, STARTED, SUBMITTED, ZERO } from './zone.js';

const RESTARTABLE: ReadonlySet<JobState> = new Set(['queued', 'running', 'failed', 'timed-out', 'purged']);

/** The job may have failed meanwhile, or have failed already, and wait again. */
export function mayBeRestarted({ others }: JobModel, { state }: Hypothesis): boolean {
  return others && RESTARTABLE.has(state);
}

/** Back in the queue at some instant up to `byMs`. Nothing is known of its runs; a second retry would add nothing. */
export function restarted(from: Hypothesis, byMs: number): MutableHypothesis {
  const zone = from.zone.copy();
  for (const instant of [QUEUED, STARTED, ENDED] as const) zone.free(instant);
  zone.constrain(SUBMITTED, QUEUED, 0);
  zone.constrain(ZERO, QUEUED, -from.notBeforeMs);
  zone.constrain(QUEUED, ZERO, byMs);
  const next = withZone(from, zone);
  next.state = 'queued';
  next.policy = keptAsRun(from.policy);
  next.unit = null;
  next.runs = next.retries = RUN_COUNT_UNKNOWN;
  next.priorRunsMs = Infinity;
  next.lastRetry = next.retriedFrom = null;
  const { submitted } = from.milestones;
  next.milestones = { submitted, lastQueued: null, firstStarted: null, lastRunning: null, ended: null };
  return next;
}

/** Cancelled or purged at some instant up to `byMs`; null: it could not be any more. */
export function removed(
  from: Hypothesis,
  state: 'cancelled' | 'purged',
  byMs: number,
): MutableHypothesis | null {
  const zone = from.zone.copy();
  zone.free(ENDED);
  const isPossible =
    zone.constrain(from.state === 'queued' ? QUEUED : STARTED, ENDED, 0) &&
    zone.constrain(ZERO, ENDED, -from.notBeforeMs) &&
    zone.constrain(ENDED, ZERO, byMs);
  if (!isPossible) return null;
  const next = withZone(from, zone);
  next.state = state;
  next.previousState = from.state;
  return next;
}
