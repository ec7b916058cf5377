/** What a mode of the hostile server is: a name, a sentence and what it does in place of a service. */
import type { Socket } from 'node:net';

/** A call of the API as the server understood it. */
export interface Call {
  /** From 0, in order of arrival. */
  readonly number: number;
  readonly method: string;
  /** `run`, `status` …, as it stands in the path; empty where the path has none. */
  readonly operation: string;
  /** What stands behind it, decoded where that can be done. */
  readonly id: string;
  readonly headers: { readonly [name: string]: string };
  /** Request line and headers, as they came. */
  readonly head: string;
  /** What the `authorization` header holds; empty for none. */
  readonly key: string;
  readonly body: string;
  /** The `webhook` of a submission; null for none. */
  readonly webhook: string | null;
}

export interface Answer {
  readonly status: number;
  /** Values of several lines have several values. */
  readonly headers: { readonly [name: string]: string | readonly string[] };
  readonly body: string | Buffer;
}

/** The plausible record of a job, as `/status` tells it. */
export interface Job {
  readonly id: string;
  readonly record: { readonly [name: string]: unknown };
  readonly webhook: string | null;
}

export interface Mode {
  readonly name: string;
  /** What the server does, one sentence. */
  readonly what: string;
  /** Ids that it gives its jobs, by their number; default: plausible ones. */
  readonly id?: (number: number) => string;
  /** What it answers in place of the plausible answer; null: nothing, and the connection stays open. */
  readonly answers?: (call: Call, plain: Answer) => Answer | null;
  /** What it writes in place of an answer. The connection is its own. */
  readonly writes?: (call: Call, socket: Socket, plain: Answer) => void | Promise<void>;
  /** What it does to a connection before a request has come. */
  readonly connects?: (socket: Socket) => void;
  /** What it does where a submission named a webhook, in place of one plausible call when its job ends. */
  readonly calls?: (webhook: string, job: Job) => void | Promise<void>;
  /** No job of its ends before it is cancelled; `later`: none but the first, by which it is found out how its workers work. */
  readonly hangs?: 'all' | 'later';
  /**
   * What becomes of its jobs: `ended` (the default): all that it has told of are ended; `named`: they cannot be, and
   * the ledger names those that are left; `untold`: whom it has given jobs nobody can know.
   */
  readonly jobs?: 'ended' | 'named' | 'untold';
  /** Exit codes that may tell the truth about it; default: 0, 1, 6 and 7. */
  readonly exits?: readonly number[];
  /** What is checked against it, whatever else is: sections, ids and names of `scenarios/`. */
  readonly scope?: readonly string[];
}

/** Exit codes of a run against something that answers; whether as the document has it, the report tells. */
export const JUDGED: readonly number[] = [0, 1, 6, 7];
/** Of a run against something that nobody could take for the service, or that is gone. */
export const NO_SERVICE: readonly number[] = [3];
/** Where it depends on the moment. */
export const EITHER: readonly number[] = [...JUDGED, ...NO_SERVICE];
