/**
 * One HTTP call, as a recorder, the proxy, the emulator or a client's front has seen it. What else is said of calls is made of
 * it: an event of a history, a line of a log, a step of a script.
 */
import type { Names } from '../spec/operation-of.js';
import { jsonIn } from '../util/json.js';
import type { Body } from './events.js';

/** @typeParam Content what bodies are: their texts, or what a history keeps of them; or their bytes, as they were sent */
export interface Exchange<Content = string | Body> {
  /** A number in the order of the begins, or where a recording has it: `calls.ndjson:12`, `staging.har, entry 12`. */
  readonly id: number | string;
  /** It began at this instant or later, ms of the clock of who saw it. */
  readonly fromMs: number;
  /** It was over by then; null: it is not, or that is not known. */
  readonly byMs: number | null;
  readonly request: Request<Content>;
  readonly outcome: Outcome<Content>;
  /** What its address names; null: no operation of the document. */
  readonly names: Names | null;
  /** Set where the service calls a webhook: the receiver's address, as the submission has it. */
  readonly webhook?: string;
  /** Of a submission: calls of its webhook are seen, too. */
  readonly isWebhookSeen?: boolean;
  /** Bodies that the recorder has cut off, which count as not known. Absent: none. */
  readonly cutBodies?: number;
  /** Set where payloads are replaced by digests, which are in the form of a history: the name of their key. */
  readonly digests?: string;
  /** Who made the call, where the recorder has seen all of its header fields. */
  readonly client?: Caller;
}

/** By what a recorder tells clients apart, besides their `user-agent`. */
export interface Caller {
  /** The same for calls with the same key, which cannot be found from it; null: there was none in `authorization`. */
  readonly key: string | null;
  /** Whether the query has that key, too. */
  readonly isKeyInQuery?: true;
  /** Of the machine. */
  readonly address?: string;
  /** The same for all calls of one connection; absent: something stands between, whose connections clients may share. */
  readonly connection?: string;
  /** The value of the header field by which the user tells processes apart. */
  readonly name?: string;
}

export interface Message<Content = string | Body> {
  readonly headers: Headers;
  /** Null: there was none; undefined: what it was is not known, as it was too large to be kept, or is not recorded. */
  readonly body: Content | null | undefined;
}

/** By name in lower case. */
export type Headers = { readonly [name: string]: string };

export interface Request<Content = string | Body> extends Message<Content> {
  readonly method: string;
  /** Path and query as they were sent, or the whole address. */
  readonly target: string;
}

export interface Answer<Content = string | Body> extends Message<Content> {
  readonly kind: 'answer';
  readonly status: number;
}

/** How a call ended. */
export type Outcome<Content = string | Body> =
  | Answer<Content>
  /**
   * No whole answer came. `refused`: the call was not taken; `half`: the answer ended in its middle; `lost`: none came, or
   * that is all that is known.
   */
  | { readonly kind: 'lost'; readonly why: 'refused' | 'half' | 'lost' }
  /** The caller did not wait for the end of the answer, or was answered by something else. */
  | { readonly kind: 'abandoned' }
  /** It is under way. */
  | { readonly kind: 'open' };

export const OPEN = { kind: 'open' } as const;
export const LOST = { kind: 'lost', why: 'lost' } as const;
export const ABANDONED = { kind: 'abandoned' } as const;

/** Null: there is none, or not yet. */
export const answerOf = <Content>({ outcome }: Exchange<Content>): Answer<Content> | null =>
  outcome.kind === 'answer' ? outcome : null;

/** The value of a body; undefined: it is no JSON, or not known. */
export function jsonOf(body: string | Body | null | undefined): unknown {
  if (typeof body === 'object' && body?.as === 'json') return body.value;
  return typeof body === 'string' ? jsonIn(body) : undefined;
}

/** That of the answer's body. */
export const replyIn = (exchange: Exchange): unknown => jsonOf(answerOf(exchange)?.body);

/** The target without its query. */
export const addressOf = ({ target }: Pick<Request, 'target'>): string => /^[^?#]*/u.exec(target)![0];

const NO_PARAMETERS = new URLSearchParams();

/** The query, of which the last of several values with one name counts. */
export const queryOf = (request: Request<unknown>): { readonly [name: string]: string } =>
  Object.fromEntries(parametersOf(request));

/** The query of the target. */
export const parametersOf = ({ target }: Request<unknown>): URLSearchParams =>
  target.includes('?') ? new URLSearchParams(/^[^?#]*\??([^#]*)/u.exec(target)![1]) : NO_PARAMETERS;
