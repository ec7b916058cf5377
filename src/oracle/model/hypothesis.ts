/**
 * A hypothesis: one symbolic state of a job that is consistent with everything observed so far.
 *
 * As in a model checker for timed automata, a symbolic state is a discrete part (the job's state, how often
 * it ran, what deleted it) and a zone: constraints on the instants of its life. The model keeps a set of
 * hypotheses. Each observation replaces every hypothesis by its possible successors; when none is left, the
 * history violates the document.
 */
import type { JobStatus } from '../../spec/types.js';
import type { CallEvent } from '../../history/events.js';
import { statusIn } from '../observed/recorded-call.js';
import type { TimeUnit } from './reported-times.js';
import type { Zone } from './zone.js';

export type JobState =
  | 'queued'
  | 'running'
  | 'completed'
  | 'failed'
  | 'timed-out'
  | 'cancelled'
  | 'purged'
  | 'deleted';

/** The states in which a job has a record. */
export const STATES_WITH_RECORD: readonly JobState[] = [
  'queued',
  'running',
  'completed',
  'failed',
  'timed-out',
  'cancelled',
  'purged',
];
/** All states, including that of a job without a record. */
export const JOB_STATES: readonly JobState[] = [...STATES_WITH_RECORD, 'deleted'];

/**
 * A state as the document names it, and two that it does not name: removed by `/purge-queue`, and deleted.
 */
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

/**
 * The limits that hold for a job: those of its submission, or their defaults. An open question may allow
 * several.
 */
export interface EffectivePolicy {
  /** Null: what was sent does not determine the lifespan. */
  readonly ttlMs: number | null;
  /** Null: not determined, or the default of an endpoint that has not stated it. */
  readonly executionMs: number | null;
  /** The earliest instant of a run at which `executionTimeout` may stop it, ms; 0 where none is certain. */
  readonly executionLeastMs: number;
  /** Bounds of the retention of a completed job, ms. */
  readonly keptAtLeastMs: number;
  readonly keptAtMostMs: number;
  /** The policies that calls made of the submitted one, itself included; empty until a call makes one. */
  readonly variants: EffectivePolicy[];
}

/** The calls that showed the milestones of a job. Proofs cite them. */
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
  /** The job was observed in its state until here: its next silent transition comes no earlier. */
  readonly notBeforeMs: number;
  /** The unit of `delayTime` and `executionTime` in this hypothesis; null while no record has fixed it. */
  readonly unit: TimeUnit | null;
  /** Runs before the current stay in the queue. */
  readonly runs: number;
  /** How often `/retry` requeued it; `RUN_COUNT_UNKNOWN` or more where it may have run again without one. */
  readonly retries: number;
  /** How often `/retry` requeued it, as far as that is known: a crash of its worker leaves this as it was. */
  readonly requeues: number;
  /**
   * Upper bound of the run time before the last retry, ms: whether it counts for `executionTimeout` is
   * open.
   */
  readonly priorRunsMs: number;
  /** What deleted it, and the state that it left when it was deleted or cancelled. */
  readonly deletedBy: 'ttl' | 'retention' | null;
  readonly previousState: JobState | null;
  /** `/cancel` or `/retry` succeeded in a state where it must have no effect. */
  readonly wronglyAccepted: 'cancel' | 'retry' | null;
  /** The `/retry` call that requeued it last. */
  readonly lastRetry: CallEvent | null;
  /** The state that it was requeued from. */
  readonly retriedFrom: 'failed' | 'timed-out' | null;
  /** The `/purge-queue` call that removed it. */
  readonly purgedBy: CallEvent | null;
  readonly milestones: MilestoneCalls;
}

/** A hypothesis under construction, which nothing else refers to yet. */
export type MutableHypothesis = { -readonly [Member in keyof Hypothesis]: Hypothesis[Member] };

/** A copy with other members. The zone is copied as well, so that it can be constrained freely. */
export function fork(from: Hypothesis, change?: Partial<Hypothesis>): MutableHypothesis {
  const next = withZone(from, change?.zone ?? from.zone.copy());
  return change === undefined ? next : Object.assign(next, change);
}

/** A copy with another zone. A literal, as an object spread is several times slower and each step copies. */
export function withZone(from: Hypothesis, zone: Zone): MutableHypothesis {
  return {
    state: from.state,
    zone,
    policy: from.policy,
    notBeforeMs: from.notBeforeMs,
    unit: from.unit,
    runs: from.runs,
    retries: from.retries,
    requeues: from.requeues,
    priorRunsMs: from.priorRunsMs,
    deletedBy: from.deletedBy,
    previousState: from.previousState,
    wronglyAccepted: from.wronglyAccepted,
    lastRetry: from.lastRetry,
    retriedFrom: from.retriedFrom,
    purgedBy: from.purgedBy,
    milestones: from.milestones,
  };
}

/** Ended, but not yet deleted. */
export function isFinished(state: JobState): boolean {
  return state !== 'queued' && state !== 'running' && state !== 'deleted';
}

/** `executionTimeout` ended it. The document leaves open whether the state is then TIMED_OUT or CANCELLED. */
export function wasEndedByTimeout({ state, previousState, wronglyAccepted }: Hypothesis): boolean {
  return (
    state === 'timed-out' ||
    (state === 'cancelled' && previousState === 'timed-out' && wronglyAccepted !== 'cancel')
  );
}

/** The discrete parts are equal: nothing later can distinguish the two except by times. */
function areEqualUpToTimes(left: Hypothesis, right: Hypothesis): boolean {
  return (
    left.state === right.state &&
    left.policy === right.policy &&
    left.runs === right.runs &&
    left.retries === right.retries &&
    left.requeues === right.requeues &&
    left.deletedBy === right.deletedBy &&
    left.previousState === right.previousState &&
    left.wronglyAccepted === right.wronglyAccepted &&
    left.purgedBy === right.purgedBy &&
    left.lastRetry === right.lastRetry &&
    left.retriedFrom === right.retriedFrom &&
    (left.state !== 'timed-out' || readAs(left) === readAs(right))
  );
}

/** The status that `/status` first reported of how it ended; null: none did. */
export const readAs = ({ milestones: { ended } }: Hypothesis): JobStatus | null =>
  ended?.op === 'status' ? statusIn(ended) : null;

/** A purged job that is reported as FAILED may be retried like a failed one. */
export function isReportedAsFailed({ milestones: { ended } }: Hypothesis): boolean {
  return ended?.op !== 'status' || (statusIn(ended) ?? 'FAILED') === 'FAILED';
}

/** Subsumption: whatever can follow the other hypothesis can also follow this one. */
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

/** Removes every hypothesis that another one subsumes. Exact: the set allows the same behaviour. */
export function withoutSubsumed(hypotheses: readonly Hypothesis[]): Hypothesis[] {
  const kept: Hypothesis[] = [];
  for (const one of hypotheses) if (!kept.some((other) => subsumes(other, one))) kept.push(one);
  return kept;
}

/**
 * Merges hypotheses with equal discrete parts; the zone of the result is the convex hull of theirs. This is
 * an over-approximation: it may allow more behaviour, never less, so that it cannot cause a false alarm.
 */
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

/** The state that it is in, or was in when it was deleted. */
export const lastStateOf = ({ state, previousState }: Hypothesis): JobState | null =>
  state === 'deleted' ? previousState : state;

export const isUnended = (state: JobState | null): boolean => state === 'queued' || state === 'running';

/** Its ttl deleted it while it waited or ran. */
export const isExpiredUnended = ({ state, deletedBy, previousState }: Hypothesis): boolean =>
  state === 'deleted' && deletedBy === 'ttl' && isUnended(previousState);
