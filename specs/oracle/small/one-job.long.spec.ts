/** The oracle beside a reference of a page: short histories of one job; with WHOLE=1 all that have two calls. */
import { expect, it } from 'vitest';
import { WHOLE } from '../../support/whole.js';
import { sample, threeCalls, type History } from './drawn.js';
import { Tally } from './misses.js';
import type { SmallCall } from './reference.js';
import { answersOf, JOBS, LATE_MS, OPS } from './told.js';

const INSTANTS = [1_000, 2_000, 4_000, 8_000, 40_000, 2_000_000];

const histories = function* (): Generator<History> {
  const calls = (atMs: number): SmallCall[] =>
    OPS.flatMap((op) => answersOf(op, 1).map((answer) => ({ atMs, op, job: 0, answer })));
  for (const workers of [1, 0])
    for (const one of JOBS)
      for (const first of INSTANTS)
        for (const second of INSTANTS.filter((ms) => ms > first))
          for (const call of calls(first))
            for (const other of calls(second))
              yield [{ workers, lateMs: LATE_MS, jobs: [one] }, [call, other]];
};

it('accuses no legal history of two calls, and sees what is not', { timeout: 600_000 }, () => {
  const every = WHOLE ? 1 : 29;
  const tally = new Tally();
  let nth = 0;
  for (const [world, calls] of histories()) {
    nth += 1;
    if (nth % every === 0) tally.take(world, calls);
  }
  tally.check('two calls');
  expect(Math.min(tally.counts.legal, tally.counts.illegal)).toBeGreaterThan(250);
});

it('nor of three calls', { timeout: 600_000 }, () => {
  const tally = new Tally();
  for (const random of sample('three', 8_000, 4)) {
    const world = { workers: random.pick([1, 1, 1, 0]), lateMs: LATE_MS, jobs: [random.pick(JOBS)] };
    tally.take(...threeCalls(random, world, INSTANTS));
  }
  tally.check('three calls');
  expect(Math.min(tally.counts.legal, tally.counts.illegal)).toBeGreaterThan(700);
});
