/**
 * `client/` promises to decide which rules a client of the API keeps, from what it did and what it was told in one
 * weather. It reads no clock and sends nothing: all that it knows is a session, which is plain data.
 */
import type { Body, HarnessLag } from '../history/events.js';
import type { Exchange } from '../history/exchange.js';
import type { JobStatus } from '../spec/index.js';
import type { Weather } from './weather/weather.js';

/** What one client did. Instants are ms, as they were seen where its calls arrived. */
export interface SeenSession {
  /** Null: what goes wrong is not known. */
  readonly weather: Weather | null;
  /** What the service is: the document as written, or with what deployed services are known to do. */
  readonly edition: 'document' | 'runpod';
  /** In the order in which their header fields arrived. */
  readonly calls: readonly ClientCall[];
  /** Webhook calls that the client was to receive, in the order in which they were made. */
  readonly webhooks: readonly WebhookDelivery[];
  /** Every job that the client has submitted, in order of submission; null: what became of them is not known. */
  readonly jobs: readonly ClientJob[] | null;
  /** How many jobs it creates where nothing goes wrong and it succeeds; null: not known. */
  readonly jobsWhenClear: number | null;
  /** After how long it gives up a job that never starts, real ms; null: not known. */
  readonly patienceMs: number | null;
  /** What it wrote to its standard output; null: not all of it is known. */
  readonly printed: string | null;
  readonly end: ClientEnd;
  /** When this process ran late, on the clock of the calls, in order: the client, on the same machine, may have as well. */
  readonly machineLags: readonly HarnessLag[];
}

/** What one client did in one weather, of which all is known. Instants are real ms since the weather began. */
export interface Session extends SeenSession {
  readonly weather: Weather;
  readonly calls: readonly WholeCall[];
  readonly jobs: readonly ClientJob[];
  /** The longest that the weather was to last, ms. */
  readonly limitMs: number;
  /** The most connections that were open at once, of those that carried no call at that time. */
  readonly idleConnectionsMax: number;
}

/**
 * A call, as it was seen where it arrived. Of header fields it has `content-type` and `retry-after`; a body that is too large to
 * be kept is undefined, or without its output.
 */
export interface ClientCall extends Exchange<Body> {
  /** From 1. */
  readonly id: number;
  /** The reply was handed over, the connection ended, or the weather was over. */
  readonly byMs: number;
  /** Of the body that was sent; null: not known. */
  readonly bytes: number | null;
  /** Null: the recorder may have left out header fields, or changed what the client sent. */
  readonly key: KeySent | null;
  /** Of the connection that carried it, from 1. */
  readonly connection: number;
  /** What the weather did to this call, in words, such as `the reply was lost`; null: nothing. */
  readonly fault: string | null;
  /** Whether the endpoint has handled it: false if the weather refused it or lost it on its way. */
  readonly reached: boolean;
}

/** A call of which everything was seen. */
export interface WholeCall extends ClientCall {
  readonly bytes: number;
  readonly key: KeySent;
}

/** Where the key was. */
export interface KeySent {
  /** In the header `authorization`. */
  readonly header: 'missing' | 'wrong' | 'bare' | 'bearer';
  /** Where else the right key was, such as `the query`; null: nowhere, as far as that is known. */
  readonly elsewhere: string | null;
}

export interface WebhookDelivery {
  readonly number: number;
  readonly job: string;
  /** As the client gave it. */
  readonly address: string;
  readonly startedMs: number;
  /** Null: not answered, or the weather was over. */
  readonly endedMs: number | null;
  /** The answered code; null without an answer. */
  readonly status: number | null;
  /** `undeliverable`: the address is not on this machine, so it was not called. */
  readonly fate: 'delivered' | 'undeliverable';
  /** The state in its record; null where it has none. */
  readonly state: JobStatus | null;
}

/** A job as the endpoint knows it at the end of the session. */
export interface ClientJob {
  readonly id: string;
  /** The call that submitted it. */
  readonly call: number;
  /** `GONE`: it was deleted. */
  readonly state: JobStatus | 'GONE';
  readonly webhook: string | null;
  /** Of its submission, or the default of section 2.2, ms. */
  readonly ttlMs: number;
  readonly executionTimeoutMs: number;
  /** Chunks that its worker has produced, and how many of them `/stream` has delivered. */
  readonly chunks: number;
  readonly chunksRead: number;
  /** When it ended, real ms since the weather began; null: it has not. */
  readonly endedMs: number | null;
}

/** How the client ended. */
export type ClientEnd =
  /** By itself. `success`: exit code 0, or its promise was fulfilled. */
  | {
      readonly kind: 'ended';
      readonly success: boolean;
      /** In words, such as `exit code 1`. */
      readonly how: string;
      /** Of a process that was not ended by a signal. */
      readonly exitCode?: number;
      readonly atMs: number;
    }
  /** It was stopped at the limit. */
  | { readonly kind: 'stopped'; readonly atMs: number }
  /** It was not ours to start or to end (`--attach`). */
  | { readonly kind: 'attached'; readonly atMs: number };
