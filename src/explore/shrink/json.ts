/** Reduces JSON values. */
import type { Json } from '../../history/events.js';

/** Up to this number of parts, each is omitted alone; with more parts, one half and then the other. */
const ONE_BY_ONE_MAX = 8;

/**
 * Variants with fewer members or items, never none; no variants of a value without parts. `keeps`: names that
 * stay.
 */
export function* fewerParts(value: Json, keeps: readonly string[] = []): IterableIterator<Json> {
  if (value === null || typeof value !== 'object') return;
  if (Array.isArray(value)) return yield* fewer(value as readonly Json[]);
  const entries = Object.entries(value);
  const kept = entries.filter(([name]) => keeps.includes(name));
  const others = entries.filter(([name]) => !keeps.includes(name));
  for (const rest of fewer(others)) yield Object.fromEntries([...rest, ...kept]);
}

function* fewer<T>(parts: readonly T[]): IterableIterator<readonly T[]> {
  if (parts.length < 2) return;
  if (parts.length > ONE_BY_ONE_MAX) {
    const half = parts.length >> 1;
    yield parts.slice(0, half);
    yield parts.slice(half);
  }
  // Beyond the limit, one item less is tried as well, so that an exact number of parts can be found.
  const last = parts.length <= ONE_BY_ONE_MAX ? parts.length : 1;
  for (let index = 0; index < last; index += 1) yield parts.filter((_, i) => i !== index);
}
