/** Section 5: the key in the `authorization` header. */
import type { CoreRequest } from '../api.js';
import type { Machine } from '../machine.js';

/** Number of the key that the request carries, or null. */
export function keyOf(m: Machine, request: CoreRequest): number | null {
  const authorization = m.rules.authorizationOf(request);
  if (authorization === undefined) return null;
  const given = m.rules.keyIn(authorization);
  if (given === null || given === '') return null;
  let found: number | null = null;
  for (let number = 0; number < m.keys.length; number++) {
    if (m.rules.keyAccepted(m.sameKey(m.keys[number]!, given), m.keys[number]!, given)) found ??= number;
  }
  return found;
}

/** Takes as long for a key that is wrong in its first letter as for one that is wrong in its last. */
export function sameKey(key: string, given: string): boolean {
  let difference = key.length ^ given.length;
  for (let at = 0; at < key.length; at++) {
    difference |= key.charCodeAt(at) ^ (at < given.length ? given.charCodeAt(at) : 0);
  }
  return difference === 0;
}
