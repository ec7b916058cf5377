/** The oracle beside a reference of a page: two jobs on one worker, and random lives of several whose calls overlap. */
import { expect, it } from 'vitest';
import { changed, drawnLife, sample, threeCalls } from './drawn.js';
import { Tally } from './misses.js';
import { isLegal } from './reference.js';
import { JOBS, LATE_MS } from './told.js';

const INSTANTS = [3_300, 5_200, 6_900, 8_700, 13_700, 45_300, 2_000_300];

it('accuses no legal history of two jobs on one worker', { timeout: 600_000 }, () => {
  const tally = new Tally();
  for (const random of sample('two', 6_000, 5)) {
    const jobs = [random.pick(JOBS), { ...random.pick(JOBS), atMs: random.pick([0, 500, 2_500]) }];
    tally.take(...threeCalls(random, { workers: 1, lateMs: LATE_MS, jobs }, INSTANTS));
  }
  tally.check('two jobs');
  expect(Math.min(tally.counts.legal, tally.counts.illegal)).toBeGreaterThan(400);
});

it(
  'nor of random lives whose calls overlap, and sees when an answer is another',
  { timeout: 600_000 },
  () => {
    const tally = new Tally();
    for (const random of sample('lives', 3_000, 6)) {
      const life = drawnLife(random);
      expect(tally.take(...life)).toBe(true);
      const calls = changed(random, life);
      if (!isLegal(life[0], calls)) tally.take(life[0], calls);
    }
    tally.check('lives');
    expect(tally.counts.illegal).toBeGreaterThan(200);
  },
);
