/**
 * `spec/` promises the document as data: operations, states, limits, rates, requirements, open
 * questions, editions. It holds no behaviour and imports nothing.
 */

/** The operations of section 4, and the two of section 4.9 that only the rate table describes. */
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

/** The job states of section 3. */
export type JobStatus = 'IN_QUEUE' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'TIMED_OUT';

/** How strongly the document binds: only a failed `must` makes a target non-conforming. */
export type Level = 'must' | 'should' | 'may';

/** What a target has to offer before a requirement can be decided on it. */
export type Capability =
  | 'scripted-worker' // the endpoint's handler follows the contract of the scripted worker
  | 'test-control' // the clock can be advanced
  | 'webhook-reachable' // the target can call back the harness
  | 'dedicated' // nobody else uses this endpoint: purge, exact counts
  | 'load-allowed' // rate limits may be driven to their end
  | 'worker-count-known' // how many workers the endpoint has, and it can be changed
  | 'scales-from-zero' // /health shows no worker while no job needs one
  | 'unpermitted-key' // the run has a key that the service gave out without permission for the endpoint
  | 'other-user-key' // and one of another user, with permission for it
  | 'endpoint-in-path'; // the paths are the document's, `/v2/<endpoint_id>/…`

export type Edition = 'document' | 'runpod';

export interface Requirement {
  /** Stable id, section first: `2.2/ttl-removes-running`. */
  readonly id: string;
  /** Section of the document: `2.2`. */
  readonly section: string;
  readonly level: Level;
  /** What is required, in our own words, as one sentence that can be true or false of a target. */
  readonly text: string;
  /** A fragment copied letter by letter from `docs/queue-endpoint-api.md` (within one line of it). */
  readonly quote: string;
  /** Without all of these the verdict is `untestable`. */
  readonly needs: readonly Capability[];
  /** The shortest wait, in ms of the target's clock, that decides it; 0 where no wait is needed. */
  readonly waitMs: number;
  /**
   * Set where all it asks is that each successful answer to `op` holds a count at `field`, such as `jobs.retried`: an integer
   * that is not negative. The oracle needs no check of its own for it then.
   */
  readonly countInAnswer?: { readonly op: Operation; readonly field: string };
  /**
   * Readings of open questions (`4.6/wrong-state-answer-in-queue=success-without-effect`) against which this `should`
   * is no advice: a target that sticks to one of them is as right as one that does not.
   */
  readonly waivedBy?: readonly string[];
  /** The open question of what this `should` is about: it is advice only where the run shows one of the readings. */
  readonly onceShown?: string;
  /** Set where no observation through the API could ever decide it, with the reason. */
  readonly untestable?: string;
  /** Set where our own endpoint and simulator cannot bring about what decides it, with the reason. */
  readonly undecided?: string;
}

export interface Reading {
  readonly id: string;
  readonly text: string;
  /** Set where the reading breaks a requirement unless one of these editions amends it. */
  readonly onlyIn?: readonly Edition[];
  /** Each `should` that the reading goes against: no `must` is broken by it, but the advice is given. */
  readonly against?: readonly string[];
  /** Set where no run can tell this reading from another one, with the reason. */
  readonly unseen?: string;
}

/** Something that the document leaves open, with the answers a sensible implementer may give. */
export interface OpenQuestion {
  /** Stable id, section first: `4.1/wait-elapsed-body`. */
  readonly id: string;
  readonly section: string;
  readonly question: string;
  /** A fragment copied from the document where it says "not shown" or contradicts itself; null for a silence. */
  readonly quote: string | null;
  /** The possible readings; the first is the default of our own endpoint in edition `document`. */
  readonly readings: readonly Reading[];
  /** False where an implementation may answer differently from case to case and still be consistent. */
  readonly sticky: boolean;
  /** Set where no run could ever tell how a target answers it, with the reason. */
  readonly unobservable?: string;
}
