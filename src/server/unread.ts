import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** So much of a body is read past, for the sake of the connection. */
const READ_PAST_BYTES = 64 * 1024;
/** Destroyed at once, with something unread, the system would withdraw the answer. */
const LINGER_MS = 1_000;

/**
 * Once a request is answered before all of its body has come, nothing more is read of it: reading past a body that comes
 * in pieces of one byte would take more time than anything else here. A short one that has its length told is read past.
 */
export function leaveUnread(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const write = outgoing.writeHead.bind(outgoing) as (...head: readonly unknown[]) => ServerResponse;
  outgoing.writeHead = (...head: readonly unknown[]) => {
    const { 'transfer-encoding': encoding, 'content-length': length = '0' } = incoming.headers;
    const isShort = encoding === undefined && Number(length) <= READ_PAST_BYTES;
    if (incoming.complete || isShort || outgoing.headersSent) return write(...head);
    const { socket } = incoming;
    stopReading(socket);
    // What has been taken apart already is dropped.
    incoming.resume();
    // Called when the answer is written, as its connection is not kept.
    socket.destroySoon = () => {
      socket.end();
      const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
      socket.once('close', () => clearTimeout(timer));
    };
    return write(head[0], { ...(head[1] as object | undefined), connection: 'close' });
  };
}

/** Returns the way to go on. The stream of a request starts its socket again by itself, whenever it is asked for more. */
export function stopReading(socket: Socket): () => void {
  const again = (): void => void socket.pause();
  socket.on('resume', again);
  socket.pause();
  return () => {
    socket.off('resume', again);
    socket.resume();
  };
}
