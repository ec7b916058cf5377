import type { ServerResponse } from 'node:http';
import type { CoreReply } from '../../core/api.js';
import type { Refusal } from '../refusals.js';
import { FAULT_HEADER, type Fault } from './faults.js';

/** Writes the answer to a call. */
export type Write = (outgoing: ServerResponse, reply: CoreReply) => void;

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
  if (delayMs > 0 && !(await isOpenAfter(delayMs, outgoing))) return null;
  switch (effect?.kind) {
    case 'status': {
      const reply = refusal(effect.status, `fault injected by serve: ${fault.text}`);
      const { retryAfterS } = effect;
      const after = retryAfterS === null ? {} : { 'retry-after': String(retryAfterS) };
      write(outgoing, { ...reply, headers: { ...reply.headers, ...after } });
      return null;
    }
    case 'lost-request':
      outgoing.destroy();
      return null;
    case 'lost-reply':
      return () => void outgoing.destroy();
    case 'truncated-reply':
      return writeHalf;
    default:
      return write;
  }
}

/** Waits; false when the client has disconnected meanwhile. */
function isOpenAfter(delayMs: number, outgoing: ServerResponse): Promise<boolean> {
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

/** All header fields, half of the body, and then the end of the connection. */
function writeHalf(outgoing: ServerResponse, { status, headers, body }: CoreReply): void {
  if (outgoing.destroyed || outgoing.headersSent) return;
  const bytes = Buffer.from(body === null ? '' : JSON.stringify(body));
  if (bytes.length < 2) return void outgoing.destroy();
  outgoing.writeHead(status, { ...headers, 'content-length': bytes.length });
  outgoing.write(bytes.subarray(0, bytes.length >> 1), () => outgoing.destroy());
}
