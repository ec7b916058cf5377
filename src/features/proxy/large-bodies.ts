/** Large bodies on their way to the thread that judges. */
import type { Seen, SeenMessage } from '../../proxy/seen.js';
import { SMALL_BYTES_MAX } from '../../proxy/kept-body.js';

type Ended = Seen & { readonly kind: 'end' };

const bodiesOf = (seen: Seen): readonly Uint8Array[] =>
  seen.kind === 'begin' ? [] : [seen.request.body, seen.reply?.body ?? null].filter((body) => body !== null);

const isLarge = (body: Uint8Array): boolean => body.byteLength > SMALL_BYTES_MAX;
const bytesIn = (bodies: readonly Uint8Array[]): number =>
  bodies.reduce((sum, { byteLength }) => sum + byteLength, 0);

/** Bytes of its small and of its large bodies. */
export function bodyBytes(seen: Seen): { readonly small: number; readonly large: number } {
  const bodies = bodiesOf(seen);
  const large = bytesIn(bodies.filter(isLarge));
  return { small: bytesIn(bodies) - large, large };
}

/** The same call, of which large bodies were not kept. */
export const withoutLarge = (seen: Ended): Ended => ({
  ...seen,
  request: kept(seen.request),
  reply: seen.reply && kept(seen.reply),
});

const kept = <Message extends SeenMessage>(message: Message): Message =>
  message.body !== null && isLarge(message.body) ? { ...message, body: null } : message;

/** What need not be copied for another thread: each is the whole of its memory. */
export const memoryOfLarge = (batch: readonly Seen[]): readonly ArrayBuffer[] =>
  batch.flatMap((seen) =>
    bodiesOf(seen).flatMap(({ buffer, byteLength }) =>
      byteLength > SMALL_BYTES_MAX && buffer.byteLength === byteLength ? [buffer as ArrayBuffer] : [],
    ),
  );
