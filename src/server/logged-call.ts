import type { InjectedFault } from './faults/faults.js';

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

/** An attempt to call the webhook of a job. Headers are not stored; its body only with the option `bodies`. @public */
export interface LoggedWebhook {
  readonly job: string;
  /** Without what may be a secret: user name, password, query and fragment. */
  readonly url: string;
  /** The address that was called in place of `url`, likewise (`forwardWebhooks`); null: `url` was called. */
  readonly forwardedTo: string | null;
  /** 1, 2 or 3; null: it was sent again on demand. */
  readonly attempt: number | null;
  /** When it began, on the endpoint's clock. */
  readonly atMs: number;
  /** The answered code; null without an answer. */
  readonly status: number | null;
  /** Why there was no answer, such as `connect ECONNREFUSED 127.0.0.1:3000`; null with one. */
  readonly error: string | null;
  /** Real time until it ended. */
  readonly tookMs: number;
  /** How long after its end the next attempt is made, in ms of the endpoint's clock; null: there is none. */
  readonly againInMs: number | null;
  /** The body that was sent: its first 10,000 characters; null where bodies are not kept. */
  readonly request: string | null;
}

/** A call that has ended, an attempt of a webhook that has, or a fault of a worker or a webhook. @public */
export type LogEntry = {
  /** Grows by one with every entry. */
  readonly number: number;
  /** The date, ISO 8601; where time is not the machine's, ms on the endpoint's clock. */
  readonly time: string | number;
} & (
  | { readonly call: LoggedCall }
  | { readonly webhook: LoggedWebhook }
  | { readonly fault: InjectedFault & { readonly job: string } }
);
