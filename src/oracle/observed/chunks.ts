/** Reads stream answers. */
import type { CallEvent, Json } from '../../history/events.js';
import { answerOf, isObject, jsonOf } from './reading.js';

/** The chunks of a /stream answer: the bare array of the document, or the envelope that deployed services use. */
export function chunksOf(value: Json | undefined): readonly Json[] | null {
  if (Array.isArray(value)) return value as readonly Json[];
  if (isObject(value) && Array.isArray(value['stream'])) return value['stream'] as readonly Json[];
  return null;
}

/** What the chunks of a successful /stream answer hold, null where one holds none; null where there are no chunks. */
export function outputsIn(call: CallEvent): readonly Json[] | null {
  const chunks = answerOf(call) === 'ok' ? chunksOf(jsonOf(call.reply!.body)) : null;
  return chunks?.map((chunk) => (isObject(chunk) ? chunk['output'] : undefined) ?? null) ?? null;
}
