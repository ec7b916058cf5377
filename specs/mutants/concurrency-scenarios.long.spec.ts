/** Section 8, the column Concurrency: each scenario by itself finds its faults, and fails no reading. */
import { describe, expect, it } from 'vitest';
import { named } from '../../scenarios/index.js';
import { rulesFor, type Dialect, type Rules } from '../../src/core/rules.js';
import { MUTANTS } from '../../src/mutants/index.js';
import { judge } from '../../src/oracle/index.js';
import { drawPlan } from '../../src/schedule/draw-plan.js';
import { runScripts } from '../../src/target/run-scripts.js';
import { simulatorTarget } from '../../src/target/simulator/simulator-target.js';

const SEED = 11;
const SCENARIOS = [
  '8/concurrency',
  '8/concurrency-of-runsync',
  '8/concurrency-of-status',
  '8/concurrency-of-stream',
  '8/concurrency-of-openai',
  '8/rate-of-openai-paths',
] as const;

async function judged(rules: Rules, scenarios: readonly string[]) {
  const target = simulatorTarget({ seed: SEED, rules, graceMs: 2_000 });
  const chosen = named.filter(({ name }) => scenarios.includes(name));
  const { scripts } = drawPlan(chosen, target, SEED, 1);
  const run = { seed: SEED, edition: 'document', runproof: 'spec' } as const;
  const { requirements, openQuestions } = judge((await runScripts(target, scripts, run)).events);
  const ids = (verdict: string): string[] =>
    requirements.filter((one) => one.verdict === verdict).map(({ id }) => id);
  const meaning = openQuestions.find(({ id }) => id === '8/concurrency-meaning')!.readings;
  return { failed: ids('fail'), passed: ids('pass'), meaning };
}

const FAULTS = MUTANTS.filter(({ id }) => /^(concurrency-.*-(unlimited|one-too-few)|openai-path)/.test(id));

describe('a concurrency limit', () => {
  it.each(FAULTS.map((mutant) => [mutant.id, mutant] as const))('%s is found', async (_, mutant) => {
    const scenarios = named.filter(
      ({ name, exercises }) =>
        (SCENARIOS as readonly string[]).includes(name) && exercises.some((id) => mutant.breaks.includes(id)),
    );
    const rules = mutant.rules(rulesFor({}, 'document'));
    const { failed } = await judged(
      rules,
      scenarios.map(({ name }) => name),
    );
    expect(failed).toEqual([mutant.breaks[0]]);
  });

  it('that is not enforced leads to advice, for every operation', async () => {
    const mutant = MUTANTS.find(({ id }) => id === 'concurrency-not-enforced')!;
    const { failed, passed, meaning } = await judged(mutant.rules(rulesFor({}, 'document')), SCENARIOS);
    expect(failed).toEqual(['8/concurrency-enforced']);
    expect(passed.filter((id) => id.startsWith('8/concurrency') && id.endsWith('above'))).toEqual([]);
    expect(meaning).toEqual(['not-enforced']);
  });

  const readings: readonly (readonly [string, Dialect, readonly string[]])[] = [
    ['from the header fields on', {}, ['calls-under-way']],
    ['of whole calls', { '8/concurrency-meaning': 'calls-received' }, ['calls-received']],
  ];
  it.each(readings)('%s leads to no failure, and the reading is observed', async (_, dialect, expected) => {
    const { failed, passed, meaning } = await judged(rulesFor(dialect, 'document'), SCENARIOS);
    expect(failed).toEqual([]);
    expect(passed).toEqual(expect.arrayContaining(['8/concurrency-runsync-above', '8/concurrency-enforced']));
    // Uploads that are held back show nothing of who counts whole calls.
    expect(passed.includes('8/concurrency-run-above')).toBe(expected.includes('calls-under-way'));
    expect(meaning).toEqual(expected);
  });
});
