/** Reads stream answers. */
import type { Json } from '../../history/events.js';
import { isObject } from './reading.js';

/** The chunks of a /stream answer: the bare array of the document, or the envelope that deployed services use. */
export function chunksOf(value: Json | undefined): readonly Json[] | null {
  if (Array.isArray(value)) return value as readonly Json[];
  if (isObject(value) && Array.isArray(value['stream'])) return value['stream'] as readonly Json[];
  return null;
}
