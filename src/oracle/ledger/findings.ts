/**
 * `oracle/` promises to judge a history by its own reading of the document: for every requirement, whether it
 * was satisfied, how many observations decided it, and otherwise why it is undecided. It never imports the
 * core, the simulator or a target.
 */
import type { HistoryEvent } from '../../history/events.js';
import type { RunSelection } from '../../history/selection.js';
import type { RequirementId } from '../../spec/index.js';
import type { Edition, JobStatus } from '../../spec/types.js';
import type { Sharpness } from '../observed/tolerance.js';
import type { Contradiction, Later } from '../proof/contradiction.js';

/**
 * What is known of a requirement. `not-exercised`: no script tried it. `untestable`: the target lacks what it
 * takes. `not-applicable`: the edition replaces it.
 *
 * @public
 */
export type Verdict = 'pass' | 'fail' | 'inconclusive' | 'not-exercised' | 'untestable' | 'not-applicable';

/**
 * A must stayed open although scripts were played that decide it on a correct target. `explained`: in real time, or
 * where the harness ran late, that may have other causes than the target; `unexplained`: nothing else explains it.
 *
 * @public
 */
export type Missed = 'explained' | 'unexplained';

/**
 * Why a must of recorded traffic is neither passed nor failed. `never-occurs`: what it is about is not in the traffic;
 * `not-judged`: no recording decides it; `closed-world`, `no-crashes`, `all-calls`: it would be decided if there are no other
 * clients, no worker crashes, or no call is missing; `all-of-these`: only by several of these together.
 *
 * @public
 */
export type OpenBecause =
  | 'never-occurs'
  | 'not-judged'
  | 'closed-world'
  | 'no-crashes'
  | 'all-calls'
  | 'all-of-these'
  | 'otherwise';

/** One proven violation of one requirement. @public */
export interface Failure {
  readonly requirement: string;
  readonly script: number;
  readonly scenario: string;
  /** What the document requires in this situation, in words. */
  readonly expected: string;
  /** What was observed. */
  readonly actual: string;
  /** The contradiction, line by line, with times. */
  readonly proof: readonly string[];
  /** What later reads of the job showed; absent if the failure is none of lateness. */
  readonly later?: Later;
  /** Requirements one of which may be violated instead, the most likely first: neither the document nor the run tells which. */
  readonly or?: readonly string[];
  /** Numbers of the calls in the history that contradict each other; the last one revealed it. */
  readonly calls: readonly number[];
  /** The same as data; absent if a single reply is wrong by itself. */
  readonly contradiction?: Contradiction;
  /** The instant of the run's clock from which times in the texts and in the contradiction count, ms. */
  readonly originMs: number;
}

/** The verdict on one requirement. @public */
export interface RequirementFinding {
  readonly id: string;
  readonly section: string;
  readonly level: 'must' | 'should' | 'may';
  readonly text: string;
  readonly verdict: Verdict;
  /** How many observations decided it, failures included. */
  readonly decided: number;
  readonly failed: number;
  /** The first scenarios in which it was satisfied, at most three; absent if there are none. */
  readonly decidedIn?: readonly string[];
  /** Where a bound in time passed: how small a violation would have shown; absent: not known, or none of time. */
  readonly sharpest?: Sharpness;
  /** Of all failures of lateness, the one seen unchanged for longest; absent: there are none. */
  readonly latest?: Later;
  /** Of one that was kept in some of the cases over which it ranges, the others; absent: it is open for another reason, or not open. */
  readonly casesLeft?: readonly string[];
  /** Why the requirement neither passed nor failed. */
  readonly reason: string | null;
  /** Of recorded traffic, where it neither passed nor failed; absent: `otherwise`. */
  readonly openBecause?: OpenBecause;
  /** Set on a must that the scripts played decide on a correct target; `judge` alone, which knows no scripts, never sets it. */
  readonly missed?: Missed;
  /** Set on a must that stays open by a reading of an open question, which the target has shown and the document allows. */
  readonly openByReading?: true;
  readonly failures: readonly Failure[];
}

/** How a target answers one open question. @public */
export interface QuestionFinding {
  readonly id: string;
  readonly section: string;
  readonly question: string;
  /** Ids of the readings observed, most frequent first. */
  readonly readings: readonly string[];
  readonly counts: { readonly [reading: string]: number };
  /** False if a question that has one answer per target got several. */
  readonly stable: boolean;
}

/** How late one kind of timer was observed to fire, ms. @public */
export interface LatenessFinding {
  /** The greatest proven lateness of the timer, ms; 0 if it was never late. */
  readonly maxMs: number;
  readonly samples: number;
  /** How many expirations have a known upper bound of their lateness. */
  readonly strikes: number;
  /** Nine of ten of these were late by at most this, ms; null if there are none. */
  readonly usualMs: number | null;
  /**
   * By upper bound, ms, how many of these expirations have it, rounded up to 1, 2 or 5 times a power of ten; null: a greater
   * one. Bounds that none of them has are left out; absent in older findings.
   */
  readonly spread?: readonly (readonly [atMostMs: number | null, times: number])[];
}

/**
 * A transition of the life-cycle that jobs certainly made. Jobs whose life contradicts the document do not count. `PURGED`: removed
 * by `/purge-queue`; `GONE`: deleted.
 *
 * @public
 */
export interface SeenTransition {
  readonly from: JobStatus | 'PURGED' | 'GONE';
  readonly to: JobStatus | 'PURGED' | 'GONE';
  readonly times: number;
  /** One job was in the state `from` for at most this long before it, ms; null where no bound is known. */
  readonly shortestMs: number | null;
  /** One job was in it for at least this long, ms; null where no bound is known. */
  readonly longestMs: number | null;
}

/** A change of state that the document allows, or forbids. */
export interface Transition {
  readonly from: SeenTransition['from'];
  readonly to: SeenTransition['to'];
  /** The timer or the call that causes it; null: nothing may. */
  readonly by: string | null;
  /** The requirements of its lower and upper bound; which of them applies depends on the job. */
  readonly notEarlier: readonly RequirementId[];
  readonly notLater: readonly RequirementId[];
  /** What its call must do, or must not; for a transition that nothing may cause: what forbids it. */
  readonly requires: readonly RequirementId[];
}

/** An operation of section 4 that the target does not have. @public */
export interface MissingOperation {
  /** The requirement that it exists. */
  readonly requirement: string;
  readonly operation: string;
  /** How its calls with a valid key were answered: 404, 405 or 501. */
  readonly codes: readonly number[];
  readonly calls: number;
}

/** What `judge` concludes from a history. Plain JSON. @public */
export interface Findings {
  readonly schema: 'runproof-findings/1';
  readonly edition: Edition;
  /** Every requirement of the catalogue, in its order. */
  readonly requirements: readonly RequirementFinding[];
  /** Operations that the target does not have while others work; absent: none. */
  readonly missing?: readonly MissingOperation[];
  readonly openQuestions: readonly QuestionFinding[];
  /**
   * By `question=reading`, the number of the call that showed it first; of what a whole job showed, that of its last answered call. Left
   * out where it took several jobs; absent in older findings.
   */
  readonly readFirstBy?: { readonly [reading: string]: number };
  /**
   * By timer: `ttl`, `executionTimeout`, `retention`, `wait`, `dispatch`, `webhook`, `webhookPause`,
   * `rateWindow`.
   */
  readonly lateness: { readonly [timer: string]: LatenessFinding };
  /** In the order of the states; absent in older findings. */
  readonly transitions?: readonly SeenTransition[];
  /** Allowed lateness: a timer that expires later fails, ms. */
  readonly graceMs: number;
  /** Problems of the run itself: nothing was queued, every call was refused, scripts were aborted… */
  readonly warnings: readonly string[];
}

/** The smallest part of a history that was found to show a failure still. */
export interface ShrunkHistory {
  /** A complete history: judged alone, it shows the same failure. */
  readonly events: readonly HistoryEvent[];
  /** The failure as the smaller history shows it. */
  readonly failure: Failure;
  /** Numbers of the calls whose answers contradict each other, in order of sending. */
  readonly operations: readonly number[];
  /** Calls of the original history. */
  readonly callsBefore: number;
  /** The cost of the search. */
  readonly eventsJudged: number;
}

/** What `judge` holds a history to; by default, what its first line says. @public */
export interface JudgeOptions {
  /** Judge by this edition; default: the one named in the first line of the history. */
  readonly edition?: Edition;
  /** Allowed lateness, ms; default: that in the first line of the history. */
  readonly graceMs?: number;
  /**
   * The requirements that the history is asked about. All are judged; where several explain a violation equally
   * well, one of these is named. Default: those that the first line names.
   */
  readonly selection?: RunSelection;
  /** Failures kept for each requirement; further ones are only counted. Default: 20. */
  readonly failuresMax?: number;
  /** Rules of the job model to ignore, to prove that each is needed (`npm run proofs -- rows`); default: none. */
  readonly without?: readonly RequirementId[];
}
