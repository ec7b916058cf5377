/** Stream chunks (sections 2.5 and 4.4): splitting what a handler produces, and showing what has not been read. */
import type { Choices } from './choices.js';
import type { FaultId } from './faults.js';
import type { Json, JsonObject } from './json.js';

/** `{"output":""}` and, where there are any, the metrics. */
const FRAME_BYTES = 13;
const METRICS_BYTES = 60;

/** What a chunk may hold at the most (section 4.4): a smaller limit of the service's own is one of texts. */
const MEGABYTE = 1_000_000;

/** The outputs of the chunks that one incremental result becomes. */
export function chunksOf(result: Json, choices: Choices, fault: FaultId | null): Json[] {
  let bytesMax = choices.chunkBytesMax - FRAME_BYTES - (choices.streamMetrics ? METRICS_BYTES : 0);
  if (fault === 'stream-split-at-two') bytesMax = 2_097_152;
  const whole = JSON.stringify(result);
  if (whole.length <= bytesMax && Buffer.byteLength(whole) <= bytesMax) return [result];
  const isSmall =
    bytesMax < MEGABYTE / 2 && Buffer.byteLength(whole) <= MEGABYTE - FRAME_BYTES - METRICS_BYTES;
  if (isSmall && typeof result !== 'string') return [result];
  if (fault === 'stream-not-split') return [result];
  if (fault === 'stream-limit-in-characters' && whole.length <= bytesMax) return [result];
  if (fault === 'stream-split-inside-character') {
    const bytes = Buffer.from(typeof result === 'string' ? result : whole);
    const count = Math.ceil(bytes.length / (bytesMax / 2));
    return Array.from({ length: count }, (_, index) => {
      const first = Math.floor((index * bytesMax) / 2);
      return bytes.toString('utf8', first, Math.floor(((index + 1) * bytesMax) / 2));
    });
  }
  if (fault === 'stream-dropped-when-large') return [];
  const parts = split(typeof result === 'string' ? result : whole, bytesMax);
  if (fault === 'stream-list-cut' && Array.isArray(result)) return parts.slice(0, 1);
  if (fault === 'stream-split-drops-short-rest' && (parts.at(-1) ?? '').length < bytesMax / 10)
    return parts.slice(0, -1);
  if (fault === 'stream-cut') return parts.slice(0, 1);
  if (fault === 'stream-split-loses-byte')
    return parts.map((part, index) => (index > 0 ? part.slice(1) : part));
  if (fault === 'stream-split-overlaps')
    return parts.map((part, index) => `${parts[index - 1]?.at(-1) ?? ''}${part}`);
  if (fault === 'stream-split-reversed') return parts.reverse();
  return parts;
}

/** Splits between characters, so that no part is longer than `bytesMax` as JSON. */
function split(text: string, bytesMax: number): string[] {
  const parts: string[] = [];
  let start = 0;
  let bytes = 0;
  let index = 0;
  for (const character of text) {
    const size = isPlain(character) ? 1 : Buffer.byteLength(JSON.stringify(character)) - 2;
    if (bytes + size > bytesMax) {
      parts.push(text.slice(start, index));
      start = index;
      bytes = 0;
    }
    bytes += size;
    index += character.length;
  }
  parts.push(text.slice(start));
  return parts;
}

/** One byte of a JSON string, as nearly every character of a text of megabytes is. */
function isPlain(character: string): boolean {
  return character >= ' ' && character <= '~' && character !== '"' && character !== '\\';
}

/** The chunks as `/stream` shows them. */
export function shownChunks(outputs: readonly Json[], choices: Choices, fault: FaultId | null): Json {
  let shown = [...outputs];
  if (fault === 'stream-falsy-lost') shown = shown.filter(Boolean);
  if (fault === 'stream-reversed') shown.reverse();
  if (fault === 'stream-latest-only') shown = shown.slice(-1);
  if (fault === 'stream-duplicates') shown = shown.flatMap((output) => [output, output]);
  if (fault === 'stream-stringified') {
    shown = shown.map((output) => (typeof output === 'string' ? output : JSON.stringify(output)));
  }
  if (fault === 'stream-joined' && shown.every((output) => typeof output === 'string')) {
    shown = shown.length === 0 ? [] : [shown.join('')];
  }
  if (fault === 'stream-bare-values') return shown;
  const chunks = shown.map((output, index): JsonObject => {
    return choices.streamMetrics ? { output, metrics: { tokens: index + 1, model: 'x' } } : { output };
  });
  if (fault === 'stream-in-object') return { stream: chunks };
  if (fault === 'stream-single-object' && chunks.length === 1) return chunks[0] as Json;
  return chunks;
}
