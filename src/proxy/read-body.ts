import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';

/** A larger body would hold up its call, and all others while it is looked through. */
const READ_BYTES_MAX = 1 << 20;

/** A body that was read before it is passed on. */
export interface ReadBody {
  readonly sent: Buffer;
  /** What is passed on in its place. */
  readonly passed: Buffer;
}

/** Reads the whole body. Null: it is too large, and still there to be read. Not called if the client goes away. */
export function readBody(request: IncomingMessage, then: (body: Buffer | null) => void): void {
  const pieces: Buffer[] = [];
  let bytes = 0;
  const stop = (): void => {
    request.off('data', take);
    request.off('end', end);
  };
  const take = (piece: Buffer): void => {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes <= READ_BYTES_MAX) return;
    stop();
    request.pause();
    request.unshift(Buffer.concat(pieces));
    then(null);
  };
  const end = (): void => {
    stop();
    then(Buffer.concat(pieces));
  };
  request.on('data', take);
  request.once('end', end);
}

/** A body that may be read before it is passed on: small, plain, and not held back until the service asks for it. */
export const isReadable = ({ headers }: IncomingMessage): boolean =>
  headers['content-encoding'] === undefined &&
  headers.expect === undefined &&
  Number(headers['content-length'] ?? 0) <= READ_BYTES_MAX;
