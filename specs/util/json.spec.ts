import { expect, it } from 'vitest';
import { jsonIn } from '../../src/util/json.js';

it.each([
  ['{"a":[1,null]}', { a: [1, null] }],
  [' "text" ', 'text'],
  ['null', null],
  ['false', false],
])('%j is the value that it says', (text, value) => {
  expect(jsonIn(text)).toEqual(value);
});

it.each(['', ' ', '{', 'undefined', 'NaN', "{'a':1}", '{"a":1}x', null, undefined])(
  '%j is no JSON text',
  (text) => {
    expect(jsonIn(text)).toBeUndefined();
  },
);
