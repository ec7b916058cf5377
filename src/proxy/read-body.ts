import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { PROXIED } from '../history/kept-bodies.js';
import { KeptBody, type BodyRoom } from './kept-body.js';
import { WebhookMember } from './webhook-member.js';
import type { Webhooks } from './webhooks.js';

/** A body that was read before it is passed on. */
export interface ReadBody {
  readonly sent: KeptBody;
  /** What is passed on in its place, in pieces. */
  readonly passed: readonly Uint8Array[];
  /** The service is told to call a webhook at the proxy. */
  readonly isRewritten: boolean;
}

/**
 * Reads a submission, and replaces the address of its webhook. Null: nothing of it is replaced, or there is no room for it,
 * and it is still there to be read. Not called if the client goes away.
 */
export function readBody(
  request: IncomingMessage,
  webhooks: Webhooks,
  room: BodyRoom,
  then: (body: ReadBody | null) => void,
): void {
  const sent = new KeptBody(room);
  const pieces: Uint8Array[] = [];
  const member = new WebhookMember();
  const stop = (): void => {
    request.off('data', take);
    request.off('end', end);
    request.off('close', drop);
  };
  const drop = (): void => sent.drop();
  const take = (piece: Buffer): void => {
    pieces.push(piece);
    member.take(piece);
    if (sent.add(piece) && !member.isBroken) return;
    stop();
    drop();
    request.pause();
    request.unshift(Buffer.concat(pieces));
    then(null);
  };
  const end = (): void => {
    stop();
    const own = rewritten(pieces, member, webhooks);
    then({ sent, passed: own ?? pieces, isRewritten: own !== null });
  };
  request.on('data', take);
  request.once('end', end);
  request.once('close', drop);
}

/** The submission with the webhook at the proxy; null: it has none that can be. */
export function rewritten(
  pieces: readonly Uint8Array[],
  { literal, isOver }: WebhookMember,
  webhooks: Webhooks,
): readonly Uint8Array[] | null {
  const own = literal === null || !isOver ? null : webhooks.ownAddressOf(literal.text);
  if (own === null) return null;
  const { from, to } = literal!;
  return [...between(pieces, 0, from), Buffer.from(JSON.stringify(own)), ...between(pieces, to, Infinity)];
}

/** What stands at these places of the whole. */
function between(pieces: readonly Uint8Array[], from: number, to: number): readonly Uint8Array[] {
  let before = 0;
  return pieces.flatMap((piece) => {
    const part = piece.subarray(Math.max(0, from - before), Math.max(0, to - before));
    before += piece.length;
    return part.length === 0 ? [] : [part];
  });
}

/** A body that may be read before it is passed on: plain, no larger than what is kept, and not held back until the service asks for it. */
export const isReadable = ({ headers }: IncomingMessage): boolean =>
  headers['content-encoding'] === undefined &&
  headers.expect === undefined &&
  Number(headers['content-length'] ?? 0) <= PROXIED.bytesMax;
