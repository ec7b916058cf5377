/** Section 5: the key in the `authorization` header. */
import type { Operation } from '../../spec/types.js';
import type { CoreRequest } from '../api.js';
import type { Machine } from '../machine.js';

/** What a request shows: the number of its user, or why it is not let in. */
export type Shown = number | 'no-permission' | 'unauthorized';

/** `op`: null where the path names none. */
export function keyOf(m: Machine, request: CoreRequest, op: Operation | null): Shown {
  const authorization = m.rules.authorizationOf(request);
  if (authorization === undefined) return 'unauthorized';
  const given = m.rules.keyIn(authorization);
  if (given === null || given === '') return 'unauthorized';
  const own = numberOf(m, m.keys, given);
  const unpermitted = numberOf(m, m.unpermittedKeys, given);
  if (own !== null) return own;
  if (unpermitted === null) return 'unauthorized';
  return m.rules.needsPermission(op) ? 'no-permission' : m.keys.length + unpermitted;
}

/** All are looked at, so that it takes as long for each of them. */
function numberOf(m: Machine, keys: readonly string[], given: string): number | null {
  let found: number | null = null;
  for (let number = 0; number < keys.length; number++) {
    const key = keys[number]!;
    if (m.rules.keyAccepted(m.sameKey(key, given), key, given)) found ??= number;
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
