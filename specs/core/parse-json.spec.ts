import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from '../../src/core/http/parse-json.js';

test('parses JSON without duplicate keys as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom(undefined, 1, '\t'), (text, space) => {
      const spaced = JSON.stringify(JSON.parse(text), null, space);
      for (const duplicates of ['last-wins', 'first-wins', 'refused'] as const)
        expect(parseJson(spaced, duplicates)).toEqual(JSON.parse(spaced));
    }),
  );
});

test('parses strings of several megabytes', () => {
  const text = JSON.stringify({ a: '"x'.repeat(5_000_000) });
  expect(parseJson(text, 'refused')).toEqual(JSON.parse(text));
});

test.each([
  ['{"a":1,"a":2}', { a: 1 }, { a: 2 }],
  [
    ' { "a" : [ { "b" : "}" , "b" : "," } ] , "c" : null } ',
    { a: [{ b: '}' }], c: null },
    { a: [{ b: ',' }], c: null },
  ],
  ['{"\\u0061":1,"a":[2]}', { a: 1 }, { a: [2] }],
])('%s names a key twice', (text, first, last) => {
  expect(parseJson(text, 'first-wins')).toEqual(first);
  expect(parseJson(text, 'last-wins')).toEqual(last);
  expect(() => parseJson(text, 'refused')).toThrow(SyntaxError);
});

test.each(['', '{', '{"a":1,}', '[1 2]', "{'a':1}"])('%j is no JSON', (text) => {
  for (const duplicates of ['last-wins', 'first-wins', 'refused'] as const)
    expect(() => parseJson(text, duplicates)).toThrow(SyntaxError);
});
