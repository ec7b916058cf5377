import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { BodyBudget } from './body-budget.js';
import { ChunkBuffer } from './chunk-buffer.js';
import type { SmallChunkThrottle } from './small-chunk-throttle.js';

/** Deeper JSON would overflow the stack when an answer is written; no legitimate client sends it. */
const JSON_DEPTH_MAX = 2_000;

export type ReadBody =
  | { readonly kind: 'read'; readonly text: string | null; readonly bytes: number }
  /** Larger than allowed. The rest was not read; `bytes` is the declared size or the bytes counted so far. */
  | { readonly kind: 'too-large'; readonly bytes: number }
  | { readonly kind: 'malformed'; readonly detail: string }
  /** The client disconnected while sending. */
  | { readonly kind: 'gone' }
  /** It arrived too slowly. */
  | { readonly kind: 'stalled' };

export interface BodyReadLimits {
  /** Memory limit for all bodies together. */
  readonly budget?: BodyBudget;
  /** Throttles bodies in tiny chunks. */
  readonly smallChunks?: SmallChunkThrottle;
  /** A sender must reach `BYTES_PER_S_MIN` on average over each window, except while it is paused. */
  readonly windowMs?: number;
}

/** The minimum rate of a body, checked every half minute: a body of up to 30,000 bytes has that long. */
const BYTES_PER_S_MIN = 1_000;
const WINDOW_MS = 30_000;
/** Smaller chunks, on average, occupy several times their size while they wait to be read. */
const CHUNK_MIN_BYTES = 512;

/** Longer bodies come in several packets. */
const AT_HAND_BYTES_MAX = 16 * 1024;

/** A short body that has arrived whole already; null where more is to come. */
export function bodyAtHand(incoming: IncomingMessage): ReadBody | null {
  const declared = declaredBytes(incoming);
  if (declared === null || declared > AT_HAND_BYTES_MAX || incoming.readableLength !== declared) return null;
  const bytes = incoming.read() as Buffer | null;
  // So that the end of the request is noticed.
  if (!incoming.complete) incoming.resume();
  return bytes === null ? null : decode(bytes);
}

/** Reads a body. Decides by `content-length` where it is given, and counts bytes otherwise. */
export async function readIncomingBody(
  incoming: IncomingMessage,
  bytesMax: number,
  { budget, smallChunks, windowMs = WINDOW_MS }: BodyReadLimits = {},
): Promise<ReadBody> {
  const declared = declaredBytes(incoming);
  if (declared === null && incoming.headers['transfer-encoding'] === undefined) return NOTHING;
  if ((declared ?? 0) > bytesMax) return { kind: 'too-large', bytes: declared! };
  return new Promise((resolve) => {
    const body = new ChunkBuffer();
    let chunkCount = 0;
    let hasWaited = false;
    const reservation = budget?.reserve({
      received: () => body.bytes,
      pause() {
        hasWaited = true;
        if (body.bytes / chunkCount < CHUNK_MIN_BYTES) finish({ kind: 'stalled' });
        else incoming.pause();
      },
      resume: () => void incoming.resume(),
      abandon: () => finish({ kind: 'stalled' }),
    });
    const turns = smallChunks?.enter(incoming.socket);
    let bytesBefore = 0;
    const rateCheck = setInterval(() => {
      const isSlow = body.bytes - bytesBefore < (BYTES_PER_S_MIN * windowMs) / 1000;
      if (isSlow && !hasWaited) finish({ kind: 'stalled' });
      bytesBefore = body.bytes;
      hasWaited = incoming.isPaused();
    }, windowMs);
    const onData = (chunk: Buffer) => {
      if (body.bytes + chunk.length > bytesMax)
        return finish({ kind: 'too-large', bytes: body.bytes + chunk.length });
      chunkCount++;
      turns?.took(chunk.length);
      const heldBytes = body.heldBytes;
      body.add(chunk);
      if (body.heldBytes !== heldBytes) reservation?.resize(body.heldBytes);
    };
    const onEnd = () => finish(decode(body.toBuffer()));
    const onGone = () => finish({ kind: 'gone' });
    const finish = (result: ReadBody) => {
      clearInterval(rateCheck);
      incoming.off('data', onData).off('end', onEnd).off('close', onGone);
      reservation?.release();
      turns?.leave();
      resolve(result);
    };
    incoming.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone);
  });
}

/** Null where no length is declared. */
export function declaredBytes({ headers }: IncomingMessage): number | null {
  const declared = headers['content-length'];
  return declared === undefined ? null : Number(declared);
}

/** The same for a `Request` made within this process. */
export async function readFetchBody(request: Request, bytesMax: number): Promise<ReadBody> {
  const declared = Number(request.headers.get('content-length') ?? 0);
  if (declared > bytesMax) return { kind: 'too-large', bytes: declared };
  if (request.body === null) return NOTHING;
  const body = new ChunkBuffer();
  try {
    for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
      if (body.bytes + chunk.length > bytesMax)
        return { kind: 'too-large', bytes: body.bytes + chunk.length };
      body.add(chunk);
    }
  } catch {
    return { kind: 'gone' };
  }
  return decode(body.toBuffer());
}

const NOTHING: ReadBody = { kind: 'read', text: null, bytes: 0 };

function decode(whole: Buffer): ReadBody {
  const bytes = whole.length;
  if (bytes === 0) return NOTHING;
  if (!isUtf8(whole)) return { kind: 'malformed', detail: 'the body is not UTF-8' };
  if (isNestedDeeperThan(whole, JSON_DEPTH_MAX)) {
    return { kind: 'malformed', detail: `the body is nested deeper than ${JSON_DEPTH_MAX} levels` };
  }
  return { kind: 'read', text: whole.toString('utf8'), bytes };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `[` and `{` differ in one bit only, and so do `]` and `}`. */
const BRACE_BIT = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;

/**
 * Whether arrays and objects are nested deeper than `depthMax`, counting brackets outside strings; the JSON
 * may be invalid.
 */
export function isNestedDeeperThan(json: Buffer, depthMax: number): boolean {
  // Each level takes a byte, so short bodies need no scan.
  if (json.length <= depthMax) return false;
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]!;
    if (byte === QUOTE) {
      at = endOfString(json, at);
    } else if ((byte | BRACE_BIT) === OPENING) {
      if (++depth > depthMax) return true;
    } else if ((byte | BRACE_BIT) === CLOSING) {
      depth--;
    }
  }
  return false;
}

/** Strings make up most of a large body; `indexOf` is far faster than a loop. */
function endOfString(json: Buffer, start: number): number {
  for (let at = start + 1; ; at++) {
    at = json.indexOf(QUOTE, at);
    if (at === -1) return json.length;
    let backslashes = 0;
    while (json[at - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return at;
  }
}
