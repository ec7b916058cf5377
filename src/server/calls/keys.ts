import { hash, timingSafeEqual } from 'node:crypto';
import { getOrMake } from '../../util/maps.js';

/** Whether an `authorization` header carries one of the keys, bare or after `Bearer `. */
export type KeyCheck = (authorization: string | undefined) => boolean;

export function createKeyCheck(keys: readonly string[]): KeyCheck {
  // Digests have equal length, so a comparison takes the same time whatever was sent.
  const digests = keys.map(digest);
  return (authorization) => {
    if (authorization === undefined) return false;
    const given = digest(authorization.replace(/^bearer /i, '').trim());
    return digests.some((wanted) => timingSafeEqual(wanted, given));
  };
}

/** As `sameKey`, for many comparisons with the same few keys. */
export function createKeyComparison(): (key: string, given: string) => boolean {
  const own = new Map<string, Buffer>();
  // A client sends the same key again and again. Looked up by a hash of the whole text, so the time says nothing of its
  // parts.
  const recent = new Map<string, Buffer>();
  const digestOf = (given: string): Buffer => {
    if (given.length > RECENT_LENGTH_MAX) return digest(given);
    if (recent.size > RECENT_MAX) recent.clear();
    return getOrMake(recent, given, () => digest(given));
  };
  return (key, given) =>
    timingSafeEqual(
      getOrMake(own, key, () => digest(key)),
      digestOf(given),
    );
}

/** How many given keys are remembered, and how long they may be, so that a hostile client takes little memory. */
const RECENT_MAX = 64;
const RECENT_LENGTH_MAX = 256;

/** Whether two keys are equal, compared in constant time. */
export const sameKey = (key: string, given: string): boolean => timingSafeEqual(digest(key), digest(given));

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
