/**
 * What the page of a failure shows, as plain data that its script draws. Times are in ms from the beginning of the script; null:
 * without a bound. A `Ref` is a place in one of the lists of the data, which have each value once; -1: none.
 */
type Ref = number;

/** The states of a job, in the order in which they are drawn; bands and reasons name them by their place here. */
export const BELIEVED_STATES = [
  ...['NOT_YET', 'IN_QUEUE', 'IN_PROGRESS', 'COMPLETED', 'FAILED', 'TIMED_OUT', 'CANCELLED'],
  ...['PURGED', 'GONE'],
] as const;

/** A state that the job may be in, which it entered between two instants. `cause`: a text, such as `by its ttl`. */
export type Band = readonly [state: number, fromMs: number | null, byMs: number | null, cause: Ref];

/** A state that it cannot be in: the call whose answer says so, the rule that keeps it from there, and how that applies. */
export type Reason = readonly [state: number, call: number | null, rule: Ref, why: Ref];

/** A call at its end, another event of the script, or a time at which a timer may fire. */
type InstantRow = readonly [
  ...[atMs: number, call: number | null, text: Ref, marks: readonly Ref[], counts: Ref],
  // The bodies of its call, as texts, and the lines above them.
  ...[sent: Ref, got: Ref, headers: readonly Ref[]],
];

/** What a call did to what its job may be. `unexplained`: nothing explains its answer. */
export type StepRow = readonly [instant: number, before: Ref, after: Ref, ruledOut: Ref, unexplained: Ref];

/** What a job may be at an instant, what it cannot be, and what else has to be said. */
export type MomentRow = readonly [instant: number, bands: Ref, ruledOut: Ref, note: Ref];

export interface JobLane {
  readonly name: string;
  /** Its id and submission. */
  readonly about: string;
  readonly steps: readonly StepRow[];
  /** Of a long script, at the instants near the failure only. */
  readonly moments: readonly MomentRow[];
}

export interface PageData {
  readonly states: readonly string[];
  readonly rules: readonly (readonly [id: string, sentence: string])[];
  readonly texts: readonly string[];
  readonly bands: readonly (readonly Band[])[];
  readonly reasons: readonly (readonly Reason[])[];
  /** The rules that an answer may violate, the likeliest first, each with how. */
  readonly unexplained: readonly (readonly (readonly [rule: Ref, why: readonly Ref[]])[])[];
  /** Rows of the queue, the workers and `/health`: a name and what it is, as texts. */
  readonly counts: readonly (readonly (readonly [name: Ref, value: Ref])[])[];
  readonly instants: readonly InstantRow[];
  readonly jobs: readonly JobLane[];
  /** The calls that prove the failure. */
  readonly evidence: readonly number[];
  /** The instant that is shown first. */
  readonly first: number;
  /** The command that prints one call; for what the page leaves out, with another number. */
  readonly command: string;
}
