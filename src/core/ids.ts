/** Job ids without randomness: a counter, hashed into the form of a UUID of version 4. */

/** The finalizer of MurmurHash3: every bit of the input affects every bit of the output. */
function mix(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const codesOf = (text: string): number[] => Array.from(text, (character) => character.charCodeAt(0));

const DIGITS = codesOf('0123456789abcdef');
const UUID = codesOf('00000000-0000-0000-0000-000000000000');
/** Where its digits stand. */
const PLACES = [...UUID.keys()].filter((at) => UUID[at] === DIGITS[0]);

/** Writes eight digits over those of the last id: an array for each id was a fifth of what a job allocates. */
function write(word: number, first: number): void {
  for (let digit = 0; digit < 8; digit++)
    UUID[PLACES[first + digit]!] = DIGITS[(word >>> (28 - 4 * digit)) & 15]!;
}

/** The n-th id. Ids of different n below 2^32 differ: the first eight digits are a bijection of n. */
export function uuidLike(n: number): string {
  write(mix(n), 0);
  write((mix(n ^ 0x9e3779b9) & 0xffff0fff) | 0x4000, 8);
  write((mix(Math.imul(n + 1, 0x27d4eb2d)) & 0x3fffffff) | 0x80000000, 16);
  write(mix(n + 0x165667b1), 24);
  return String.fromCharCode(...UUID);
}
