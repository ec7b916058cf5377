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

const DIGITS = [...'0123456789abcdef'].map((digit) => digit.charCodeAt(0));
/** The characters of the next id. A text made of all at once takes a third of the time of one made of parts. */
const characters: number[] = [...'--------------4---------------------'].map((each) => each.charCodeAt(0));

function writeHex(at: number, value: number, digits: number): void {
  for (let index = at + digits - 1, rest = value; index >= at; index -= 1, rest >>>= 4)
    characters[index] = DIGITS[rest & 15]!;
}

/**
 * The n-th id. Ids of different n below 2^32 differ: the first eight digits are a bijection of n.
 */
export function uuidLike(n: number, salt = 0): string {
  const a = mix(n);
  const b = mix(n ^ 0x9e3779b9 ^ salt);
  const c = mix(Math.imul(n + 1, 0x27d4eb2d) ^ salt);
  const d = mix(n + 0x165667b1 + salt);
  writeHex(0, a, 8);
  writeHex(9, b >>> 16, 4);
  writeHex(15, b, 3);
  writeHex(19, ((c >>> 16) & 0x3fff) | 0x8000, 4);
  writeHex(24, c, 4);
  writeHex(28, d, 8);
  return String.fromCharCode(...characters);
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
