/** The event of a history that tells of a recorded call. */
import type { AuthKind, Body, CallEvent } from '../history/events.js';
import { bodyOf, shortBodyOf } from '../history/body.js';
import { segmentOf } from '../history/job-path.js';
import { isObject } from '../util/json.js';
import type { Exchange, Headers, RecordedBody } from './exchange.js';
import { isAnsweredByEndpoint, jsonOf, type ApiRequest } from './requests.js';

/** A call of the API, and the endpoint that it concerns. */
export interface ApiExchange extends Exchange {
  readonly request: ApiRequest;
  readonly endpoint: string;
  /** It certainly shows no key, where others do. */
  readonly hasNoKey?: boolean;
}

/** Where the call stands in the history. `endedTick`: null while it is under way. */
export type CallPlace = Pick<CallEvent, 'call' | 'script' | 'sentTick' | 'endedTick'>;

/** @param originMs the beginning of the history, ms since 1970 */
export function callEventOf(exchange: ApiExchange, place: CallPlace, originMs: number): CallEvent {
  const { request, endpoint, method, url, headers, body, fromMs, byMs, reply } = exchange;
  const { op, jobId } = request;
  const at = (ms: number): number => ms - originMs;
  const hasEnded = place.endedTick !== null;
  const isKnown = hasEnded && reply !== null && reply.body !== undefined && isOfService(exchange);
  return {
    kind: 'call',
    ...place,
    lane: 'main',
    endpoint,
    op,
    label: null,
    request: {
      method,
      path: `/v2/${segmentOf(endpoint)}/${op}${jobId === null ? '' : `/${segmentOf(jobId)}`}`,
      query: queryOf(url),
      auth: exchange.hasNoKey === true ? 'missing' : authOf(headers),
      contentType: headers.get('content-type') ?? null,
      body: kept(exchange, body),
      illegal: whyUnusual(exchange),
    },
    sentMs: at(fromMs),
    arrivedByMs: null,
    receivedMs: isKnown ? at(byMs!) : null,
    reply: isKnown
      ? {
          status: reply.status,
          contentType: reply.headers.get('content-type') ?? null,
          headers: recordOf(reply.headers),
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

/** What a history keeps of a body of the exchange. */
export function kept({ digests }: Exchange, body: RecordedBody): Body {
  if (typeof body === 'object' && body !== null) return body;
  return digests === undefined ? bodyOf(body ?? null) : shortBodyOf(body ?? null);
}

const records = new WeakMap<Headers, { readonly [name: string]: string }>();

/** One for all calls that share their headers: they are copied once to the thread that judges. */
function recordOf(headers: Headers): { readonly [name: string]: string } {
  const known = records.get(headers) ?? Object.fromEntries(headers);
  records.set(headers, known);
  return known;
}

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
