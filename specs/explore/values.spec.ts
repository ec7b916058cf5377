import fc from 'fast-check';
import { expect, test } from 'vitest';
import { randomSourceOf } from '../../src/explore/random-source.js';
import { fewerParts } from '../../src/explore/shrink/json.js';
import { drawValue } from '../../src/explore/values.js';
import type { Json } from '../../src/history/events.js';
import { createRandom } from '../../src/time/random.js';

const stream = createRandom(1);
const random = randomSourceOf((lo, hi) => stream.intBetween(lo, hi));
const drawn = Array.from({ length: 3_000 }, () => drawValue(random));
const depthOf = (value: Json): number =>
  value === null || typeof value !== 'object' ? 0 : 1 + Math.max(0, ...Object.values(value).map(depthOf));

test('the values drawn are JSON, and never null alone', () => {
  expect(drawn.map((value) => JSON.parse(JSON.stringify(value)) as Json)).toEqual(drawn);
  expect(drawn).not.toContain(null);
});

test.each<[string, (value: Json) => boolean]>([
  ['taken for nothing', (value) => !value],
  ['empty', (value) => JSON.stringify(value) === '{}'],
  ['beyond 32 bits', (value) => typeof value === 'number' && value > 2 ** 32],
  ['deep', (value) => depthOf(value) > 10],
  ['of many members', (value) => Object.keys(value as object).length > 100],
  ['with nulls inside', (value) => JSON.stringify(value).includes(':null')],
])('some of them are %s', (_, is) => {
  expect(drawn.some(is)).toBe(true);
});

test('a value shrinks to fewer parts, what is to stay stays', () => {
  expect([...fewerParts({ a: 1, b: 2, plan: [] }, ['plan'])]).toEqual([
    { b: 2, plan: [] },
    { a: 1, plan: [] },
  ]);
  expect([...fewerParts(['x'])]).toEqual([]);
  expect([...fewerParts('text')]).toEqual([]);
});

test('shrinking parts ends, and reaches the fewest that will do', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 300 }), (many, enough) => {
      const items = (value: Json): number => (value as readonly Json[]).length;
      let value: Json = Array.from({ length: Math.max(many, enough) }, (_, n) => n);
      for (;;) {
        const simpler: Json | undefined = [...fewerParts(value)].find((fewer) => items(fewer) >= enough);
        if (simpler === undefined) break;
        value = simpler;
      }
      expect(items(value)).toBe(enough);
    }),
    { numRuns: 50 },
  );
});
