/**
 * `traffic/` promises to read what others have recorded of calls of the API, and to make of it a history that the
 * oracle can judge, or a script that makes the calls again. It adds nothing: what a recording does not show stays unknown. It never judges.
 */
import type { Body } from '../history/events.js';
import type { Interval } from './instants.js';

/** A request and its reply, as a recorder wrote them. */
export interface Exchange {
  /** Where the recording has it, for messages: `calls.ndjson:12`, `staging.har, entry 12`. */
  readonly where: string;
  /** The request began at this instant or later, ms since 1970. */
  readonly fromMs: number;
  /** The reply was complete by then, ms since 1970; null where there was none, or the recording does not say. */
  readonly byMs: number | null;
  readonly method: string;
  readonly url: URL;
  /** By name in lower case. */
  readonly headers: Headers;
  readonly body: RecordedBody;
  /** Null: the request was not answered, as far as is recorded. */
  readonly reply: RecordedReply | null;
  /** Bodies that the recorder has cut off, which count as not recorded. Absent: none. */
  readonly cutBodies?: number;
  /** Set where the service calls a webhook. */
  readonly webhook?: WebhookTold;
  /** Of a submission: calls of its webhook are told, too. */
  readonly isWebhookTold?: boolean;
  /** Set where payloads are replaced by digests, which are in the form of a history: the name of their key. */
  readonly digests?: string;
}

interface WebhookTold {
  /** The receiver's, as the submission has it. */
  readonly address: string;
  /** The service did not wait for the answer. */
  readonly isGivenUp: boolean;
}

export interface RecordedReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: RecordedBody;
}

export type Headers = ReadonlyMap<string, string>;

/** The text of a body, or what a history keeps of it; null: there was none; undefined: what it was is not recorded. */
export type RecordedBody = string | Body | null | undefined;

/** The client did not wait for its end, or was not answered by the service. Logs have this number for it. */
export const UNKNOWN_REPLY: RecordedReply = { status: 499, headers: new Map(), body: undefined };

/** A part of a recording that tells nothing, and why: the reader says it and goes on. */
export class Unreadable {
  readonly where: string;
  readonly why: string;
  /** When what it would tell was done, ms since 1970; null: at any time. */
  readonly during: Interval | null;

  constructor(where: string, why: string, during: Interval | null = null) {
    this.where = where;
    this.why = why;
    this.during = during;
  }
}

/** Unknown is before all others. */
export const beginOf = (exchange: Exchange | Unreadable): number =>
  exchange instanceof Unreadable ? -Infinity : exchange.fromMs;
