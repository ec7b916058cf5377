/**
 * What clients that no capture shows may have done to a job between two observations: cancelled it, removed it from the
 * queue, or retried it, as often as they liked (`observed/unseen-calls.ts`); and what a worker of which nothing is known may
 * have done: crashed, so that the job runs again.
 */
import { RUN_COUNT_UNKNOWN } from '../../observed/worker-prediction.js';
import { keptAsRun } from '../effective-policy.js';
import { withZone, type Hypothesis, type JobState, type MutableHypothesis } from '../hypothesis.js';
import type { JobModel } from '../job-model.js';
import { ENDED, QUEUED, STARTED, SUBMITTED, ZERO } from '../zone.js';

const AFTER_CRASH: ReadonlySet<JobState> = new Set(['queued', 'running']);
const RETRYABLE: ReadonlySet<JobState> = new Set([...AFTER_CRASH, 'failed', 'timed-out', 'purged']);

/** The job may wait again: its worker has crashed, or it has failed, now or before, and was retried. */
export function mayBeRestarted({ others, mayCrash }: JobModel, { state }: Hypothesis): boolean {
  return (others && RETRYABLE.has(state)) || (mayCrash && AFTER_CRASH.has(state));
}

/**
 * Back in the queue at some instant up to `byMs`. Nothing is known of its runs; a second retry would add nothing. A crash
 * alone leaves its limits as they were.
 */
export function restarted({ others }: JobModel, from: Hypothesis, byMs: number): MutableHypothesis {
  const zone = from.zone.copy();
  for (const instant of [QUEUED, STARTED, ENDED] as const) zone.free(instant);
  zone.constrain(SUBMITTED, QUEUED, 0);
  zone.constrain(ZERO, QUEUED, -from.notBeforeMs);
  zone.constrain(QUEUED, ZERO, byMs);
  const next = withZone(from, zone);
  next.state = 'queued';
  if (others) next.policy = keptAsRun(from.policy);
  next.unit = null;
  next.runs = next.retries = RUN_COUNT_UNKNOWN;
  if (others) next.requeues = RUN_COUNT_UNKNOWN;
  next.priorRunsMs = roundedUp(byMs - zone.earliest(SUBMITTED));
  next.lastRetry = next.retriedFrom = null;
  const { submitted } = from.milestones;
  next.milestones = { submitted, lastQueued: null, firstStarted: null, lastRunning: null, ended: null };
  return next;
}

/** To a power of two: what is known at one read then covers what is known at the next, which keeps explanations few. */
const roundedUp = (ms: number): number => 2 ** Math.ceil(Math.log2(Math.max(1, ms)));

/** What a call may make of it. Whether `/cancel` changes a job that has ended is open (`4.5/cancel-ended-effect`). */
export function removals({ state }: Hypothesis): readonly Removal[] {
  if (state === 'queued') return ['cancelled', 'purged'];
  return state === 'cancelled' || state === 'purged' || state === 'deleted' ? [] : ['cancelled'];
}

type Removal = 'cancelled' | 'purged';

/** Cancelled or purged at some instant up to `byMs`; null: it could not be any more. */
export function removed(from: Hypothesis, state: Removal, byMs: number): MutableHypothesis | null {
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
