/**
 * A rolling 64-bit hash of two 32-bit words, for fingerprints and for forking seeds. It uses integer
 * arithmetic only, so that all machines agree. Not cryptographic.
 */
export interface RollingHash {
  /** Adds an integer of up to 53 bits, with its sign. */
  addInt(value: number): void;
  /** Adds a text and its length, so that `ab`, `c` and `a`, `bc` differ. */
  addText(text: string): void;
  /** The two words, unsigned. */
  words(): readonly [high: number, low: number];
  /** 16 hexadecimal digits. */
  hex(): string;
}

export function createRollingHash(high = 0x9e3779b9, low = 0x7f4a7c15): RollingHash {
  return new TwoWordHash(high, low);
}

class TwoWordHash implements RollingHash {
  private high: number;
  private low: number;

  constructor(high: number, low: number) {
    this.high = high | 0;
    this.low = low | 0;
  }

  addInt(value: number): void {
    // Division, not a shift: the value may have more than 32 bits.
    this.addWord(value | 0);
    this.addWord(Math.floor(value / 0x1_0000_0000) | 0);
  }

  addText(text: string): void {
    const even = text.length & ~1;
    for (let at = 0; at < even; at += 2) this.addWord(text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16));
    if (even < text.length) this.addWord(text.charCodeAt(even));
    this.addWord(~text.length);
  }

  words(): readonly [number, number] {
    return [finish(this.high ^ rotate(this.low, 16)), finish(this.low ^ Math.imul(this.high, 0x27d4eb2f))];
  }

  hex(): string {
    return this.words()
      .map((word) => word.toString(16).padStart(8, '0'))
      .join('');
  }

  /** One round of MurmurHash3 for each word, with different constants; each word also affects the other. */
  private addWord(word: number): void {
    const forHigh = Math.imul(rotate(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593);
    const forLow = Math.imul(rotate(Math.imul(word, 0x239b961b), 16), 0xab0e9789);
    this.high = (Math.imul(rotate(this.high ^ forHigh, 13) + this.low, 5) + 0xe6546b64) | 0;
    this.low = (Math.imul(rotate(this.low ^ forLow, 17) + this.high, 5) + 0x561ccd1b) | 0;
  }
}

function rotate(value: number, by: number): number {
  return (value << by) | (value >>> (32 - by));
}

/** The finalizer of MurmurHash3: every bit affects every other. */
function finish(word: number): number {
  let bits = word;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
