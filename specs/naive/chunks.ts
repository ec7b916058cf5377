/** Stream chunks (sections 2.5 and 4.4): splitting what a handler produces, and showing what has not been read. */
import type { Choices } from './choices.js';
import type { Hooks } from './hooks.js';
import type { Json, JsonObject } from './json.js';

/** `{"output":""}` and, where there are any, the metrics. */
const FRAME_BYTES = 13;
const METRICS_BYTES = 60;

/** What a chunk may hold at the most (section 4.4): a smaller limit of the service's own is one of texts. */
const MEGABYTE = 1_000_000;

/** The outputs of the chunks that one incremental result becomes. */
export function chunksOf(result: Json, choices: Choices, hooks: Hooks): Json[] {
  const right = choices.chunkBytesMax - FRAME_BYTES - (choices.streamMetrics ? METRICS_BYTES : 0);
  const bytesMax = hooks.chunkBytesMax(right);
  const whole = JSON.stringify(result);
  if (whole.length <= bytesMax && Buffer.byteLength(whole) <= bytesMax) return [result];
  const isSmall =
    bytesMax < MEGABYTE / 2 && Buffer.byteLength(whole) <= MEGABYTE - FRAME_BYTES - METRICS_BYTES;
  if (isSmall && typeof result !== 'string') return [result];
  const text = typeof result === 'string' ? result : whole;
  return hooks.split(split(text, bytesMax), result, bytesMax);
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
export function shownChunks(outputs: Json[], choices: Choices, hooks: Hooks): Json {
  const shown = hooks.shownOutputs([...outputs]);
  const chunks = shown.map((output, index): JsonObject => {
    return choices.streamMetrics ? { output, metrics: { tokens: index + 1, model: 'x' } } : { output };
  });
  return hooks.shownChunks(chunks, shown);
}
