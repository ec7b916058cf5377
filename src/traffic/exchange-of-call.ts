/** The exchange that a call of a history was. */
import type { Body, CallEvent } from '../history/events.js';
import { LOST, type Exchange, type Message } from '../history/exchange.js';
import { SHORT_FORM_MARK } from '../history/long-text.js';
import { LARGE_VALUE_MARK } from '../history/large-value.js';
import { namesOf } from './calls.js';

/**
 * @param base what stands before the path of the call, without a slash at its end
 * @param originMs where the clock of the history began, ms since 1970
 */
export function exchangeOfCall(call: CallEvent, base: string, originMs: number): Exchange {
  const { request, sentMs, receivedMs, gaveUpMs, reply } = call;
  const url = new URL(base + request.path);
  for (const [name, value] of Object.entries(request.query)) url.searchParams.set(name, value);
  const endMs = receivedMs ?? gaveUpMs ?? null;
  const { auth, contentType, method } = request;
  return {
    id: call.call,
    fromMs: originMs + sentMs,
    byMs: endMs === null ? null : originMs + endMs,
    request: {
      method,
      target: url.href,
      headers: {
        ...(auth !== 'missing' && { authorization: auth === 'bare' ? '***' : 'Bearer ***' }),
        ...(contentType !== null && { 'content-type': contentType }),
      },
      body: textOf(request.body),
    },
    outcome:
      reply === null
        ? LOST
        : { kind: 'answer', status: reply.status, headers: reply.headers, body: textOf(reply.body) },
    names: namesOf(method, url, 'document'),
  };
}

/** Of larger bodies the size counts, which blanks make larger than their values. */
const SIZE_MATTERS_BYTES = 100_000;

/** A body of which the history has not all was not recorded. */
function textOf(body: Body): Message['body'] {
  if (body.as === 'none') return null;
  const text = body.as === 'json' ? JSON.stringify(body.value) : body.text;
  if (body.as === 'text') return Buffer.byteLength(text) === body.bytes ? text : undefined;
  if (body.bytes > SIZE_MATTERS_BYTES && Buffer.byteLength(text) !== body.bytes) return undefined;
  return text.includes(`"${SHORT_FORM_MARK}`) || text.includes(`"${LARGE_VALUE_MARK}"`) ? undefined : text;
}
