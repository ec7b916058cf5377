import { servedPath, type BasePath } from '../../history/served-path.js';
import { bodyOf, ownBodyOf } from '../../history/body.js';
import type { AuthKind, Body, CallEvent, OtherKey } from '../../history/events.js';
import type { OutgoingCall } from '../../runner/api.js';
import { WAIT_DEFAULT_MS, WAIT_MAX_MS } from '../../spec/limits.js';
import { authorizationOf, otherKeysIn } from '../authorization.js';
import type { Authorization, OtherKeys } from '../authorization.js';
import { callEventOf } from '../call-event.js';
import type { Transport, TransportResult } from './transport.js';
import { HeldUploads, type HeldUpload } from './held-uploads.js';

/** A request that has been sent. */
export interface InFlightRequest {
  readonly call: OutgoingCall;
  /** Number within the run. */
  readonly number: number;
  readonly sentTick: number;
  readonly sentMs: number;
  arrivedByMs: number | null;
  /** Null until a reply came or the call was given up. */
  result: TransportResult | null;
  /** Not null where the last byte of its body is held back. */
  readonly upload: HeldUpload | null;
  /** How long it was open in real time, where it was given up under a controlled clock. */
  patienceMs: number | null;
  /** With it: what the slowest answered call of the run had taken, in real time. */
  slowestMs?: number;
  /** It was given up, and another one asks the same. */
  askedAgain?: true;
  readonly settled: Promise<void>;
  /** Gives the call up; `settled` resolves soon afterwards. */
  abort(): void;
}

export interface HttpClientOptions extends OtherKeys {
  readonly prefix: string;
  /** Where operations are offered without `/v2/<endpoint_id>`. */
  readonly basePath?: BasePath | null;
  /** Null for a target that requires none. */
  readonly apiKey: string | null;
  /** Calls go over a network, or as slowly: those that are held back together take longer to arrive. Default false. */
  readonly isFarAway?: boolean;
  /** How many times as fast as real time the clock runs by which calls are timed. Default 1. */
  readonly speed?: number;
}

/** After this many refused connections in a row, the target counts as unreachable. */
const REFUSED_MAX = 25;
/** Unless it may be back after a restart, in real ms. */
const RESTART_MAX_MS = 5_000;

/** Sends calls and counts them over the target's life. */
export class HttpClient {
  readonly #transport: Transport;
  readonly #options: HttpClientOptions;
  readonly #bodies = new BodyMemory();
  readonly #uploads = new HeldUploads(() => this.#ticks++);
  #calls = 0;
  #ticks = 0;
  /** Consecutive calls, in order of ending, whose connection was refused. */
  #refusedInARow = 0;
  /** When the first of them was sent. */
  #refusedSinceMs = 0;
  /** When the latest of the calls was sent that were answered; -Infinity for none. */
  answeredSentMs = -Infinity;

  constructor(transport: Transport, options: HttpClientOptions) {
    this.#transport = transport;
    this.#options = options;
  }

  /** The keys besides the main one. */
  get otherKeys(): readonly OtherKey[] {
    return otherKeysIn(this.#options);
  }

  /** Nothing listens at the target's address just now. */
  get isRefused(): boolean {
    return this.#refusedInARow > 0;
  }

  /** Nothing listens there any more, nor will it soon. */
  isUnreachable(nowMs: number): boolean {
    return (
      this.#refusedInARow >= REFUSED_MAX &&
      nowMs - this.#refusedSinceMs >= RESTART_MAX_MS * (this.#options.speed ?? 1)
    );
  }

  get calls(): number {
    return this.#calls;
  }

  /**
   * `timeoutMs` is real time; null when only `abort` ends the wait. `nowMs` tells the target's time, where it goes on
   * by itself. `fresh`: on a connection of its own.
   */
  send(
    call: OutgoingCall,
    sentMs: number,
    timeoutMs: number | null,
    nowMs: number | (() => number) = sentMs,
    fresh = false,
  ): InFlightRequest {
    const giveUp = new AbortController();
    const upload =
      call.held === undefined || this.#transport.holdsNothing
        ? null
        : this.#uploads.join(call.held, nowMs, this.#options.isFarAway === true);
    const authorization = this.#authorizationOf(call);
    const request: InFlightRequest = {
      call,
      number: this.#calls,
      sentTick: this.#ticks,
      sentMs,
      arrivedByMs: null,
      result: null,
      upload,
      patienceMs: null,
      settled: this.#transport
        .send({
          method: call.method,
          path:
            this.#options.prefix +
            servedPath(call.path, this.#options.basePath ?? null) +
            queryText({ ...call.query, ...authorization.query }),
          headers: headersOf(call, authorization),
          body: call.bodyText,
          timeoutMs,
          signal: giveUp.signal,
          ...(fresh ? { fresh } : {}),
          ...(upload === null ? {} : { held: upload }),
          ...(call.chunked === true ? { chunked: true } : {}),
        })
        .then((result) => {
          request.result = result;
          upload?.over();
          if (this.#refusedInARow === 0) this.#refusedSinceMs = sentMs;
          this.#refusedInARow = result.lost === 'refused' ? this.#refusedInARow + 1 : 0;
          if (result.reply !== null) this.answeredSentMs = Math.max(this.answeredSentMs, sentMs);
        }),
      abort: () => giveUp.abort(),
    };
    this.#calls += 1;
    this.#ticks += 1;
    return request;
  }

  /** The history's line of a call that has ended by `endedMs`. */
  eventOf(request: InFlightRequest, script: number, endedMs: number): CallEvent {
    const { call, result, number, sentTick, sentMs, arrivedByMs, patienceMs, slowestMs, askedAgain, upload } =
      request;
    const reply = result?.reply ?? null;
    const endedTick = this.#ticks;
    this.#ticks += 1;
    return callEventOf(call, script, {
      call: number,
      auth: this.#authOf(call),
      body: call.keptBody ?? this.#bodies.of(call.bodyText),
      ...{ sentTick, endedTick, sentMs, arrivedByMs, receivedMs: reply === null ? null : endedMs },
      reply: reply && {
        status: reply.status,
        contentType: reply.headers['content-type'] ?? null,
        headers: reply.headers,
        body: bodyOf(reply.text),
      },
      lost: reply === null ? (result?.lost ?? 'aborted') : null,
      ...(reply === null ? { gaveUpMs: endedMs } : {}),
      ...(patienceMs === null ? {} : { patienceMs }),
      ...(slowestMs === undefined ? {} : { slowestMs }),
      ...(askedAgain === undefined ? {} : { askedAgain }),
      ...(upload === null ? {} : { held: { ...upload.held } }),
    });
  }

  #authOf(call: OutgoingCall): AuthKind {
    return this.#options.apiKey === null && usesTheKey(call) ? 'none-needed' : call.auth;
  }

  #authorizationOf(call: OutgoingCall): Authorization {
    return authorizationOf(this.#authOf(call), { ...this.#options, apiKey: this.#options.apiKey ?? '' });
  }
}

/** How long the target may hold the reply back (section 4.1), in ms of its own clock. */
export function expectedWaitMs(call: OutgoingCall): number {
  if (!call.mayWait) return 0;
  const wait = Number(call.query['wait'] ?? WAIT_DEFAULT_MS);
  // A `wait` with a fraction is one of the odd ones; clocks go by whole milliseconds.
  return Number.isFinite(wait) && wait > 0 ? Math.min(Math.ceil(wait), WAIT_MAX_MS) : WAIT_DEFAULT_MS;
}

function headersOf(call: OutgoingCall, { header }: Authorization): { readonly [name: string]: string } {
  return {
    ...(header !== null ? { authorization: header } : {}),
    ...(call.contentType !== null ? { 'content-type': call.contentType } : {}),
  };
}

function usesTheKey(call: OutgoingCall): boolean {
  return call.auth === 'bare' || call.auth === 'bearer';
}

function queryText(query: { readonly [name: string]: string }): string {
  const pairs = Object.entries(query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** The calls of a burst share one body, which may be large: it is read once. */
class BodyMemory {
  #text: string | null = null;
  #body: Body = ownBodyOf(null);

  of(text: string | null): Body {
    if (text !== this.#text) {
      this.#text = text;
      this.#body = ownBodyOf(text);
    }
    return this.#body;
  }
}
