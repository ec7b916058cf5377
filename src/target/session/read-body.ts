import type { IncomingMessage } from 'node:http';
import type { ReplyMemory } from './reply-memory.js';

/** What comes beyond is read and thrown away. */
const BODY_BYTES_MAX = 64 * 1024 * 1024;

/** The body of a request to the harness. Rejects if it is incomplete. */
export async function readBody(request: IncomingMessage, room: ReplyMemory): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    await new Promise<void>((resolve, reject) => {
      request.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > BODY_BYTES_MAX) return;
        chunks.push(chunk);
        room.take(request, chunk.length);
      });
      request.once('end', resolve).once('error', reject).once('close', reject);
    });
    return Buffer.concat(chunks).toString('utf8');
  } finally {
    room.leave(request);
  }
}
