/**
 * A history of recorded traffic. The calls on one job make a script, and so does each call that names none: what is over
 * can be judged and forgotten while the rest is read.
 */
import type { AuthKind, Body, CallEvent, HistoryEvent } from '../history/events.js';
import { bodyOf, shortBodyOf } from '../history/body.js';
import { segmentOf } from '../history/job-path.js';
import { isObject } from '../util/json.js';
import type { Exchange, Headers, RecordedBody } from './exchange.js';
import type { Edge } from './in-order.js';
import { isAnsweredByEndpoint, jobIn, jsonOf, type ApiRequest } from './requests.js';

/** A call of the API, and the endpoint that it concerns. */
export interface ApiExchange extends Exchange {
  readonly request: ApiRequest;
  readonly endpoint: string;
}

interface OpenScript {
  readonly script: number;
  /** The endpoint, and the job or a call that names none. */
  key: string;
  /** Characters of its calls, about. */
  size: number;
  /** Of calls that have begun and not ended. */
  pending: number;
  lastMs: number;
}

interface Begun {
  readonly call: number;
  readonly tick: number;
  readonly open: OpenScript;
}

/** A job that was not asked about for so long is over: what is asked later is about a job of unknown beginning. */
const FORGOTTEN_MS = 26 * 3_600_000;
/** Of bodies and all else in the calls of jobs that are not over. Beyond that, the jobs that were not asked about for longest are. */
const HELD_CHARACTERS_MAX = 32_000_000;
/** What a call has besides its bodies, about. */
const CALL_CHARACTERS = 1_000;

export class TrafficHistory {
  readonly #originMs: number;
  readonly #heldMax: number;
  /** By endpoint and job; those that were asked about last are last. */
  readonly #scripts = new Map<string, OpenScript>();
  readonly #begun = new Map<Exchange, Begun>();
  #nextScript = 0;
  #held = 0;
  #nextCall = 0;
  #tick = 0;

  /**
   * @param originMs the begin of the first exchange, ms since 1970
   * @param heldMax characters of calls after which jobs are forgotten that were not asked about for longest
   */
  constructor(originMs: number, heldMax = HELD_CHARACTERS_MAX) {
    this.#originMs = originMs;
    this.#heldMax = heldMax;
  }

  *take({ isEnd, atMs, exchange }: Edge): Generator<HistoryEvent> {
    if (isEnd) yield* this.end(exchange as ApiExchange);
    else yield* this.begin(exchange as ApiExchange);
    yield* this.forget(atMs);
  }

  /** The reply need not be known yet. */
  *begin(exchange: ApiExchange): Generator<HistoryEvent> {
    const call = this.#nextCall++;
    const key = keyOf(exchange) ?? `${exchange.endpoint} call ${call}`;
    let open = this.#scripts.get(key);
    if (open === undefined) {
      open = { script: this.#nextScript++, key, size: 0, pending: 0, lastMs: exchange.fromMs };
      yield this.#beginOf(open, exchange);
    }
    open.pending += 1;
    this.#touch(open, exchange.fromMs);
    this.#begun.set(exchange, { call, tick: this.#tick++, open });
  }

  *end(exchange: ApiExchange): Generator<HistoryEvent> {
    const { open } = this.#begun.get(exchange)!;
    yield this.#callOf(exchange, this.#tick++);
    this.#begun.delete(exchange);
    open.pending -= 1;
    const size = sizeOf(exchange);
    open.size += size;
    this.#held += size;
    const key = keyOf(exchange);
    const isKnown = key !== null && (key === open.key || !this.#scripts.has(key));
    if (isKnown && key !== open.key) {
      this.#scripts.delete(open.key);
      open.key = key;
    }
    this.#touch(open, exchange.byMs!);
    // Nothing follows on a call that names no job.
    if (!isKnown) yield this.#endOf(open);
  }

  /** A call that has begun is not to be judged. */
  *drop(exchange: ApiExchange): Generator<HistoryEvent> {
    const { open } = this.#begun.get(exchange)!;
    this.#begun.delete(exchange);
    open.pending -= 1;
    if (open.pending === 0 && open.size === 0) yield this.#endOf(open);
  }

  /** Ends what is over by then, or does not fit: what was not asked about for longest. */
  *forget(atMs: number): Generator<HistoryEvent> {
    for (const open of this.#scripts.values()) {
      if (open.lastMs >= atMs - FORGOTTEN_MS && this.#held <= this.#heldMax) return;
      if (open.pending === 0) yield this.#endOf(open);
    }
  }

  /** The calls that have begun and not ended. */
  get underWay(): readonly CallEvent[] {
    return [...this.#begun.keys()].map((exchange) => this.#callOf(exchange as ApiExchange, null));
  }

  *finish(): Generator<HistoryEvent> {
    yield* this.underWay;
    this.#begun.clear();
    for (const open of this.#scripts.values()) yield this.#endOf(open);
  }

  #touch(open: OpenScript, atMs: number): void {
    open.lastMs = Math.max(open.lastMs, atMs);
    this.#scripts.delete(open.key);
    this.#scripts.set(open.key, open);
  }

  #beginOf({ script }: OpenScript, exchange: ApiExchange): HistoryEvent {
    const id = jobIn(exchange);
    return {
      kind: 'script',
      script,
      scenario: 'recorded traffic',
      title: id === null ? exchange.request.op : `job ${id}`,
      endpoint: exchange.endpoint,
      fresh: false,
      workers: null,
      atMs: exchange.fromMs - this.#originMs,
    };
  }

  #endOf({ script, key, size, lastMs }: OpenScript): HistoryEvent {
    this.#scripts.delete(key);
    this.#held -= size;
    return { kind: 'script-end', script, atMs: lastMs - this.#originMs, outcome: 'played', reason: null };
  }

  #callOf(exchange: ApiExchange, endedTick: number | null): CallEvent {
    const { call, tick, open } = this.#begun.get(exchange)!;
    const { request, endpoint, method, url, headers, body, fromMs, byMs, reply } = exchange;
    const { op, jobId } = request;
    const at = (ms: number): number => ms - this.#originMs;
    const hasEnded = endedTick !== null;
    const isKnown = hasEnded && reply !== null && reply.body !== undefined && isOfService(exchange);
    return {
      kind: 'call',
      call,
      script: open.script,
      lane: 'main',
      endpoint,
      op,
      label: null,
      request: {
        method,
        path: `/v2/${segmentOf(endpoint)}/${op}${jobId === null ? '' : `/${segmentOf(jobId)}`}`,
        query: queryOf(url),
        auth: authOf(headers),
        contentType: headers.get('content-type') ?? null,
        body: kept(exchange, body),
        illegal: whyUnusual(exchange),
      },
      sentTick: tick,
      endedTick,
      sentMs: at(fromMs),
      arrivedByMs: null,
      receivedMs: isKnown ? at(byMs!) : null,
      reply: isKnown
        ? {
            status: reply.status,
            contentType: reply.headers.get('content-type') ?? null,
            headers: Object.fromEntries(reply.headers),
            // Every reply has some.
            ...(reply.headers.size === 0 && { headersUnknown: true as const }),
            body: kept(exchange, reply.body),
          }
        : null,
      // A reply of which the recording does not say what it was is as good as lost; it is no sign of a lost target.
      lost: isKnown ? null : hasEnded && reply === null ? 'reset' : 'aborted',
      ...(!isKnown && hasEnded && { gaveUpMs: at(byMs!) }),
    };
  }
}

const sizeOf = ({ body, reply }: Exchange): number =>
  CALL_CHARACTERS + (body?.length ?? 0) + (reply?.body?.length ?? 0);

function keyOf(exchange: ApiExchange): string | null {
  const id = jobIn(exchange);
  return id === null ? null : `${exchange.endpoint} ${id}`;
}

const kept = ({ digests }: Exchange, body: RecordedBody): Body =>
  digests === undefined ? bodyOf(body ?? null) : shortBodyOf(body ?? null);

function queryOf(url: URL): { readonly [name: string]: string } {
  const { api_key: _, ...query } = Object.fromEntries(url.searchParams);
  return query;
}

/**
 * The reply says what the service makes of the call. A 304 says that the client has the answer already, and 499 that it did not
 * wait for it; at an address with a slash too many, something else may have answered.
 */
function isOfService(exchange: ApiExchange): boolean {
  const { method, reply, request } = exchange;
  if (reply!.status === 499 || (reply!.status === 304 && method === 'GET')) return false;
  return request.isExact || isAnsweredByEndpoint(exchange);
}

/** Recorders leave keys out, or mask them: no header says nothing of what was sent. */
function authOf(headers: Headers): AuthKind {
  const header = headers.get('authorization') ?? '';
  if (header === '' || header.includes('*')) return 'none-needed';
  return /^bearer /iu.test(header) ? 'bearer' : 'bare';
}

/** Why a service may answer the request in another way than an ordinary one; null for an ordinary one. */
export function whyUnusual({ request: { op }, body }: Pick<ApiExchange, 'request' | 'body'>): string | null {
  if (op !== 'run' && op !== 'runsync')
    return body === undefined || body === null || body === '' ? null : 'unneeded-body';
  const submission = jsonOf(body);
  if (submission === undefined) return 'not-json';
  return isObject(submission) && isObject(submission['input']) ? null : 'no-input';
}
