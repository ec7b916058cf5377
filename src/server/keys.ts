import { hash, timingSafeEqual } from 'node:crypto';
import { getOrMake } from '../util/maps.js';

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
  // Of the server's own keys only, which are few; a given one is hashed each time.
  const digests = new Map<string, Buffer>();
  return (key, given) =>
    timingSafeEqual(
      getOrMake(digests, key, () => digest(key)),
      digest(given),
    );
}

/** Whether two keys are equal, compared in constant time. */
export const sameKey = (key: string, given: string): boolean => timingSafeEqual(digest(key), digest(given));

function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
