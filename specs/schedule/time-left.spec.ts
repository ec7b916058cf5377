/** How much longer a run takes, by what its scripts have taken so far. */
import { expect, test } from 'vitest';
import { TimeLeft } from '../../src/schedule/time-left.js';

/** Ten scripts of 10 s, two at a time. */
const estimate = { wallMs: 50_000, scriptsMs: Array.from({ length: 10 }, () => 10_000) };

/** After so many pairs, each of which took so long, when the next has run for so long. */
function leftAfter(pairs: number, eachMs: number, sinceMs = 0): number {
  const run = new TimeLeft(estimate);
  for (let pair = 0; pair <= pairs; pair += 1)
    for (const script of [2 * pair, 2 * pair + 1]) {
      run.started(script, pair * eachMs);
      if (pair < pairs) run.ended(script);
    }
  const nowMs = pairs * eachMs + sinceMs;
  return run.leftMs(nowMs, nowMs);
}

test.each([
  ['as was estimated', 2, 10_000, 0, 30_000],
  ['as was estimated, where scripts have been quicker', 2, 5_000, 0, 40_000],
  ['longer, at the pace so far', 2, 30_000, 0, 90_000],
  ['as was estimated, where too few have ended to tell a pace', 0, 0, 20_000, 30_000],
  // By number 96 s; by time 69 s, as 48 of 100 s have been played.
  ['longer, where those that run take longer than expected', 2, 30_000, 4_000, 82_667],
])('%s', (_, pairs, eachMs, sinceMs, leftMs) => {
  expect(Math.round(leftAfter(pairs, eachMs, sinceMs))).toBe(leftMs);
});
