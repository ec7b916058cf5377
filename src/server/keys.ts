import { createHash, timingSafeEqual } from 'node:crypto';

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

/** Whether two keys are equal, compared in constant time. */
export function sameKey(key: string, given: string): boolean {
  return timingSafeEqual(digest(key), digest(given));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
