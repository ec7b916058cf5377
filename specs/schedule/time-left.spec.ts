/** How much longer a run takes, by what its scripts have taken so far. */
import { expect, test } from 'vitest';
import { TimeLeft } from '../../src/schedule/time-left.js';

/** Two scripts end every 10 s, and the last ten of twenty in the last second. */
const ENDS_MS = Array.from({ length: 20 }, (_, nth) =>
  nth < 10 ? 10_000 * (Math.floor(nth / 2) + 1) : 51_000,
);

/** After so many have ended, each so many times later than expected, and so much more has passed. */
function leftAfter(ended: number, times: number, sinceMs = 0, wallMs: number | null = 51_000, open = 0) {
  const run = new TimeLeft({ wallMs, endsMs: ENDS_MS });
  for (let script = 0; script < ended + open; script += 1) run.started();
  for (const ms of ENDS_MS.slice(0, ended)) run.ended(times * ms);
  return run.leftMs(times * (ENDS_MS[ended - 1] ?? 0) + sinceMs);
}

test.each([
  ['as long as was expected, before any has ended', 0, 1, 4_000, 47_000],
  ['as long as was expected, while they end on time', 4, 1, 3_000, 28_000],
  ['longer, where none has ended for longer than was expected', 4, 1, 20_000, 21_000 + (10_000 / 6) * 16],
  // Each of four scripts, and of two that count as on time, was 20 s late in all.
  ['longer by what each of the others is late', 4, 2, 0, 31_000 + (20_000 / 6) * 16],
  ['not shorter, where they were quicker', 4, 0.5, 0, 31_000],
])('%s', (_, ended, times, sinceMs, leftMs) => {
  expect(leftAfter(ended, times, sinceMs)).toBeCloseTo(leftMs, 6);
});

test.each([
  ['at the pace so far', 10, 0.1, 0, 0.1 * 1_000],
  ['not told before a pace shows', 2, 0.1, 0, null],
  ['not told where others run beside', 10, 0.1, 2, null],
])('where only proportions are known: %s', (_, ended, times, open, leftMs) => {
  const left = leftAfter(ended, times, 0, null, open);
  if (leftMs === null) expect(left).toBeNull();
  else expect(left).toBeCloseTo(leftMs, 6);
});
