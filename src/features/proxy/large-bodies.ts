/** Large bodies on their way to the thread that judges. */
import { answerOf, type Exchange, type Message } from '../../history/exchange.js';
import { PROXIED } from '../../history/kept-bodies.js';

type Seen = Exchange<Uint8Array>;

const bodiesOf = (seen: Seen): readonly Uint8Array[] =>
  [seen.request.body, answerOf(seen)?.body].filter((body) => body !== null && body !== undefined);

const isLarge = (body: Uint8Array): boolean => body.byteLength > PROXIED.smallBytesMax;
const bytesIn = (bodies: readonly Uint8Array[]): number =>
  bodies.reduce((sum, { byteLength }) => sum + byteLength, 0);

/** Bytes of its small and of its large bodies. */
export function bodyBytes(seen: Seen): { readonly small: number; readonly large: number } {
  const bodies = bodiesOf(seen);
  const large = bytesIn(bodies.filter(isLarge));
  return { small: bytesIn(bodies) - large, large };
}

/** The same call, of which large bodies were not kept. */
export const withoutLarge = (seen: Seen): Seen => ({
  ...seen,
  request: kept(seen.request),
  outcome: seen.outcome.kind === 'answer' ? kept(seen.outcome) : seen.outcome,
});

const kept = <Part extends Message<Uint8Array>>(message: Part): Part =>
  message.body && isLarge(message.body) ? { ...message, body: undefined } : message;

/** What need not be copied for another thread: each is the whole of its memory. */
export const memoryOfLarge = (batch: readonly Seen[]): readonly ArrayBuffer[] =>
  batch.flatMap((seen) =>
    bodiesOf(seen).flatMap(({ buffer, byteLength }) =>
      byteLength > PROXIED.smallBytesMax && buffer.byteLength === byteLength ? [buffer as ArrayBuffer] : [],
    ),
  );
