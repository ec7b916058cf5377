import { describe, expect, it } from 'vitest';
import { createRollingHash } from '../../src/time/hash.js';

const ofTexts = (...texts: string[]) => {
  const hash = createRollingHash();
  for (const text of texts) hash.addText(text);
  return hash.hex();
};

const ofInts = (...values: number[]) => {
  const hash = createRollingHash();
  for (const value of values) hash.addInt(value);
  return hash.hex();
};

describe('rolling hash', () => {
  it('returns the pinned values', () => {
    expect([ofTexts(), ofTexts('runproof'), ofInts(0), ofInts(1, 2, 3)]).toMatchInlineSnapshot(`
      [
        "7fdd2e3e4fe27a71",
        "b41ab9740ead9da1",
        "fdd81167b21d7245",
        "4ed52bfba21982a9",
      ]
    `);
  });

  it('distinguishes inputs that differ in order, boundaries, sign or high bits', () => {
    const hashes = [
      ofTexts('ab', 'c'),
      ofTexts('a', 'bc'),
      ofTexts('abc'),
      ofTexts('c', 'ab'),
      ofTexts('', 'abc'),
      ofInts(1, 2),
      ofInts(2, 1),
      ofInts(-1),
      ofInts(0xffff_ffff),
      ofInts(2 ** 32),
      ofInts(2 ** 33),
      ofInts(0),
      ofInts(0, 0),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it('is not changed by reading it', () => {
    const asked = createRollingHash();
    asked.addText('a');
    asked.hex();
    asked.addText('b');
    expect(asked.hex()).toBe(ofTexts('a', 'b'));
  });

  it('has no more collisions among 100,000 similar inputs than expected, in either word', () => {
    const high = new Set<number>();
    const low = new Set<number>();
    for (let value = 0; value < 100_000; value++) {
      const hash = createRollingHash();
      hash.addInt(value);
      const [highLane, lowLane] = hash.words();
      high.add(highLane);
      low.add(lowLane);
    }
    // Among 10^5 of 2^32 values chance alone gives one collision or two.
    expect(high.size).toBeGreaterThan(99_980);
    expect(low.size).toBeGreaterThan(99_980);
  });
});
