/** One way in which everything observed of a job so far can have come about. */
import type { JobStatus } from '../../spec/types.js';
import type { CallEvent } from '../../history/events.js';
import { statusIn } from '../observed/recorded-call.js';
import type { TimeUnit } from './reported-times.js';
import type { Zone } from './zone.js';

export type JobState =
  'queued' | 'running' | 'completed' | 'failed' | 'timed-out' | 'cancelled' | 'purged' | 'deleted';

/** All places at which a job has a record. */
export const STATES_WITH_RECORD: readonly JobState[] = [
  'queued',
  'running',
  'completed',
  'failed',
  'timed-out',
  'cancelled',
  'purged',
];
/** All places, those of jobs without a record included. */
export const JOB_STATES: readonly JobState[] = [...STATES_WITH_RECORD, 'deleted'];

/** A state of a job as the document names it; two that it does not name: removed by `/purge-queue`, and deleted. */
export type DocumentState = JobStatus | 'PURGED' | 'GONE';

export const DOCUMENT_STATES: { readonly [P in JobState]: DocumentState } = {
  queued: 'IN_QUEUE',
  running: 'IN_PROGRESS',
  completed: 'COMPLETED',
  failed: 'FAILED',
  'timed-out': 'TIMED_OUT',
  cancelled: 'CANCELLED',
  purged: 'PURGED',
  deleted: 'GONE',
};

/** What a job was promised at submission. Several where an open question leaves several. */
export interface EffectivePolicy {
  /** Null: what was sent says nothing certain of the lifespan. */
  readonly ttlMs: number | null;
  /** Null: nothing certain, or the default of an endpoint that has not stated it. */
  readonly executionMs: number | null;
  /** The job is not stopped sooner, ms; 0 where nothing is certain. */
  readonly executionLeastMs: number;
  /** Bounds of the retention of a completed job, ms. */
  readonly keptAtLeastMs: number;
  readonly keptAtMostMs: number;
}

/** The calls that tell of a job's milestones, for the proof. */
interface MilestoneCalls {
  readonly submitted: CallEvent | null;
  readonly lastQueued: CallEvent | null;
  readonly firstStarted: CallEvent | null;
  readonly lastRunning: CallEvent | null;
  readonly ended: CallEvent | null;
}

export interface Hypothesis {
  readonly state: JobState;
  readonly zone: Zone;
  readonly policy: EffectivePolicy;
  /** The next silent move did not happen before this instant: the job was still seen where it is. */
  readonly notBeforeMs: number;
  /** Unit of delayTime and executionTime that this hypothesis rests on; null while nothing tells. */
  readonly unit: TimeUnit | null;
  /** How often a worker had picked it up before the present stay in the queue. */
  readonly runs: number;
  /** How often it was requeued by `/retry`. */
  readonly retries: number;
  /** How long it may have run before the last retry at the most, ms: whether that counts for `executionTimeout` is open. */
  readonly priorRunsMs: number;
  /** Why it is gone, or the state it was deleted in. */
  readonly deletedBy: 'ttl' | 'retention' | null;
  readonly previousState: JobState | null;
  /** `/cancel` or `/retry` was answered with success in a state where it must not take effect. */
  readonly wronglyAccepted: 'cancel' | 'retry' | null;
  /** The `/retry` call that requeued it last. */
  readonly lastRetry: CallEvent | null;
  /** The state that it was requeued from. */
  readonly retriedFrom: 'failed' | 'timed-out' | null;
  /** The `/purge-queue` call that removed it. */
  readonly purgedBy: CallEvent | null;
  readonly milestones: MilestoneCalls;
}

/** A hypothesis that nobody else has seen yet, and that may still be changed. */
export type MutableHypothesis = { -readonly [Member in keyof Hypothesis]: Hypothesis[Member] };

/** A copy with other members; the zone is copied too, so that it can be narrowed freely. */
export function fork(from: Hypothesis, change?: Partial<Hypothesis>): MutableHypothesis {
  // Most copies change nothing but the zone; spreading two objects costs several times as much as one.
  if (change === undefined) return { ...from, zone: from.zone.copy() };
  return { ...from, zone: change.zone ?? from.zone.copy(), ...change };
}

/** Ended, but not yet deleted. */
export function isFinished(state: JobState): boolean {
  return state !== 'queued' && state !== 'running' && state !== 'deleted';
}

/** Its `executionTimeout` ended it, in whatever state that is told: CANCELLED, too, is one that the document leaves open. */
export function wasEndedByTimeout({ state, previousState, wronglyAccepted }: Hypothesis): boolean {
  return (
    state === 'timed-out' ||
    (state === 'cancelled' && previousState === 'timed-out' && wronglyAccepted !== 'cancel')
  );
}

/** Two hypotheses that nothing later can tell apart but for their times. */
function areEqualUpToTimes(left: Hypothesis, right: Hypothesis): boolean {
  return (
    left.state === right.state &&
    left.policy === right.policy &&
    left.runs === right.runs &&
    left.retries === right.retries &&
    left.deletedBy === right.deletedBy &&
    left.previousState === right.previousState &&
    left.wronglyAccepted === right.wronglyAccepted &&
    left.purgedBy === right.purgedBy &&
    left.lastRetry === right.lastRetry &&
    left.retriedFrom === right.retriedFrom
  );
}

/** Where a purged job is told as FAILED it may be retried like one. */
export function isReportedAsFailed({ milestones: { ended } }: Hypothesis): boolean {
  return ended?.op !== 'status' || (statusIn(ended) ?? 'FAILED') === 'FAILED';
}

/** Everything that may come of the other may come of this one, too. */
export function subsumes(one: Hypothesis, other: Hypothesis): boolean {
  return (
    areEqualUpToTimes(one, other) &&
    (one.unit === null || one.unit === other.unit) &&
    one.notBeforeMs <= other.notBeforeMs &&
    one.priorRunsMs >= other.priorRunsMs &&
    other.zone.isSubsetOf(one.zone) &&
    (one.state !== 'purged' || isReportedAsFailed(one) || !isReportedAsFailed(other))
  );
}

/** Drops what another hypothesis covers. */
export function withoutSubsumed(hypotheses: readonly Hypothesis[]): Hypothesis[] {
  const kept: Hypothesis[] = [];
  for (const one of hypotheses) if (!kept.some((other) => subsumes(other, one))) kept.push(one);
  return kept;
}

/** As few as can be told apart: of each kind one whose zone takes in those of all. It allows more than they did, never less. */
export function mergedByHull(hypotheses: readonly Hypothesis[]): Hypothesis[] {
  const kept: MutableHypothesis[] = [];
  for (const one of hypotheses) {
    const like = kept.find((other) => areEqualUpToTimes(one, other) && one.unit === other.unit);
    if (like === undefined) {
      kept.push(fork(one));
      continue;
    }
    like.zone.extendToHull(one.zone);
    like.notBeforeMs = Math.min(like.notBeforeMs, one.notBeforeMs);
    like.priorRunsMs = Math.max(like.priorRunsMs, one.priorRunsMs);
  }
  return kept;
}
