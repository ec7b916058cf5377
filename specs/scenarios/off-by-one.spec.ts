/**
 * A bound that is off by one shows as two answers to one open question, since a timer may be a millisecond late. Only a wait
 * that is a millisecond too short is certain.
 */
import { describe, expect, it } from 'vitest';
import { named } from '../../scenarios/index.js';
import { rulesFor, type Rules } from '../../src/core/rules.js';
import { judge } from '../../src/oracle/index.js';
import { drawPlan } from '../../src/schedule/draw-plan.js';
import { runScripts } from '../../src/target/run-scripts.js';
import { simulatorTarget } from '../../src/target/simulator/simulator-target.js';

const SEED = 11;
const SCENARIOS = /^(2\.2\/(ttl-|execution-timeout-|policy-values-)|4\.1\/wait-too-)/;

async function shown(change: Partial<Rules>): Promise<readonly string[]> {
  const rules = { ...rulesFor({}, 'document'), ...change };
  const target = simulatorTarget({ seed: SEED, rules, graceMs: 2_000 });
  const chosen = named.filter(({ name }) => SCENARIOS.test(name));
  const { scripts } = drawPlan(chosen, target, SEED, 1);
  const run = { seed: SEED, edition: 'document', runproof: 'spec' } as const;
  const { requirements, openQuestions } = judge((await runScripts(target, scripts, run)).events);
  const failed = requirements.filter(({ verdict }) => verdict === 'fail');
  return [...failed, ...openQuestions.filter(({ stable }) => !stable)].map(({ id }) => id);
}

const { boundsOf } = rulesFor({}, 'document');

describe('a bound that is off by one', () => {
  it.each([
    ['policy.ttl', '2.2/ttl-above-max', '2.2/ttl-below-min'],
    ['policy.executionTimeout', '2.2/execution-timeout-above-max', '2.2/execution-timeout-below-min'],
    ['wait', '4.1/wait-above-max', '4.1/wait-min-enforced'],
  ] as const)('of %s shows', async (field, above, below) => {
    const off = (by: { readonly min: number; readonly max: number }): Partial<Rules> => ({
      boundsOf: (of) => {
        const { min, max } = boundsOf(of);
        return of === field ? { min: min - by.min, max: max + by.max } : { min, max };
      },
    });
    expect(await shown(off({ min: 0, max: 0 }))).toEqual([]);
    expect(await shown(off({ min: 0, max: 1 }))).toEqual([above]);
    expect(await shown(off({ min: 1, max: 0 }))).toEqual([below]);
  });
});
