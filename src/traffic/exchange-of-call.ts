/** The exchange that a call of a history was. */
import type { Body, CallEvent } from '../history/events.js';
import { SHORT_FORM_MARK } from '../history/long-text.js';
import { LARGE_VALUE_MARK } from '../history/large-value.js';
import type { Exchange, RecordedBody } from './exchange.js';

/**
 * @param base what stands before the path of the call, without a slash at its end
 * @param originMs where the clock of the history began, ms since 1970
 */
export function exchangeOfCall(call: CallEvent, base: string, originMs: number): Exchange {
  const { request, sentMs, receivedMs, gaveUpMs, reply } = call;
  const url = new URL(base + request.path);
  for (const [name, value] of Object.entries(request.query)) url.searchParams.set(name, value);
  const endMs = receivedMs ?? gaveUpMs ?? null;
  const { auth, contentType } = request;
  return {
    where: `call #${call.call}`,
    fromMs: originMs + sentMs,
    byMs: endMs === null ? null : originMs + endMs,
    method: request.method,
    url,
    headers: new Map([
      ...(auth === 'missing' ? [] : [['authorization', auth === 'bare' ? '***' : 'Bearer ***'] as const]),
      ...(contentType === null ? [] : [['content-type', contentType] as const]),
    ]),
    body: textOf(request.body),
    reply:
      reply === null
        ? null
        : {
            status: reply.status,
            headers: new Map(Object.entries(reply.headers)),
            body: textOf(reply.body),
          },
  };
}

/** Of larger bodies the size counts, which blanks make larger than their values. */
const SIZE_MATTERS_BYTES = 100_000;

/** A body of which the history has not all was not recorded. */
function textOf(body: Body): RecordedBody {
  if (body.as === 'none') return null;
  const text = body.as === 'json' ? JSON.stringify(body.value) : body.text;
  if (body.as === 'text') return Buffer.byteLength(text) === body.bytes ? text : undefined;
  if (body.bytes > SIZE_MATTERS_BYTES && Buffer.byteLength(text) !== body.bytes) return undefined;
  return text.includes(`"${SHORT_FORM_MARK}`) || text.includes(`"${LARGE_VALUE_MARK}"`) ? undefined : text;
}
