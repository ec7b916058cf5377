import { expect, it } from 'vitest';
import { wrongsOf } from '../../src/mutants/wrong.js';

it('reads a row a line, or a row that goes on, below titles', () => {
  expect(wrongsOf('# A title\n\na-b | does it | 2.2/ttl-removes-queued\n  2.2/ttl-removes-running')).toEqual([
    { id: 'a-b', sentence: 'does it', breaks: ['2.2/ttl-removes-queued', '2.2/ttl-removes-running'] },
  ]);
});

it('reads a row for several words as one row for each', () => {
  expect(wrongsOf('rate-{run,stream}-half | halves /*\n  | 8/rate-*-below')).toEqual([
    { id: 'rate-run-half', sentence: 'halves /run', breaks: ['8/rate-run-below'] },
    { id: 'rate-stream-half', sentence: 'halves /stream', breaks: ['8/rate-stream-below'] },
  ]);
});

it.each([
  ['a | b', /three columns: a \| b/],
  ['a | b | 2.2/ttl-removes-queued | c', /three columns/],
  ['a | b | 2.2/no-such-thing', /no requirement 2\.2\/no-such-thing/],
  ['a | b | 2.4/id-unique\na | c | 2.4/id-unique', /one id/],
])('refuses %s', (table, why) => {
  expect(() => wrongsOf(table)).toThrow(why);
});
