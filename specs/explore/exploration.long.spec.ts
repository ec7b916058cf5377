import { describe, expect, it } from 'vitest';
import { RUNS_PER_BATCH } from '../../src/explore/batch-sizes.js';
import {
  batchesFor,
  batchOf,
  Exploration,
  firstRunOf,
  runBatch,
  shrinkViolation,
} from '../../src/explore/index.js';
import { mergedTally, tallyOf, type Tally } from '../../src/explore/tally.js';
import { explored, simulatorTestBed, unjudged } from './test-bed.js';

/** Seeds fixed, so that a red run means a change of ours. `npx runproof explore` takes new ones. */
const SEEDS = [1, 2, 3];

describe('an exploration', () => {
  it.each(SEEDS)('tries every legal pair of state and operation within 2,000 runs, seed %i', (seed) => {
    const done = (exploration: Exploration): boolean => exploration.summary().pairs.missing.length === 0;
    const { pairs } = explored(unjudged(), { seed, runs: 2_000 }, done).summary();
    expect(pairs.missing).toEqual([]);
  });

  it('reaches every goal', () => {
    const done = (exploration: Exploration): boolean => exploration.summary().goals.missing.length === 0;
    expect(explored(unjudged(), { seed: 1, runs: 2_000 }, done).summary().goals.missing).toEqual([]);
  });

  it('finds no violation on the correct endpoint', { timeout: 60_000 }, () => {
    const { violations, decided, runs } = explored(simulatorTestBed(), { seed: 3, runs: 320 }).summary();
    expect(violations.map(({ requirement, run, actual }) => ({ requirement, run, actual }))).toEqual([]);
    expect(runs).toBe(320);
    expect(decided.length).toBeGreaterThan(300);
  });

  it('finds a fault that only a sequence reveals, and shrinks it to few steps', { timeout: 60_000 }, () => {
    const testBed = simulatorTestBed('ttl-keeps-worker');
    const broken = (exploration: Exploration): boolean => exploration.summary().violations.length > 0;
    const lengths = [1, 2, 3].map((seed) => {
      const found = explored(testBed, { seed, runs: 2_000 }, broken).summary().violations[0]!;
      const shrunk = shrinkViolation(found, testBed);
      expect(shrunk.violations[0]!.requirement).toBe(found.requirement);
      return shrunk.script.steps.length;
    });
    expect(lengths.sort((a, b) => a - b)[1]).toBeLessThanOrEqual(6);
  });

  it('does not depend on the order in which batches come back', () => {
    const options = { seed: 9, runs: 7 * RUNS_PER_BATCH };
    const backwards = new Exploration(options);
    for (let round = backwards.nextRound(); round.length > 0; round = backwards.nextRound()) {
      for (const task of [...round].reverse()) backwards.take(runBatch(task, unjudged()));
    }
    expect(backwards.summary()).toEqual(explored(unjudged(), options).summary());
  });

  it('does not depend on which batches were merged first', () => {
    const results = new Exploration({ seed: 9, runs: 3 * RUNS_PER_BATCH });
    const tallies: Tally[] = [];
    for (let round = results.nextRound(); round.length > 0; round = results.nextRound())
      tallies.push(...round.map((task) => tallyOf(runBatch(task, simulatorTestBed('output-as-text')))));
    const [a, b, c] = tallies as [Tally, Tally, Tally];
    expect(a.violations.length + b.violations.length + c.violations.length).toBeGreaterThan(0);
    expect(JSON.stringify(mergedTally([c, mergedTally([b, a])]))).toBe(
      JSON.stringify(mergedTally([mergedTally([a, b]), c])),
    );
  });

  it('has rounds that grow with what was played, so that many machines have work', () => {
    const exploration = new Exploration({ seed: 1, runs: 10_000_000 });
    const lengths: number[] = [];
    for (let round = exploration.nextRound(); round.length > 0; round = exploration.nextRound())
      lengths.push(round.length);
    expect(lengths.slice(0, 6)).toEqual([1, 2, 4, 8, 16, 16]);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(batchesFor(10_000_000));
    expect(lengths.length).toBeLessThan(100);
  });

  it('has batches that grow, and hold every run once', () => {
    const batches = Array.from({ length: 20 }, (_, batch) => batch);
    const sizes = batches.map((batch) => firstRunOf(batch + 1) - firstRunOf(batch));
    expect(sizes).toEqual(batches.map((batch) => (batch < 16 ? 8 : 32)));
    expect(batches.map((batch) => batchOf(firstRunOf(batch)))).toEqual(batches);
    expect(batches.map((batch) => batchOf(firstRunOf(batch + 1) - 1))).toEqual(batches);
    expect([0, 1, 8, 9, 128, 129, 160, 161].map(batchesFor)).toEqual([0, 1, 1, 2, 16, 17, 17, 18]);
  });

  it('is the sum of its shards, run for run', () => {
    const all = firstRunOf(20) + 5;
    const endsOf = (index: number): readonly number[] => {
      const shard = new Exploration({ seed: 1, runs: all, shard: { index, count: 3 } });
      const ends: number[] = [];
      for (let round = shard.nextRound(); round.length > 0; round = shard.nextRound()) {
        ends.push(...round.map(({ batch, runs }) => firstRunOf(batch) + runs));
      }
      return ends;
    };
    const ends = [1, 2, 3].flatMap(endsOf).sort((a, b) => a - b);
    expect(ends).toEqual([...Array.from({ length: 20 }, (_, batch) => firstRunOf(batch + 1)), all]);
  });
});
