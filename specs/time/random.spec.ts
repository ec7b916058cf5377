import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/time/random.js';
import type { RandomStream } from '../../src/time/random.js';

const draw = (stream: RandomStream, count: number) =>
  Array.from({ length: count }, () => stream.nextUint32());

describe('random streams', () => {
  // Saved seeds would mean other runs if these changed. They are the program's own first output, and frozen.
  it('returns the pinned values', () => {
    expect(draw(createRandom(1), 4)).toMatchInlineSnapshot(`
      [
        2646042908,
        3055168595,
        523725069,
        65154683,
      ]
    `);
    expect(draw(createRandom(1).fork('workers'), 4)).toMatchInlineSnapshot(`
      [
        3369582803,
        641836679,
        685386245,
        101558547,
      ]
    `);
    expect(draw(createRandom(-(2 ** 53) + 1), 2)).toMatchInlineSnapshot(`
      [
        2555210277,
        3089079815,
      ]
    `);
    const stream = createRandom(7);
    expect([
      stream.intBetween(1, 6),
      stream.intBetween(-1_000, 1_000),
      stream.intBetween(0, 2 ** 53 - 2),
      stream.chance(500),
      stream.pick(['a', 'b', 'c']),
      stream.shuffle([1, 2, 3, 4, 5]).join(''),
    ]).toMatchInlineSnapshot(`
      [
        2,
        464,
        8109532198120529,
        false,
        "b",
        "43215",
      ]
    `);
  });

  it('returns other values for other seeds and labels', () => {
    const firsts = new Set<string>();
    for (let seed = -500; seed < 500; seed++) {
      firsts.add(draw(createRandom(seed), 2).join());
      firsts.add(draw(createRandom(seed).fork('a'), 2).join());
      firsts.add(draw(createRandom(seed).fork('b'), 2).join());
    }
    expect(firsts.size).toBe(3_000);
  });

  it('forks by seed and labels, independently of earlier draws', () => {
    const fresh = createRandom(3).fork('network').fork('replies');
    const used = createRandom(3);
    draw(used, 100);
    const parent = used.fork('network');
    draw(parent, 3);
    expect(draw(parent.fork('replies'), 5)).toEqual(draw(fresh, 5));
  });

  it('stays within the bounds and reaches both', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.integer(), fc.nat(3), (seed, lo, width) => {
        const stream = createRandom(seed);
        const drawn = new Set(Array.from({ length: 200 }, () => stream.intBetween(lo, lo + width)));
        expect([...drawn].sort((a, b) => a - b)).toEqual(
          Array.from({ length: width + 1 }, (_, index) => lo + index),
        );
      }),
      { numRuns: 50 },
    );
  });

  it('is uniform when the span does not divide 2^32', () => {
    // With a plain remainder the lowest third of this span would come twice as often as each of the others.
    const span = 3 * 2 ** 30;
    const stream = createRandom(11);
    const rounds = 20_000;
    let low = 0;
    for (let round = 0; round < rounds; round++) if (stream.intBetween(0, span - 1) < 2 ** 30) low += 1;
    expect(low / rounds).toBeGreaterThan(0.31);
    expect(low / rounds).toBeLessThan(0.36);
  });

  it('uses probabilities in thousandths', () => {
    const stream = createRandom(5);
    const hits = Array.from({ length: 10_000 }, () => stream.chance(100)).filter(Boolean).length;
    expect(hits).toBeGreaterThan(850);
    expect(hits).toBeLessThan(1_150);
    expect(stream.chance(0)).toBe(false);
    expect(stream.chance(1_000)).toBe(true);
  });

  it('shuffles a copy, without losing items', () => {
    const items = Object.freeze([1, 2, 3, 4, 5, 6, 7, 8]);
    const shuffled = createRandom(1).shuffle(items);
    expect(shuffled).not.toEqual(items);
    expect(shuffled.toSorted((a, b) => a - b)).toEqual(items);
  });

  it.each([
    ['an empty span', () => createRandom(1).intBetween(2, 1)],
    ['half numbers', () => createRandom(1).intBetween(0.5, 3)],
    ['a choice of nothing', () => createRandom(1).pick([])],
    ['half a seed', () => createRandom(0.5)],
  ])('refuses %s', (_, act) => {
    expect(act).toThrow(RangeError);
  });
});
