import type { Duplex } from 'node:stream';

/** A connection that is reset this soon after an answer belongs to a client that left before it. */
const RESET_WITHIN_MS = 2_000;
const unwatch = new WeakMap<Duplex, () => void>();

/** Calls back once if the connection is reset soon after an answer was handed over. */
export function watchForReset(socket: Duplex, onReset: () => void): void {
  // A client that calls again has read the previous answer.
  unwatch.get(socket)?.();
  const stop = () => {
    clearTimeout(timer);
    socket.off('error', onReset);
    unwatch.delete(socket);
  };
  const timer = setTimeout(stop, RESET_WITHIN_MS).unref();
  socket.once('error', onReset);
  unwatch.set(socket, stop);
}
