import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { BodyBudget, Share } from './body-budget.js';
import { isNestedDeeperThan } from './json-depth.js';

/** Deeper JSON than this would overflow the stack when an answer is written; nobody sends it in earnest. */
export const JSON_DEPTH_MAX = 2_000;

export type ReadBody =
  | { readonly kind: 'read'; readonly text: string | null; readonly bytes: number }
  /** Larger than allowed. The rest was not read; `bytes` is what is declared or was counted until then. */
  | { readonly kind: 'too-large'; readonly bytes: number }
  | { readonly kind: 'malformed'; readonly detail: string }
  /** The client went away while it was sending. */
  | { readonly kind: 'gone' }
  /** Nothing more came of it. */
  | { readonly kind: 'stalled' };

export interface Patience {
  /** What larger bodies wait their turn for, unread; without it they need not. */
  readonly budget?: BodyBudget;
  /** A sender that pauses longer than that is not waited for. */
  readonly stallMs?: number;
}

/** Bodies up to here are read at once, whatever else is being read. */
const SMALL_BYTES = 16 * 1024;
const STALL_MS = 30_000;

/** Decides by `content-length` before anything is read, and counts while reading where there is none. */
export async function readIncomingBody(
  incoming: IncomingMessage,
  bytesMax: number,
  { budget, stallMs = STALL_MS }: Patience = {},
): Promise<ReadBody> {
  const declared = incoming.headers['content-length'];
  if (declared === undefined && incoming.headers['transfer-encoding'] === undefined) return NOTHING;
  if (Number(declared) > bytesMax) return { kind: 'too-large', bytes: Number(declared) };
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    let share: Share | undefined;
    let waits = false;
    const stalled = setTimeout(() => {
      if (waits) stalled.refresh();
      else finish({ kind: 'stalled' });
    }, stallMs);
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > bytesMax) return finish({ kind: 'too-large', bytes });
      chunks.push(chunk);
      stalled.refresh();
      if (bytes <= SMALL_BYTES || share !== undefined || budget === undefined) return;
      incoming.pause();
      waits = true;
      share = budget.take(Number(declared ?? bytesMax), () => {
        waits = false;
        stalled.refresh();
        incoming.resume();
      });
    };
    const onEnd = () => finish(decode(chunks, bytes));
    const onGone = () => finish({ kind: 'gone' });
    const finish = (result: ReadBody) => {
      clearTimeout(stalled);
      share?.giveBack();
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
