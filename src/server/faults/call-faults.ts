/** What faults do to calls on the wire: those of `serve --fault`, and those that a client meets under a condition. */
import type { ServerResponse } from 'node:http';
import type { CoreReply } from '../../core/api.js';
import type { Refusal } from '../calls/refusals.js';
import { FAULT_HEADER, type Fault } from './faults.js';
import type { Effect } from './grammar.js';

/** Writes the answer to a call. */
export type Write = (outgoing: ServerResponse, reply: CoreReply) => void;

/** An answer as it goes on the wire. */
export interface WireReply {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly bytes: Buffer;
}

/** Pieces in which a slow reply is sent. */
const PIECES = 20;

/**
 * Begins a call that gets a fault. Gives how its answer is to be written; null where the call is over and is
 * not to be handled.
 */
export async function beginFaulty(
  fault: Fault,
  outgoing: ServerResponse,
  { refusal, write }: { readonly refusal: Refusal; readonly write: Write },
): Promise<Write | null> {
  const { delayMs, effect } = fault;
  outgoing.setHeader(FAULT_HEADER, fault.text);
  if (!(await isOpenAfter(delayMs, outgoing))) return null;
  if (effect === null) return write;
  if (effect.kind === 'status') {
    const reply = refusedBy(effect, refusal(effect.status, `fault injected by serve: ${fault.text}`));
    await writeFaulty(null, outgoing, reply);
    return null;
  }
  if (effect.kind === 'lost-request') {
    reset(outgoing);
    return null;
  }
  return (to, reply) => {
    if (!to.destroyed && !to.headersSent) void writeFaulty(effect, to, wireReply(reply));
  };
}

/** Waits; false when the client has disconnected meanwhile. */
export function isOpenAfter(delayMs: number, outgoing: ServerResponse): Promise<boolean> {
  if (delayMs === 0) return Promise.resolve(true);
  return new Promise((resolve) => {
    const onClose = (): void => {
      clearTimeout(timer);
      resolve(false);
    };
    const timer = setTimeout(() => {
      outgoing.off('close', onClose);
      resolve(!outgoing.destroyed);
    }, delayMs);
    outgoing.once('close', onClose);
  });
}

/** The answer instead of handling the call. */
export function refusedBy(
  { status, retryAfterS, html }: Effect & { readonly kind: 'status' },
  refusal: CoreReply,
): WireReply {
  const after = retryAfterS === null ? {} : { 'retry-after': String(retryAfterS) };
  const { headers, bytes } = html ? gatewayPage(status) : wireReply(refusal);
  return { status, headers: { ...headers, ...after }, bytes };
}

function gatewayPage(status: number): Omit<WireReply, 'status'> {
  const page = `<html><body><h1>${status}</h1><hr>gateway</body></html>\n`;
  return { headers: { 'content-type': 'text/html' }, bytes: Buffer.from(page) };
}

/** The connection is reset: the client learns nothing, and cannot tell whether its call was handled. */
export const reset = (outgoing: ServerResponse): void => void outgoing.req.socket.resetAndDestroy();

/**
 * Writes an answer with what the effect does to replies.
 *
 * @param onLast called before the last byte leaves: the client may call again at once
 */
export async function writeFaulty(
  effect: Effect | null,
  outgoing: ServerResponse,
  { status, headers, bytes }: WireReply,
  onLast: () => void = () => undefined,
): Promise<void> {
  if (effect?.kind === 'lost-reply') {
    onLast();
    return reset(outgoing);
  }
  outgoing.writeHead(status, { ...headers, 'content-length': bytes.length });
  const pieceAt = (piece: number): number => Math.floor((bytes.length * piece) / PIECES);
  if (effect?.kind === 'truncated-reply') {
    onLast();
    outgoing.write(bytes.subarray(0, bytes.length >> 1), () => outgoing.destroy());
    return;
  }
  let sent = 0;
  if (effect?.kind === 'slow-reply')
    for (let piece = 1; piece < PIECES; piece++) {
      outgoing.write(bytes.subarray(sent, pieceAt(piece)));
      sent = pieceAt(piece);
      if (!(await isOpenAfter(effect.overMs / PIECES, outgoing))) return;
    }
  const { socket } = outgoing.req;
  if (effect?.kind === 'closed-after-reply') outgoing.once('finish', () => socket.end());
  onLast();
  outgoing.end(bytes.subarray(sent));
}

const wireReply = ({ status, headers, body }: CoreReply): WireReply => ({
  ...{ status, headers: { ...headers } },
  bytes: Buffer.from(body === null ? '' : JSON.stringify(body)),
});
