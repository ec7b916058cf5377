/** Bodies that a recording holds as bytes, and large ones. */
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { bodyOf } from '../../history/body.js';
import type { Exchange, Headers, Message } from '../../history/exchange.js';

/** Larger ones are kept by no history anyway, and a few bytes may unpack to gigabytes. */
const UNPACKED_BYTES_MAX = 64 * 1024 * 1024;

/** Larger texts are held as a history keeps them: they are read once, and little of them remains. */
const HELD_CHARACTERS_MAX = 1 << 16;

const UNPACK: { readonly [encoding: string]: typeof gunzipSync } = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** The text of these bytes; undefined where they cannot be unpacked. A recorder may have unpacked them already. */
export function decoded(bytes: Buffer, headers: Headers): string | undefined {
  const encodings = (headers['content-encoding'] ?? '')
    .split(',')
    .map((one) => one.trim().toLowerCase())
    .filter((one) => one !== '' && one !== 'identity');
  let plain = bytes;
  for (const encoding of encodings.reverse()) {
    const unpack = UNPACK[encoding];
    if (unpack === undefined) return asText(bytes);
    try {
      plain = unpack(plain, { maxOutputLength: UNPACKED_BYTES_MAX });
    } catch {
      return asText(bytes);
    }
  }
  return plain.toString('utf8');
}

/** Bytes that are no UTF-8 are something packed, or damaged: what they say is unknown. */
function asText(bytes: Buffer): string | undefined {
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? undefined : text;
}

const held = <Part extends Message>(part: Part): Part =>
  typeof part.body === 'string' && part.body.length > HELD_CHARACTERS_MAX
    ? { ...part, body: bodyOf(part.body) }
    : part;

/** Characters that it holds, about. */
export function charactersOf(body: Message['body']): number {
  if (typeof body === 'string') return body.length;
  if (body?.as === 'json') return JSON.stringify(body.value).length;
  return body?.as === 'text' ? body.text.length : 0;
}

/** An exchange without what its history will not keep of its bodies. */
export function withHeldBodies<One extends Exchange>(exchange: One): One {
  const { request, outcome } = exchange;
  return {
    ...exchange,
    request: held(request),
    outcome: outcome.kind === 'answer' ? held(outcome) : outcome,
  };
}

/** An exchange of which the bytes were seen, with its bodies as texts. */
export function inText(exchange: Exchange<Uint8Array>): Exchange {
  const { request, outcome } = exchange;
  return {
    ...exchange,
    request: { ...request, body: textOf(request) },
    outcome: outcome.kind === 'answer' ? { ...outcome, body: textOf(outcome) } : outcome,
  };
}

function textOf({ headers, body }: Message<Uint8Array>): string | null | undefined {
  if (body === null || body === undefined) return body;
  const { buffer, byteOffset, byteLength } = body;
  return byteLength === 0 ? null : decoded(Buffer.from(buffer, byteOffset, byteLength), headers);
}
