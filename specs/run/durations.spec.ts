import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { partsOf, recordedDurations, slowestFirst } from './durations.js';
import { kindOf, SECONDS_MAX, TOO_LONG } from './kinds.js';
import { specFiles } from './parts.js';

const recorded = recordedDurations();

test('the slowest files begin first, those without a record last and in their order', () => {
  const files = ['specs/a.spec.ts', 'specs/b.spec.ts', 'specs/c.spec.ts', 'specs/d.spec.ts'];
  const known = {
    'specs/c.spec.ts': [4, 1],
    'specs/d.spec.ts': [0, 80],
    'specs/gone.spec.ts': [9, 0],
  } as const;
  const sorted = slowestFirst(files, (file) => file, known);
  expect(sorted.map((file) => file.slice(6, 7))).toEqual(['d', 'c', 'a', 'b']);
});

describe('what is recorded', () => {
  test('of files outside `long` is short', () => {
    const slow = Object.entries(recorded).filter(
      ([file, seconds]) => kindOf(file) !== 'long' && Math.max(...seconds) > SECONDS_MAX,
    );
    expect(slow, TOO_LONG).toEqual([]);
  });

  test('is of files that exist', () => {
    const gone = Object.keys(recorded).filter((file) => !existsSync(file));
    expect(gone, 'record anew: npm run test:all -- --record').toEqual([]);
  });
});

describe('the parts of the long files', () => {
  const long = specFiles().filter((file) => kindOf(file) === 'long');

  test('hold each file once, and are the same every time', () => {
    const parts = partsOf(long, 6, recorded);
    expect(parts.flat().toSorted()).toEqual(long.toSorted());
    expect(partsOf(long.toReversed(), 6, recorded)).toEqual(parts);
  });

  test('take about equally long', () => {
    const parts = partsOf(['a', 'b', 'c', 'd'], 2, { a: [9, 0], b: [1, 0], c: [6, 0], d: [5, 0] });
    expect(parts).toEqual([
      ['a', 'b'],
      ['c', 'd'],
    ]);
    // A second of waiting keeps processors from less than one of computing.
    expect(partsOf(['a', 'b', 'c'], 2, { a: [9, 0], b: [0, 9], c: [5, 0] })).toEqual([['a'], ['c', 'b']]);
  });
});
