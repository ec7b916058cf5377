/**
 * A hash of texts that can be concatenated: the hash of two joined texts follows from their hashes. It is not
 * cryptographic. Each of its two halves is a polynomial modulo a prime below 2^26, so that every product is
 * exact in a double.
 */
export type TextHash = readonly [number, number];

export const NO_TEXT_HASH: TextHash = [0, 0];

const LANES = [
  { prime: 67_108_859, base: 1_000_003 },
  { prime: 67_108_837, base: 2_000_029 },
] as const;

export function hashOf(text: string): TextHash {
  let [left, right] = NO_TEXT_HASH;
  for (let at = 0; at < text.length; at += 1) {
    // One is added so that a text of zeros does not hash to zero.
    const unit = text.charCodeAt(at) + 1;
    left = (left * LANES[0].base + unit) % LANES[0].prime;
    right = (right * LANES[1].base + unit) % LANES[1].prime;
  }
  return [left, right];
}

/** `afterUnits`: the length of the second text in UTF-16 units. */
export function joinedHash(before: TextHash, after: TextHash, afterUnits: number): TextHash {
  const lane = (which: 0 | 1): number => {
    const { prime, base } = LANES[which];
    return (before[which] * power(base, afterUnits, prime) + after[which]) % prime;
  };
  return [lane(0), lane(1)];
}

function power(base: number, exponent: number, prime: number): number {
  let result = 1;
  let square = base % prime;
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = (result * square) % prime;
    square = (square * square) % prime;
  }
  return result;
}
