/** An API call. Headers are not stored, so no keys; bodies only with the option `bodies`. @public */
export interface LoggedCall {
  /** Grows by one with every call. */
  readonly number: number;
  /** On the endpoint's clock. */
  readonly atMs: number;
  readonly method: string;
  /** Of the query, only `wait` and `ttl` are kept; cut where it is very long. */
  readonly path: string;
  /** The status code; null while the call is pending; 0: the connection closed without an answer. */
  readonly status: number | null;
  /** Real time until it was answered; null while it is pending. */
  readonly tookMs: number | null;
  /** The job that the call or its answer names; null without one. */
  readonly job: string | null;
  /** The fault that was injected, such as `+300ms,503`; null without one. */
  readonly fault: string | null;
  /** The body that was sent: its first 10,000 characters; null without one, and where bodies are not kept. */
  readonly request: string | null;
  /** The body that was answered, likewise. */
  readonly reply: string | null;
}
