/** The event of a history that tells of a recorded call. */
import type { AuthKind, Body, CallEvent } from '../history/events.js';
import { bodyOf, shortBodyOf } from '../history/body.js';
import {
  answerOf,
  queryOf,
  type Answer,
  type Exchange,
  type Headers,
  type Message,
} from '../history/exchange.js';
import { segmentOf } from '../history/job-path.js';
import { CLIENT_CLOSED, isAnsweredByEndpoint, whyUnusual, type Call } from './calls.js';

/** A call of a known endpoint. */
export interface ApiExchange extends Call {
  readonly endpoint: string;
  /** It certainly shows no key, where others do. */
  readonly hasNoKey?: boolean;
}

/** Where the call stands in the history. `endedTick`: null while it is under way. */
export type CallPlace = Pick<CallEvent, 'call' | 'script' | 'sentTick' | 'endedTick'>;

/** @param originMs the beginning of the history, ms since 1970 */
export function callEventOf(exchange: ApiExchange, place: CallPlace, originMs: number): CallEvent {
  const { request, names, endpoint, fromMs, byMs, outcome } = exchange;
  const { operation: op, job } = names;
  const at = (ms: number): number => ms - originMs;
  const hasEnded = place.endedTick !== null;
  const answer = hasEnded ? knownAnswerOf(exchange) : null;
  return {
    kind: 'call',
    ...place,
    lane: 'main',
    endpoint,
    op,
    label: null,
    request: {
      method: request.method,
      path: `/v2/${segmentOf(endpoint)}/${op}${job === null ? '' : `/${segmentOf(job)}`}`,
      query: keylessQuery(exchange),
      auth: exchange.hasNoKey === true ? 'missing' : authOf(request.headers),
      contentType: request.headers['content-type'] ?? null,
      body: kept(exchange, request.body),
      illegal: whyUnusual(exchange),
    },
    sentMs: at(fromMs),
    arrivedByMs: null,
    receivedMs: answer === null ? null : at(byMs!),
    reply: answer && {
      status: answer.status,
      contentType: answer.headers['content-type'] ?? null,
      headers: answer.headers,
      // Every reply has some.
      ...(isEmpty(answer.headers) && { headersUnknown: true as const }),
      body: kept(exchange, answer.body),
    },
    // A reply of which the recording does not say what it was is as good as lost; it is no sign of a lost target.
    lost: answer !== null ? null : hasEnded && outcome.kind === 'lost' ? 'reset' : 'aborted',
    ...(answer === null && hasEnded && { gaveUpMs: at(byMs!) }),
  };
}

/** What a history keeps of a body of the exchange. */
export function kept({ digests }: Exchange, body: Message['body']): Body {
  if (typeof body === 'object' && body !== null) return body;
  return digests === undefined ? bodyOf(body ?? null) : shortBodyOf(body ?? null);
}

function isEmpty(headers: Headers): boolean {
  for (const _ in headers) return false;
  return true;
}

function keylessQuery({ request }: Exchange): { readonly [name: string]: string } {
  const { api_key: _, ...query } = queryOf(request);
  return query;
}

/**
 * The answer, where it is known and says what the service makes of the call. A 304 says that the client has the answer already,
 * and 499 that it did not wait for it; at an address with a slash too many, something else may have answered.
 */
function knownAnswerOf(exchange: ApiExchange): Answer | null {
  const answer = answerOf(exchange);
  if (answer === null || answer.body === undefined || answer.status === CLIENT_CLOSED) return null;
  if (answer.status === 304 && exchange.request.method === 'GET') return null;
  return exchange.names.isExact || isAnsweredByEndpoint(exchange) ? answer : null;
}

/** Recorders leave keys out, or mask them: no header says nothing of what was sent. */
function authOf(headers: Headers): AuthKind {
  const header = headers['authorization'] ?? '';
  if (header === '' || header.includes('*')) return 'none-needed';
  return /^bearer /iu.test(header) ? 'bearer' : 'bare';
}
