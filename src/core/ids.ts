/** Job ids without randomness: a counter, hashed into the form of a UUID of version 4. */

/** The finalizer of MurmurHash3: every bit of the input affects every bit of the output. */
function mix(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Eight digits of a number of 32 bits. Faster than `toString(16)`, of which each job would need four. */
const hex = (value: number): string =>
  `${BYTES[value >>> 24]}${BYTES[(value >>> 16) & 255]}${BYTES[(value >>> 8) & 255]}${BYTES[value & 255]}`;

/**
 * The n-th id. Ids of different n below 2^32 differ: the first eight digits are a bijection of n.
 */
export function uuidLike(n: number, salt = 0): string {
  const a = hex(mix(n));
  const b = hex(mix(n ^ 0x9e3779b9 ^ salt));
  const c = hex(mix(Math.imul(n + 1, 0x27d4eb2d) ^ salt));
  const d = hex(mix(n + 0x165667b1 + salt));
  const variant = '89ab'[parseInt(c[0]!, 16) & 3]!;
  return `${a}-${b.slice(0, 4)}-4${b.slice(5, 8)}-${variant}${c.slice(1, 4)}-${c.slice(4, 8)}${d}`;
}
