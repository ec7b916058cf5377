import { createRollingHash } from './hash.js';

/**
 * A stream of random integers, reproducible from its seed and its labels; a spec pins the values. The
 * generator is sfc32, in integer arithmetic, so that all machines agree.
 */
export interface RandomStream {
  /** A child stream. It depends on the seed and the labels, never on what was drawn before. */
  fork(label: string): RandomStream;
  /** 0 to 2^32 − 1. */
  nextUint32(): number;
  /**
   * A uniformly distributed integer from `lo` to `hi`, both included.
   * @throws {RangeError} when `lo` or the number of values is not a safe integer, or `hi` is below `lo`
   */
  intBetween(lo: number, hi: number): number;
  /** True with a probability in thousandths, from 0 to 1000. */
  chance(perMille: number): boolean;
  /** One of the items. @throws {RangeError} when there are none */
  pick<T>(items: readonly T[]): T;
  /** A copy of the items in random order. */
  shuffle<T>(items: readonly T[]): T[];
}

/** @param seed any safe integer @throws {RangeError} for other numbers */
export function createRandom(seed: number): RandomStream {
  if (!Number.isSafeInteger(seed)) throw new RangeError(`a seed is a safe integer, not ${seed}`);
  const hash = createRollingHash();
  hash.addInt(seed);
  return new Sfc32(...hash.words());
}

/** The bits of a seed that fast-check uses: 31. */
export const FAST_CHECK_SEED_MASK = 0x7fff_ffff;

const UINT32_SPAN = 0x1_0000_0000;
/** Rounds until every bit of the seed has affected the whole state. */
const WARM_UP_ROUNDS = 15;

class Sfc32 implements RandomStream {
  private readonly keyHigh: number;
  private readonly keyLow: number;
  private a: number;
  private b: number;
  private c = 0;
  private counter = 1;

  constructor(keyHigh: number, keyLow: number) {
    this.keyHigh = keyHigh;
    this.keyLow = keyLow;
    this.a = keyHigh | 0;
    this.b = keyLow | 0;
    for (let round = 0; round < WARM_UP_ROUNDS; round++) this.nextUint32();
  }

  fork(label: string): RandomStream {
    const hash = createRollingHash(this.keyHigh, this.keyLow);
    hash.addText(label);
    return new Sfc32(...hash.words());
  }

  nextUint32(): number {
    const drawn = (this.a + this.b + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + drawn) | 0;
    return drawn >>> 0;
  }

  intBetween(lo: number, hi: number): number {
    const span = hi - lo + 1;
    if (!Number.isSafeInteger(lo) || !Number.isSafeInteger(span) || span < 1) {
      throw new RangeError(`no integer can be drawn between ${lo} and ${hi}`);
    }
    return lo + (span <= UINT32_SPAN ? this.below32(span) : this.below53(span));
  }

  chance(perMille: number): boolean {
    return this.below32(1000) < perMille;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.intBetween(0, items.length - 1)]!;
  }

  shuffle<T>(items: readonly T[]): T[] {
    const shuffled = [...items];
    for (let last = shuffled.length - 1; last > 0; last--) {
      const other = this.intBetween(0, last);
      [shuffled[last], shuffled[other]] = [shuffled[other]!, shuffled[last]!];
    }
    return shuffled;
  }

  /** Rejection sampling: without it, the remainder would favour low values. */
  private below32(span: number): number {
    const limit = UINT32_SPAN - (UINT32_SPAN % span);
    let drawn = this.nextUint32();
    while (drawn >= limit) drawn = this.nextUint32();
    return drawn % span;
  }

  private below53(span: number): number {
    const limit = 2 ** 53 - (2 ** 53 % span);
    let drawn = this.next53();
    while (drawn >= limit) drawn = this.next53();
    return drawn % span;
  }

  private next53(): number {
    return (this.nextUint32() >>> 11) * UINT32_SPAN + this.nextUint32();
  }
}
