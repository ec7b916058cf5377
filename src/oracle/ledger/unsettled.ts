/** Observations that one call or job cannot settle; they are settled at the end of the run. */
import type { JobStatus } from '../../spec/types.js';
import type { ConcurrentOperation, RequirementId } from '../../spec/index.js';
import type { Evidence } from '../jobs/evidence.js';
import type { Contradiction, Later } from '../proof/contradiction.js';
import type { Failure } from './findings.js';

export type ObservedFailure = Omit<Failure, 'requirement' | 'expected'>;

/** Observations that have the same explanation. */
export interface Alike {
  /** The first of them. */
  readonly failures: ObservedFailure[];
  times: number;
}

/** Refusals of valid submissions with the same features. */
export interface Refusal extends Alike {
  /** Requirements that accepting the submission would have shown, the most specific first. */
  readonly features: readonly RequirementId[];
  /** Input that a worker which checks its input may have refused, as JSON; null: the input is not the reason. */
  readonly input: string | null;
}

/** Wrong values of one counter with the same possible explanations. */
export interface WrongCount extends Alike {
  readonly count: RequirementId;
  /** Violating any of these would explain the value; empty if only a wrong counter does. */
  readonly suspects: readonly RequirementId[];
  /** The expected value is right only if these are satisfied. */
  readonly restsOn: readonly RequirementId[];
}

/** Server errors where a certain answer was due. */
export interface ServerErrors extends Alike {
  /** The requirements that demand it, the most specific first. */
  readonly demandedBy: readonly RequirementId[];
  /** Unless one of these is proven, the target answers no call of the operation: that is the cause. */
  readonly needed: readonly Evidence[];
  /** How many of them lost their connection, which says less than an answer, and the operation that they called. */
  lost: number;
  readonly operation: string;
  readonly scripts: Set<number>;
  readonly isBehindNetwork: boolean;
}

/** A call without a valid key that was answered as if there were no such operation. */
export interface KeyNotAsked {
  readonly op: string;
  readonly id: RequirementId;
  readonly seen: ObservedFailure;
}

/** What a purge of recorded traffic says that it removed, and how many of the jobs it alone can have removed. */
export interface Purge {
  readonly removed: number;
  readonly least: number;
  readonly failure: ObservedFailure;
}

/** A failure that is one only if other requirements are kept. */
export interface Resting {
  readonly id: RequirementId;
  readonly restsOn: readonly RequirementId[];
  readonly failure: ObservedFailure;
}

/** The first call of a webhook, due at one instant of the run's clock, did not come by another. */
export interface MissedCall {
  readonly id: RequirementId;
  readonly url: string;
  readonly dueMs: number;
  readonly untilMs: number;
  readonly failure: ObservedFailure;
}

/** Something other than the job's own history that may have caused the violation. */
export interface Suspect {
  readonly id: RequirementId;
  /** The number of the call that affected others; null: the cause concerns this job alone. */
  readonly call: number | null;
  /** The same script made that call. */
  readonly isOfScript: boolean;
  /** The same script made that call, and the endpoint was created for it, so nothing else happened there. */
  readonly isAlone: boolean;
  /** It explains no more than the job's own history does: it is named only if it is violated elsewhere. */
  readonly needsProof: boolean;
  /** A job with no longer a lifespan existed for longer, so a general loss of jobs is not the cause. */
  readonly isOutlived: boolean;
}

/** A suspect within the job's own history. */
export const ownSuspect = (id: RequirementId, needsProof: boolean): Suspect => ({
  id,
  call: null,
  isOfScript: true,
  isAlone: false,
  needsProof,
  isOutlived: true,
});

/** A job without explanation, and what may have caused that. */
export interface Suspicion {
  readonly job: string;
  /** Nothing had shown yet that the target reports times in a finer unit than ms. */
  readonly isReadInMs: boolean;
  /** The requirement that the job's own history shows to be violated. */
  readonly id: RequirementId;
  /** Nothing in its own history explains it. */
  readonly isUnexplained: boolean;
  readonly suspects: readonly Suspect[];
  readonly failure: ObservedFailure;
  /** The same contradiction as proven by each other rule whose relaxation alone explains the job. */
  readonly proofs: ReadonlyMap<RequirementId, ObservedProof>;
}

export interface ObservedProof {
  readonly proof: readonly string[];
  readonly contradiction: Contradiction | null;
  readonly later: Later | null;
}

/** The requirement to which the violation of a job is attributed. */
export interface Attribution {
  /** The requirement that best explains the violation by the job's own history. */
  readonly id: RequirementId;
  /** Nothing in its own history explains it: `id` names only the contradiction. */
  readonly isUnexplained: boolean;
  /** Other possible causes, the one that explains most first; none that a similar job survived. */
  readonly suspects: readonly Suspect[];
}

/** What the run has shown about the column Concurrency. */
export interface ConcurrencyObservations {
  /** A call was answered with 429 with more calls in flight than allowed, and the rate does not explain it. */
  enforced: boolean;
  /** One was, with no more than the allowed number of calls received completely. */
  fromHeaders: boolean;
  /** More calls than allowed were in flight and accepted. `held`: they had not been received completely. */
  readonly accepted: {
    readonly op: ConcurrentOperation;
    readonly held: boolean;
    readonly seen: ObservedFailure;
  }[];
  /** Calls within both limits that were refused with many others in flight. */
  readonly refused: { readonly op: ConcurrentOperation; readonly seen: ObservedFailure }[];
  /** Calls refused as if other operations had used up the allowance. `own`: the alternative cause. */
  readonly byOthers: { readonly own: RequirementId; readonly seen: ObservedFailure }[];
}
/** `echoed`: the worker returned its input; `returned`, `streamed`: what its plan says. */
type Way = 'echoed' | 'returned' | 'streamed';

export interface ChangedValue {
  readonly way: Way;
  /** Which value became which, in words (`results/changed-values.ts`). */
  readonly changes: readonly string[];
  /** Violated if the value changed on the way to the worker. */
  readonly ifChangedThere: RequirementId;
  /** Violated if the value changed on the way back. */
  readonly ifChangedBack: RequirementId;
  /** Another job returns this value, but so may many. */
  readonly isAnothers?: boolean;
  readonly failure: ObservedFailure;
  readonly expected: string;
}

/** How many calls of one operation were answered or lost. */
export interface Outcomes {
  answered: number;
  /** How many were lost, by reason; without those that the harness itself aborted. */
  readonly lost: Map<string, number>;
}

/** How the calls of one operation with a valid key were answered. */
export interface Route {
  /** At least one answer shows that the operation exists. */
  isThere: boolean;
  readonly codes: Map<number, number>;
  /** Codes that something before the operation may have answered with. */
  readonly before: Set<number>;
  /** The first call that an operation that exists would have performed. */
  first: ObservedFailure | null;
  /** Such calls that lost their connection, though the target answered others between them and later; and the first. */
  lost: { readonly calls: number; readonly lastTick: number; readonly first: ObservedFailure } | null;
}

/** A well-formed call that should succeed. */
export interface TalliedCall {
  readonly call: number;
  /** The state in which its job was last read before it; null: none was, or the operation does not depend on it. */
  readonly state: JobStatus | 'GONE' | null;
}

/** Of the well-formed calls of one operation. */
export interface Successes {
  ok: number;
  /** Empty once one has succeeded: they are told only where none did. */
  readonly all: TalliedCall[];
  readonly first: ObservedFailure;
}

/** A call that was waited for in vain; whether that tells anything shows at the end of the run. */
export interface Unanswered {
  readonly id: RequirementId;
  readonly operation: string;
  readonly failure: ObservedFailure;
}
