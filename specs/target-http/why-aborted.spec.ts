import { expect, it } from 'vitest';
import { whyAborted } from '../../src/target/session/why-aborted.js';

it.each([
  ['time', 'the time of the run was over'],
  ['budget', 'the budget of the run ran out'],
  ['stopped-early', 'the run stopped early'],
  ['interrupted', 'interrupted'],
  [undefined, 'interrupted'],
])('a script that is given up tells that %s ended the run', (reason, words) => {
  const stop = new AbortController();
  stop.abort(reason);
  expect(whyAborted(stop.signal)).toBe(words);
});
