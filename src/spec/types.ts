/**
 * `spec/` promises the document as data: operations, states, limits, rates, requirements, open
 * questions, editions. It holds no behaviour and imports nothing.
 */

/** The operations of section 4, and the two of section 4.9 that only the rate table describes. @public */
export type Operation =
  | 'run'
  | 'runsync'
  | 'status'
  | 'stream'
  | 'cancel'
  | 'retry'
  | 'purge-queue'
  | 'health'
  | 'openai'
  | 'requests';

/** The job states of section 3. @public */
export type JobStatus = 'IN_QUEUE' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'TIMED_OUT';

/** How strongly the document binds: only a failed `must` makes a target non-conforming. @public */
export type Level = 'must' | 'should' | 'may';

/** What a target has to offer before a requirement can be decided on it. @public */
export type Capability =
  | 'scripted-worker' // the endpoint's handler follows the contract of the scripted worker
  | 'test-control' // the clock can be advanced
  | 'webhook-reachable' // the target can call the webhook receiver of this run
  | 'dedicated' // this run is the only user of the endpoint: purge, exact counts
  | 'load-allowed' // rate limits may be exhausted
  | 'worker-count-known' // how many workers the endpoint has, and it can be changed
  | 'scales-from-zero' // /health shows no worker while no job needs one
  | 'unpermitted-key' // the run has a valid key without permission for the endpoint
  | 'other-user-key' // the run has the key of another user, with permission for the endpoint
  | 'second-endpoint' // another endpoint with the same key can be called; test control makes one
  | 'endpoint-in-path'; // the paths are the document's, `/v2/<endpoint_id>/…`

/**
 * What a target is held to: the document as it stands, or as amended by what the hosted service does.
 *
 * @public
 */
export type Edition = 'document' | 'runpod';

/** One requirement of the document. @public */
export interface Requirement {
  /** Stable id, section first: `2.2/ttl-removes-running`. */
  readonly id: string;
  /** Section of the document: `2.2`. */
  readonly section: string;
  readonly level: Level;
  /** What is required, in our own words, as one sentence that can be true or false of a target. */
  readonly text: string;
  /**
   * What a target does that violates it in time: `Running jobs are {not} deleted …`, where `{not}` stands for `not`, `never` or
   * `not always`; absent: nothing is said beyond the sentence.
   */
  readonly broken?: string;
  /** The status code that it demands of the call that shows a failure; absent: it demands none. */
  readonly code?: number;
  /** A fragment copied verbatim from one line of `docs/queue-endpoint-api.md`. */
  readonly quote: string;
  /** Without all of these the verdict is `untestable`. */
  readonly needs: readonly Capability[];
  /** The shortest wait, in ms of the target's clock, that decides it; 0 where no wait is needed. */
  readonly waitMs: number;
  /**
   * Set if the requirement only demands that each successful answer to `op` contains a non-negative integer at `field`, such as
   * `jobs.retried`. The oracle then checks it without further code.
   */
  readonly countInAnswer?: { readonly op: Operation; readonly field: string };
  /**
   * Readings of open questions (`4.6/wrong-state-answer-in-queue=success-without-effect`) for which this `should` is waived:
   * a target that consistently uses one of them gets no advice.
   */
  readonly waivedBy?: readonly string[];
  /** The open question on which this `should` depends: it is advice only if the run observed one of the readings. */
  readonly onceShown?: string;
  /** Set if no observation through the API could ever decide it, with the reason. */
  readonly untestable?: string;
  /** Set if our own endpoint and simulator cannot create a situation that decides it, with the reason. */
  readonly undecided?: string;
}

/** One of the answers that an implementer may give to an open question. @public */
export interface Reading {
  readonly id: string;
  readonly text: string;
  /** Set if the reading violates a requirement unless one of these editions amends it. */
  readonly onlyIn?: readonly Edition[];
  /** Each `should` that the reading violates: it violates no `must`, but the advice is given. */
  readonly against?: readonly string[];
  /** Set if no run can distinguish this reading from another one, with the reason. */
  readonly unseen?: string;
}

/** Something that the document leaves open, with the answers a sensible implementer may give. @public */
export interface OpenQuestion {
  /** Stable id, section first: `4.1/wait-elapsed-body`. */
  readonly id: string;
  readonly section: string;
  readonly question: string;
  /** A fragment copied from the document where it says "not shown" or contradicts itself; null if it says nothing. */
  readonly quote: string | null;
  /** The possible readings; the first is the default of our own endpoint in edition `document`. */
  readonly readings: readonly Reading[];
  /** False if an implementation may answer differently from case to case and still be consistent. */
  readonly sticky: boolean;
  /** Set if no run can observe how a target answers it, with the reason. */
  readonly unobservable?: string;
}
