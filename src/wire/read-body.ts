import type { IncomingMessage } from 'node:http';

/** A body that was read to its end. */
export interface WholeBody {
  /** As many as came. */
  readonly bytes: number;
  /** Of a larger body than is kept, the pieces before that. */
  readonly kept: Buffer;
}

/**
 * Reads a body to its end. What comes beyond `bytesMax` is thrown away. Null: the client has gone before its end.
 *
 * @param onKept told of each piece that is kept
 */
export function readBody(
  incoming: IncomingMessage,
  bytesMax: number,
  onKept: (bytes: number) => void = () => undefined,
): Promise<WholeBody | null> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    incoming.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > bytesMax) return;
      pieces.push(piece);
      onKept(piece.length);
    });
    incoming.once('end', () => resolve({ bytes, kept: Buffer.concat(pieces) }));
    incoming.once('close', () => resolve(null)).once('error', () => resolve(null));
  });
}
