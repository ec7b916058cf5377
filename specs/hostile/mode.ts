/** What a mode of the hostile server is: a name, a sentence and what it does in place of a service. */
import type { Socket } from 'node:net';

/** A call of the API as the server understood it. */
export interface Call {
  /** From 0, in order of arrival. */
  readonly number: number;
  readonly method: string;
  /** `run`, `status` …, as in the path; empty where the path has none. */
  readonly operation: string;
  /** The rest of the path, decoded where possible. */
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

/** The plausible record of a job, as `/status` answers it. */
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
   * What happens to its jobs: `ended` (the default): all jobs it has reported are ended; `named`: they cannot
   * be ended, and jobs.ndjson lists those that are left; `untold`: its jobs cannot be known.
   */
  readonly jobs?: 'ended' | 'named' | 'untold';
  /** Exit codes that may be correct for it; default: 0, 1, 6 and 7. */
  readonly exits?: readonly number[];
  /** What is checked against it in any case: sections, ids and names of `scenarios/`. */
  readonly scope?: readonly string[];
}

/** Exit codes of a run against a server that answers; the report says whether it conforms. */
export const JUDGED: readonly number[] = [0, 1, 6, 7];
/** Exit codes of a run against something that cannot be the service, or that is gone. */
export const NO_SERVICE: readonly number[] = [3];
/** Where it depends on the moment. */
export const EITHER: readonly number[] = [...JUDGED, ...NO_SERVICE];
