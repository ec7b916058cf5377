import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expectedMs } from '../../src/scenario/expected.js';
import { ExceedsLimits } from '../../src/scenario/exceeds-limits.js';
import { arb, drawOrLeaveOut, assertWithinLimits, scenario, steps as s } from '../../src/scenario/index.js';
import type { Limits } from '../../src/scenario/index.js';

const limits: Limits = { graceMs: 100, marginMs: 200, maxWaitMs: 66_000, maxWorkers: 2 };
const sample = <T>(values: fc.Arbitrary<T>) => fc.sample(values, { seed: 1, numRuns: 300 });

describe('arbitraries', () => {
  it.each([
    ['ttl', arb.ttl(limits), 10_000, 66_000 - 400],
    ['executionTimeout', arb.executionTimeout(limits), 5_000, 66_000 - 400],
    ['margin', arb.margin(limits), 200, 400],
    ['sleep', arb.sleep(limits), 100, 5_000],
    ['duration', arb.duration(3, 100_000_000), 3, 100_000_000],
  ])('%s keeps to its bounds, and often draws the smallest', (_, values, min, max) => {
    const drawn = sample(values);
    expect(Math.min(...drawn)).toBe(min);
    expect(Math.max(...drawn)).toBeLessThanOrEqual(max);
    expect(drawn.filter((ms) => ms === min).length).toBeGreaterThan(30);
    expect(new Set(drawn).size).toBeGreaterThan(5);
  });

  it('duration reaches every order of magnitude', () => {
    const digits = new Set(sample(arb.duration(1, 1_000_000)).map((ms) => String(ms).length));
    expect(digits.size).toBeGreaterThanOrEqual(6);
  });

  it('json survives being written and read', () => {
    for (const value of sample(arb.json())) expect(JSON.parse(JSON.stringify(value))).toEqual(value);
  });
});

describe('a scenario that exceeds the limits', () => {
  const name = 'spec';
  const tooLong = scenario({
    title: 'long',
    exercises: [],
    draw: (_, l) => {
      assertWithinLimits(l, 66_001);
      return {};
    },
    script: () => [],
  });

  it('is left out, with the reason', () => {
    expect(drawOrLeaveOut({ name, ...tooLong }, 1, limits)).toEqual({
      leftOut: 'needs a wait of 1 min 6.001 s, the profile allows 1 min 6 s',
      lack: 'waits',
    });
    const crowded = scenario({ title: 'crowded', exercises: [], workers: 3, script: () => [] });
    expect(drawOrLeaveOut({ name, ...crowded }, 1, limits)).toEqual({
      leftOut: 'needs 3 workers, the endpoint may have 2',
      lack: 'workers',
    });
    expect(() => arb.duration(10, 9)).toThrow(ExceedsLimits);
  });
});

describe('expectedMs', () => {
  it.each([
    ['nothing', [], 0],
    ['a run', [s.run('a')], 0],
    ['waits, one after the other', [s.pause(s.wait(5)), s.pause(s.wait(7))], 12],
    ['lanes, side by side', [s.pause(s.wait(5)), s.lane('b', s.pause(s.wait(7)))].flat(), 7],
    ['a runsync that outlives its wait', [s.runsync('a', { plan: [{ hang: true }], wait: 3_000 })], 3_000],
    ['a runsync without wait', [s.runsync('a', { plan: [{ hang: true }] })], 90_000],
    ['a runsync that is done sooner', [s.runsync('a', { plan: s.works(70) })], 70],
    ['an await, to its end', [s.run('a'), s.await('a', 'COMPLETED', { withinMs: 400 })], 400],
    ['a deadline', [s.run('a'), s.status('a', { at: s.after('a', 'submitted', 90).plus(9) })], 99],
    ['a deadline that never comes', [s.status('a', { at: s.after('a', 'submitted', 90).plus(9) })], 0],
  ])('counts %s', (_, steps, ms) => {
    expect(expectedMs(steps)).toBe(ms);
  });
});
