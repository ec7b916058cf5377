/** Bodies that a recording holds as bytes. */
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { Headers, RecordedBody } from './exchange.js';

/** Larger ones are kept by no history anyway, and a few bytes may unpack to gigabytes. */
const UNPACKED_BYTES_MAX = 64 * 1024 * 1024;

const UNPACK: { readonly [encoding: string]: typeof gunzipSync } = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** The text of these bytes; undefined where they cannot be unpacked. A recorder may have unpacked them already. */
export function decoded(bytes: Buffer, headers: Headers): RecordedBody {
  const encodings = (headers.get('content-encoding') ?? '')
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
function asText(bytes: Buffer): RecordedBody {
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? undefined : text;
}
