import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { isNestedDeeperThan } from './json-depth.js';

/** Deeper JSON than this would overflow the stack when an answer is written; nobody sends it in earnest. */
export const JSON_DEPTH_MAX = 2_000;

export type ReadBody =
  | { readonly kind: 'read'; readonly text: string | null; readonly bytes: number }
  /** Larger than allowed. The rest was not read; `bytes` is what is declared or was counted until then. */
  | { readonly kind: 'too-large'; readonly bytes: number }
  | { readonly kind: 'malformed'; readonly detail: string }
  /** The client went away while it was sending. */
  | { readonly kind: 'gone' };

/** Decides by `content-length` before anything is read, and counts while reading where there is none. */
export async function readIncomingBody(incoming: IncomingMessage, bytesMax: number): Promise<ReadBody> {
  const declared = incoming.headers['content-length'];
  if (declared === undefined && incoming.headers['transfer-encoding'] === undefined) return NOTHING;
  if (Number(declared) > bytesMax) return { kind: 'too-large', bytes: Number(declared) };
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= bytesMax) chunks.push(chunk);
      else finish({ kind: 'too-large', bytes });
    };
    const onEnd = () => finish(decode(chunks, bytes));
    const onGone = () => finish({ kind: 'gone' });
    const finish = (result: ReadBody) => {
      incoming.off('data', onData).off('end', onEnd).off('close', onGone);
      resolve(result);
    };
    incoming.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone);
  });
}

/** The same for a `Request` that never saw a socket. */
export async function readFetchBody(request: Request, bytesMax: number): Promise<ReadBody> {
  const declared = Number(request.headers.get('content-length') ?? 0);
  if (declared > bytesMax) return { kind: 'too-large', bytes: declared };
  if (request.body === null) return NOTHING;
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
      bytes += chunk.length;
      if (bytes > bytesMax) return { kind: 'too-large', bytes };
      chunks.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    }
  } catch {
    return { kind: 'gone' };
  }
  return decode(chunks, bytes);
}

const NOTHING: ReadBody = { kind: 'read', text: null, bytes: 0 };

function decode(chunks: readonly Buffer[], bytes: number): ReadBody {
  if (bytes === 0) return NOTHING;
  const whole = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, bytes);
  if (!isUtf8(whole)) return { kind: 'malformed', detail: 'the body is not UTF-8' };
  if (isNestedDeeperThan(whole, JSON_DEPTH_MAX)) {
    return { kind: 'malformed', detail: `the body is nested deeper than ${JSON_DEPTH_MAX} levels` };
  }
  return { kind: 'read', text: whole.toString('utf8'), bytes };
}
