/** 4.4/chunk-size, 4.4/large-output-rejoins: pieces fit, and are the original when joined. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitOutput, splitText } from '../../src/core/chunks.js';
import { rulesFor } from '../../src/core/rules.js';
import type { Rules } from '../../src/core/rules.js';
import type { ChunkMeasure } from '../../src/core/rules/streams.js';

const LIMIT = 40;

function small(measure: ChunkMeasure): Rules {
  return { ...rulesFor({}, 'document'), chunkBytesMax: () => LIMIT, chunkMeasure: () => measure };
}

const bytes = (text: string): number => Buffer.byteLength(text);

test.each(['output-text', 'output-json', 'whole-chunk'] as const)('text measured by %s', (measure) => {
  const rules = small(measure);
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      const pieces = splitOutput(rules, text) as string[];
      expect(pieces.join('')).toBe(text);
      for (const piece of pieces) {
        const measured =
          measure === 'output-text'
            ? piece
            : JSON.stringify(measure === 'output-json' ? piece : { output: piece });
        expect(bytes(measured)).toBeLessThanOrEqual(LIMIT);
      }
    }),
  );
});

test('an output within the limit is not split, whatever its type', () => {
  const rules = small('output-text');
  for (const output of ['x'.repeat(LIMIT), { a: [1, null] }, 7, null, ''])
    expect(splitOutput(rules, output)).toEqual([output]);
});

test('an output that is not a string is split as JSON text', () => {
  const output = { list: Array.from({ length: 40 }, (_, i) => i) };
  const pieces = splitOutput(small('output-text'), output) as string[];
  expect(pieces.length).toBeGreaterThan(1);
  expect(JSON.parse(pieces.join(''))).toEqual(output);
});

test('no character is split', () => {
  expect(splitText('a😀b', 4)).toEqual(['a', '😀', 'b']);
});
