import { describe, expect, it } from 'vitest';
import { drawScript } from '../../src/scenario/draw.js';
import { drawOrLeaveOut, parseScript, type Limits, type NamedScenario } from '../../src/scenario/index.js';
import { named as scenarios } from '../../scenarios/index.js';
import { REQUIREMENTS } from '../../src/spec/requirements/index.js';
import type { Requirement } from '../../src/spec/types.js';
import { drawnByCommit } from '../support/whole.js';

/** Virtual or controlled time, and a live target under the profile `quick`. */
const UNHURRIED: Limits = { graceMs: 0, marginMs: 1, maxWaitMs: 8 * 86_400_000, maxWorkers: 16 };
/** As in real time. */
const QUICK: Limits = {
  graceMs: 2_000,
  marginMs: 3_000,
  maxWaitMs: 66_000,
  preferredWaitMaxMs: 20_000,
  maxWorkers: 3,
};

/** Requirements that no script can bring about, each with the reason. */
const NOT_EXERCISED: { readonly [id: string]: string } = {
  '4.1/wait-answers-on-cancel': 'the id of a job is unknown to its caller until /runsync answers',
};

const requirements: readonly Requirement[] = REQUIREMENTS;

describe('the shipped scenarios', () => {
  it('have unique titles', () => {
    expect(new Set(scenarios.map(({ title }) => title)).size).toBe(scenarios.length);
  });

  it('each exercise a requirement that can be tested, none twice', () => {
    const testable = new Set(requirements.filter((r) => r.untestable === undefined).map((r) => r.id));
    for (const { name, exercises } of scenarios) {
      expect(exercises.length, name).toBeGreaterThan(0);
      expect(new Set(exercises).size, name).toBe(exercises.length);
      expect(
        exercises.filter((id) => !testable.has(id)),
        name,
      ).toEqual([]);
    }
  });

  it('exercise every testable requirement, except those listed with a reason', () => {
    const exercised = new Set<string>(scenarios.flatMap(({ exercises }) => exercises));
    const missing = requirements.filter((r) => r.untestable === undefined && !exercised.has(r.id));
    const unlisted = missing.filter(({ id }) => !Object.hasOwn(NOT_EXERCISED, id));
    expect(
      unlisted.map(({ id, section }) => `no scenario exercises ${id}: write one in scenarios/${section}/`),
    ).toEqual([]);
    expect(Object.keys(NOT_EXERCISED).filter((id) => exercised.has(id))).toEqual([]);
  });

  it('exercise every requirement even on a target with only the required capabilities', () => {
    const starved = requirements.filter(
      ({ id, needs, untestable }) =>
        untestable === undefined &&
        !Object.hasOwn(NOT_EXERCISED, id) &&
        needs.length === 0 &&
        !scenarios.some((s) => (s.exercises as readonly string[]).includes(id) && s.needs.length === 0),
    );
    expect(starved.map(({ id }) => id)).toEqual([]);
  });
});

/** Of 60 seeds one in four, which the commit draws. */
const SEEDS = drawnByCommit(
  Array.from({ length: 60 }, (_, seed) => seed),
  4,
);

describe.each([
  ['unhurried', UNHURRIED],
  ['quick', QUICK],
])('on a target that is %s', (_, limits) => {
  const other = limits === QUICK ? UNHURRIED : QUICK;
  it.each(scenarios)('$name draws scripts that can be saved and read again', (scenario) => {
    for (const seed of SEEDS) {
      const drawn = drawOrLeaveOut(scenario, seed, limits);
      // What exceeds the limits of one target is within those of the other.
      if ('leftOut' in drawn)
        return expect(drawOrLeaveOut(scenario, seed, other)).not.toHaveProperty('leftOut');
      const { script } = drawn;
      expect(parseScript(JSON.parse(JSON.stringify(script)))).toEqual(script);
      expect(script.steps.length).toBeGreaterThan(0);
      // A large body in every one of them would only cost time.
      if (JSON.stringify(script).length > 1_000_000) return;
    }
  });
});

const fitting = (scenario: NamedScenario): Limits =>
  'leftOut' in drawOrLeaveOut(scenario, 1, UNHURRIED) ? QUICK : UNHURRIED;

describe('drawing', () => {
  it('gives the same script for the same seed, and others for others', () => {
    const texts = scenarios.map((scenario) => {
      const draw = (seed: number) =>
        JSON.stringify({ ...drawScript(scenario, seed, fitting(scenario)), seed: 0 });
      expect(draw(7), scenario.name).toBe(draw(7));
      return new Set([1, 2, 3, 4, 5, 6].map(draw)).size;
    });
    expect(texts.filter((different) => different > 1).length).toBeGreaterThan(scenarios.length / 3);
  });
});
