/**
 * A history of recorded traffic. The calls on one job make a script, and so does each call that names none: what is over
 * can be judged and forgotten while the rest is read.
 */
import type { AuthKind, Body, CallEvent, HistoryEvent } from '../history/events.js';
import { bodyOf } from '../history/body.js';
import { segmentOf } from '../history/job-path.js';
import { isObject } from '../util/json.js';
import type { Exchange, Headers, RecordedBody } from './exchange.js';
import type { Edge } from './in-order.js';
import { jsonOf, submittedJobOf, type ApiRequest } from './requests.js';

/** A call of the API, and the endpoint that it concerns. */
export interface ApiExchange extends Exchange {
  readonly request: ApiRequest;
  readonly endpoint: string;
}

interface OpenScript {
  readonly script: number;
  /** Of calls that have begun and not ended. */
  pending: number;
  lastMs: number;
}

/** A job that was not asked about for so long is over: what is asked later is about a job of unknown beginning. */
const FORGOTTEN_MS = 26 * 3_600_000;
/** Begins and ends between two searches for what is over. */
const LOOKED_AT_EVERY = 1_024;

export class TrafficHistory {
  readonly #originMs: number;
  /** By endpoint and job. */
  readonly #scripts = new Map<string, OpenScript>();
  readonly #begun = new Map<
    Exchange,
    { readonly call: number; readonly tick: number; readonly key: string }
  >();
  #nextScript = 0;
  #edges = 0;
  #nextCall = 0;
  #tick = 0;

  /** @param originMs the begin of the first exchange, ms since 1970 */
  constructor(originMs: number) {
    this.#originMs = originMs;
  }

  *take({ isEnd, atMs, ...edge }: Edge): Generator<HistoryEvent> {
    const exchange = edge.exchange as ApiExchange;
    if (isEnd) yield* this.#end(exchange);
    else yield* this.#begin(exchange);
    this.#edges += 1;
    if (this.#edges % LOOKED_AT_EVERY === 0) yield* this.#endScripts(atMs - FORGOTTEN_MS);
  }

  *finish(): Generator<HistoryEvent> {
    for (const [exchange, { key }] of this.#begun) {
      yield this.#callOf(exchange as ApiExchange, null);
      this.#scripts.get(key)!.pending -= 1;
    }
    this.#begun.clear();
    yield* this.#endScripts(Infinity);
  }

  *#begin(exchange: ApiExchange): Generator<HistoryEvent> {
    const call = this.#nextCall++;
    const id = jobIn(exchange);
    const key = `${exchange.endpoint} ${id ?? `call ${call}`}`;
    const atMs = exchange.fromMs - this.#originMs;
    let open = this.#scripts.get(key);
    if (open === undefined) {
      open = { script: this.#nextScript++, pending: 0, lastMs: exchange.fromMs };
      this.#scripts.set(key, open);
      const { endpoint } = exchange;
      const title = id === null ? exchange.request.op : `job ${id}`;
      yield {
        kind: 'script',
        script: open.script,
        scenario: 'recorded traffic',
        title,
        endpoint,
        fresh: false,
        workers: null,
        atMs,
      };
    }
    open.pending += 1;
    open.lastMs = exchange.fromMs;
    this.#begun.set(exchange, { call, tick: this.#tick++, key });
  }

  *#end(exchange: ApiExchange): Generator<HistoryEvent> {
    const { key } = this.#begun.get(exchange)!;
    yield this.#callOf(exchange, this.#tick++);
    this.#begun.delete(exchange);
    const open = this.#scripts.get(key)!;
    open.pending -= 1;
    open.lastMs = exchange.byMs!;
  }

  #callOf(exchange: ApiExchange, endedTick: number | null): CallEvent {
    const { call, tick, key } = this.#begun.get(exchange)!;
    const { request, endpoint, method, url, headers, body, fromMs, byMs, reply } = exchange;
    const { op, jobId } = request;
    const at = (ms: number): number => ms - this.#originMs;
    const isKnown = endedTick !== null && reply !== null && reply.body !== undefined;
    return {
      kind: 'call',
      call,
      script: this.#scripts.get(key)!.script,
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
        body: kept(body),
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
            body: kept(reply.body),
          }
        : null,
      // A reply of which the recording does not say what it was is as good as lost; it is no sign of a lost target.
      lost: isKnown ? null : reply === null ? 'reset' : 'aborted',
      ...(!isKnown && endedTick !== null && { gaveUpMs: at(byMs!) }),
    };
  }

  *#endScripts(beforeMs: number): Generator<HistoryEvent> {
    for (const [key, { script, pending, lastMs }] of this.#scripts) {
      if (pending > 0 || lastMs >= beforeMs) continue;
      this.#scripts.delete(key);
      const atMs = lastMs - this.#originMs;
      yield { kind: 'script-end', script, atMs, outcome: 'played', reason: null };
    }
  }
}

/** The job that the call names, or that its answer says it has created. */
const jobIn = (exchange: ApiExchange): string | null => exchange.request.jobId ?? submittedJobOf(exchange);

const kept = (body: RecordedBody): Body => bodyOf(body ?? null);

function queryOf(url: URL): { readonly [name: string]: string } {
  const { api_key: _, ...query } = Object.fromEntries(url.searchParams);
  return query;
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
