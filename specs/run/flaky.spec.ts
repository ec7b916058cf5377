import { expect, test } from 'vitest';
import { timesFlaky, withRun, type FlakyRuns } from './flaky.js';

test('what passed only alone is counted over the last thirty runs', () => {
  let runs: FlakyRuns = withRun([], ['a']);
  expect([...timesFlaky(runs)]).toEqual([['a', 1]]);
  runs = withRun(runs, []);
  expect([...timesFlaky(runs)]).toEqual([]);
  runs = withRun(runs, ['a', 'b']);
  expect([...timesFlaky(runs)]).toEqual([
    ['a', 2],
    ['b', 1],
  ]);
  for (let run = 0; run < 28; run += 1) runs = withRun(runs, []);
  runs = withRun(runs, ['a']);
  expect(runs).toHaveLength(30);
  expect([...timesFlaky(runs)]).toEqual([['a', 2]]);
});
