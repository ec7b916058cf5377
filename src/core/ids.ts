/** Job ids without randomness: a counter, hashed into the form of a UUID of version 4. */

/** The finalizer of MurmurHash3: every bit of the input affects every bit of the output. */
function mix(value: number): number {
  let hash = value | 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The value that `mix` made this hash of. */
function unmix(hash: number): number {
  let value = hash ^ (hash >>> 16);
  value = Math.imul(value, 0x7ed1b41d);
  value ^= (value >>> 13) ^ (value >>> 26);
  value = Math.imul(value, 0xa5cb9243);
  return (value ^ (value >>> 16)) >>> 0;
}

const codesOf = (text: string): number[] => Array.from(text, (character) => character.charCodeAt(0));

const DIGITS = codesOf('0123456789abcdef');
const UUID = codesOf('00000000-0000-0000-0000-000000000000');
/** Where its digits stand. */
const PLACES = [...UUID.keys()].filter((at) => UUID[at] === DIGITS[0]);

/** The n-th id. Ids of different n below 2^32 differ: the first eight digits are a bijection of n. */
export function uuidLike(n: number, salt = 0): string {
  const words = [
    mix(n),
    (mix(n ^ 0x9e3779b9 ^ salt) & 0xffff0fff) | 0x4000,
    (mix(Math.imul(n + 1, 0x27d4eb2d) ^ salt) & 0x3fffffff) | 0x80000000,
    mix(n + 0x165667b1 + salt),
  ];
  const codes = UUID.slice();
  for (let digit = 0; digit < PLACES.length; digit++)
    codes[PLACES[digit]!] = DIGITS[(words[digit >> 3]! >>> (28 - 4 * (digit & 7))) & 15]!;
  return String.fromCharCode(...codes);
}

/**
 * The n of an id that `uuidLike` made, below 2^32. Other texts have a number too, of their first eight characters; 0
 * for a text that is shorter.
 */
export function numberOfUuidLike(id: string): number {
  if (id.length < 8) return 0;
  let hash = 0;
  for (let index = 0; index < 8; index++) {
    const code = id.charCodeAt(index);
    hash = (hash << 4) | ((code & 15) + (code > 57 ? 9 : 0));
  }
  return unmix(hash);
}
