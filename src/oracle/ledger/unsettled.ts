/** What one call or one job cannot settle: it is kept until all observations of the run stand beside each other. */
import type { ConcurrentOperation, RequirementId } from '../../spec/index.js';
import type { Contradiction } from '../proof/contradiction.js';
import type { Failure } from './findings.js';

export type ObservedFailure = Omit<Failure, 'requirement' | 'expected'>;

/** Submissions without a flaw that were refused, alike in all that they hold. */
export interface Refusal {
  /** What accepting them would have shown, the most particular first. */
  readonly features: readonly RequirementId[];
  /** The first of them. */
  readonly failures: ObservedFailure[];
  times: number;
}

/** Counts that were wrong by the same requirement, where the same may explain it. */
export interface WrongCount {
  readonly count: RequirementId;
  /** What each of these forbids would explain it; empty where nothing does but that the count is wrong. */
  readonly suspects: readonly RequirementId[];
  /** It is right only if these are kept. */
  readonly restsOn: readonly RequirementId[];
  /** The first of them. */
  readonly failures: ObservedFailure[];
  times: number;
}

/** Something beside the job that may have done it. */
export interface Suspect {
  readonly id: RequirementId;
  /** The number of the call by which it was done to others; null: it was done to this job. */
  readonly call: number | null;
  /** The same script made that call. */
  readonly isOfScript: boolean;
  /** So it did, on an endpoint that was made for it: nobody else did anything there. */
  readonly isAlone: boolean;
  /** It explains no more than the job's own history does: it is named only where it is broken elsewhere. */
  readonly wantsProof: boolean;
  /** A job that was promised no more was there for longer: it is not that none of them lasts. */
  readonly isOutlived: boolean;
}

/** A job's life that cannot be, and what may explain it. */
export interface Suspicion {
  readonly job: string;
  /** What the job's own history shows to be broken. */
  readonly id: RequirementId;
  /** Nothing in its own history explains it. */
  readonly isUnexplained: boolean;
  readonly suspects: readonly Suspect[];
  readonly failure: ObservedFailure;
  /** Why it cannot be, told by other requirements of the job's own that stood in the way. */
  readonly proofs: ReadonlyMap<RequirementId, ObservedProof>;
}

export interface ObservedProof {
  readonly proof: readonly string[];
  readonly contradiction: Contradiction | null;
}

/** What a job's life that cannot be is laid to. */
export interface Attribution {
  /** What explains the breach best by the job's own history. */
  readonly id: RequirementId;
  /** Nothing in its own history explains it: `id` says only that it cannot be. */
  readonly isUnexplained: boolean;
  /** Others that may have done it, the one that explains most first; none of them was survived by a job like this one. */
  readonly suspects: readonly Suspect[];
}

/** What the run has shown of it. */
export interface ConcurrencyObservations {
  /** A call was answered 429 for which no rate is the reason, and more were under way than may be. */
  enforced: boolean;
  /** One was, though no more calls were there as a whole. */
  fromHeaders: boolean;
  /** More calls than may be were under way and accepted. `held`: as wholes they were not. */
  readonly accepted: {
    readonly op: ConcurrentOperation;
    readonly held: boolean;
    readonly seen: ObservedFailure;
  }[];
  /** Calls within both limits that were refused with many under way. */
  readonly refused: { readonly op: ConcurrentOperation; readonly seen: ObservedFailure }[];
  /** Calls that were refused too early, as if others had used up the allowance. `own`: what else explains it. */
  readonly byOthers: { readonly own: RequirementId; readonly seen: ObservedFailure }[];
}
/** `echoed`: the worker returned its input; `returned`, `streamed`: what its plan says. */
type Way = 'echoed' | 'returned' | 'streamed';

export interface ChangedValue {
  readonly way: Way;
  /** What was made of which value, in words (`results/changed-values.ts`). */
  readonly changes: readonly string[];
  /** Broken where it was changed on the way to the worker. */
  readonly onTheWayThere: RequirementId;
  /** Broken where it was changed on the way back. */
  readonly onTheWayBack: RequirementId;
  /** Another job returns just that, as many a job may do. */
  readonly isAnothers?: boolean;
  readonly failure: ObservedFailure;
  readonly expected: string;
}

/** What became of the calls of one operation. */
export interface Outcomes {
  answered: number;
  /** How often they were lost, by the reason; those that the harness itself gave up do not count. */
  readonly lost: Map<string, number>;
}
