import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A short unread body is read and dropped, so that the connection can be reused. */
const READ_PAST_BYTES = 64 * 1024;
/** If the socket were destroyed at once while data is unread, the system would discard the answer. */
const LINGER_MS = 1_000;

/**
 * Stops reading a body once its request is answered: reading on through a body in one-byte chunks would be
 * expensive. A short body with a declared length is read and dropped.
 */
export function leaveUnread(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { 'transfer-encoding': encoding, 'content-length': length = '0' } = incoming.headers;
  if (encoding === undefined && Number(length) <= READ_PAST_BYTES) return;
  const write = outgoing.writeHead.bind(outgoing) as (...head: readonly unknown[]) => ServerResponse;
  outgoing.writeHead = (...head: readonly unknown[]) => {
    if (incoming.complete || outgoing.headersSent) return write(...head);
    const { socket } = incoming;
    stopReading(socket);
    // Chunks that are already parsed are dropped.
    incoming.resume();
    // Node calls this after the answer, since the connection is not kept alive.
    socket.destroySoon = () => {
      socket.end();
      const timer = setTimeout(() => socket.destroy(), LINGER_MS).unref();
      socket.once('close', () => clearTimeout(timer));
    };
    return write(head[0], { ...(head[1] as object | undefined), connection: 'close' });
  };
}

/**
 * Stops reading and returns a function that resumes it. The request stream would otherwise resume its socket
 * whenever more data is requested.
 */
export function stopReading(socket: Socket): () => void {
  const again = (): void => void socket.pause();
  socket.on('resume', again);
  socket.pause();
  return () => {
    socket.off('resume', again);
    socket.resume();
  };
}
