/** The filter of `serve --log` and of the proxy's page. */
import { expect, it } from 'vitest';
import { callFilter } from '../../src/util/call-filter.js';

const CALLS = {
  submitted: { status: 200, text: '14:03:22.123 POST /v2/test/run 200 3 ms job 2544a921' },
  waited: { status: 429, text: '14:03:22.503 POST /v2/test/runsync?wait=5000 429 1 ms' },
  looked: { status: 503, text: '14:03:23.001 GET  /v2/test/status/2544a921 503 0 ms job 2544a921 fault 503' },
  closed: { status: 0, text: '14:03:24.001 GET  /v2/test/health closed 9 ms' },
  crashed: { status: null, text: '14:03:25.001 fault worker crash, job 77aa, by worker:#1=crash' },
};

it.each([
  ['run', ['submitted', 'waited']],
  ['/run', ['submitted']],
  ['/runsync', ['waited']],
  ['/status', ['looked']],
  ['/v2/test/', ['submitted', 'waited', 'looked', 'closed']],
  ['503', ['looked']],
  ['5xx', ['looked']],
  ['4XX', ['waited']],
  ['2xx', ['submitted']],
  ['closed', ['closed']],
  ['2544', ['submitted', 'looked']],
  ['POST', ['submitted', 'waited']],
  ['  2544   5xx ', ['looked']],
  ['post -2xx', ['waited']],
  ['-/health -fault', ['submitted', 'waited']],
  ['fault', ['looked', 'crashed']],
  ['/status 429', []],
])('"%s" shows %j', (words, shown) => {
  const isShown = callFilter(words);
  expect(Object.entries(CALLS).flatMap(([name, call]) => (isShown(call) ? [name] : []))).toEqual(shown);
});

it.each([
  ['', "requires words, such as '5xx -/health'"],
  [' ', "requires words, such as '5xx -/health'"],
  ['run -', 'has a - without a word: write -word, such as -/health'],
  ['9xx', 'has 9xx, which is not a status code: write 1xx to 5xx, or one such as 429'],
  ['-600', 'has 600, which is not a status code: write 1xx to 5xx, or one such as 429'],
])('refuses "%s"', (words, why) => {
  expect(() => callFilter(words)).toThrow(new RangeError(why));
});
