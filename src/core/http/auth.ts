/** Section 5: the key in the `authorization` header. */
import type { Operation } from '../../spec/types.js';
import type { CoreRequest } from '../api.js';
import type { ServiceState } from '../state.js';

/** The number of the user whose key a request has, or why it is refused. */
export type KeyCheck = number | 'no-permission' | 'unauthorized';

/** Checks the key of a request. @param op null when the path names no operation */
export function checkKey(state: ServiceState, request: CoreRequest, op: Operation | null): KeyCheck {
  const authorization = state.rules.authorizationOf(request);
  if (authorization === undefined) return 'unauthorized';
  const given = state.rules.keyIn(authorization);
  if (given === null || given === '') return 'unauthorized';
  const own = numberOf(state, state.keys, given);
  const unpermitted = numberOf(state, state.unpermittedKeys, given);
  if (own !== null) return own;
  if (unpermitted === null) return 'unauthorized';
  return state.rules.needsPermission(op) ? 'no-permission' : state.keys.length + unpermitted;
}

/** Compares with all keys, so that the time does not depend on which one matches. */
function numberOf(state: ServiceState, keys: readonly string[], given: string): number | null {
  let found: number | null = null;
  for (let number = 0; number < keys.length; number++) {
    const key = keys[number]!;
    if (state.rules.keyAccepted(state.keysEqual(key, given), key, given)) found ??= number;
  }
  return found;
}

/** Compares in constant time: the time does not depend on the position of the first difference. */
export function keysEqual(key: string, given: string): boolean {
  let difference = key.length ^ given.length;
  for (let at = 0; at < key.length; at++) {
    difference |= key.charCodeAt(at) ^ (at < given.length ? given.charCodeAt(at) : 0);
  }
  return difference === 0;
}
