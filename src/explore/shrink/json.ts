/** The same JSON with less in it. */
import type { Json } from '../../history/events.js';

/** Up to so many parts each is left out alone; of more, one half and then the other. */
const ONE_BY_ONE_MAX = 8;

/** Fewer members or items, never none; nothing of a value that has no parts. `keeps`: names that stay. */
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
  // So that what needs just so many is told with just so many.
  const last = parts.length <= ONE_BY_ONE_MAX ? parts.length : 1;
  for (let index = 0; index < last; index += 1) yield parts.filter((_, i) => i !== index);
}
