/** Job ids without randomness: a counter, hashed into the form of a UUID of version 4. */

/** The finalizer of MurmurHash3: every bit of the input affects every bit of the output. */
function mix(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const FOUR_DIGITS: string[] = [];

/** Four digits of a number of 16 bits, made once: each job needs eight, and `toString(16)` is slow. */
const hex = (value: number): string => (FOUR_DIGITS[value] ??= value.toString(16).padStart(4, '0'));

/**
 * The n-th id. Ids of different n below 2^32 differ: the first eight digits are a bijection of n.
 */
export function uuidLike(n: number, salt = 0): string {
  const a = mix(n);
  const b = mix(n ^ 0x9e3779b9 ^ salt);
  const c = mix(Math.imul(n + 1, 0x27d4eb2d) ^ salt);
  const d = mix(n + 0x165667b1 + salt);
  const version = hex((b & 0x0fff) | 0x4000);
  const variant = hex(((c >>> 16) & 0x3fff) | 0x8000);
  const end = `${hex(c & 0xffff)}${hex(d >>> 16)}${hex(d & 0xffff)}`;
  return `${hex(a >>> 16)}${hex(a & 0xffff)}-${hex(b >>> 16)}-${version}-${variant}-${end}`;
}
