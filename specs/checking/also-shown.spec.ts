/** What a selection plays beside the scenarios written for its requirements, so that it sees what a whole run sees. */
import { expect, it, test } from 'vitest';
import alsoShown from '../../scenarios/also-shown.json' with { type: 'json' };
import { named } from '../../scenarios/index.js';
import { checkTarget } from '../../src/checking/check-target.js';
import { rulesFor } from '../../src/core/rules.js';
import { MUTANTS } from '../../src/mutants/index.js';
import { REQUIREMENTS } from '../../src/spec/index.js';
import { simulatorTarget } from '../../src/target/simulator/simulator-target.js';

it('are scenarios that there are, and that are written for something else', () => {
  const exercises = new Map(named.map((one) => [one.name, one.exercises as readonly string[]]));
  const known = REQUIREMENTS.map(({ id }) => id as string);
  for (const [id, scenarios] of Object.entries(alsoShown)) {
    expect(known).toContain(id);
    expect(scenarios.filter((name) => exercises.get(name)?.includes(id) !== false)).toEqual([]);
  }
});

test.each([
  // No scenario written for it has a null in its input.
  ['input-loses-nulls', '2.1/input-reaches-worker-run'],
  // Of one script alone, another rule explains as well that the job is gone.
  ['timeout-lowered-to-default', '2.2/execution-timeout-not-early'],
])('of a service with the fault %s, --only %s fails that and nothing else', async (fault, id) => {
  const { rules } = MUTANTS.find((one) => one.id === fault)!;
  const target = simulatorTarget({ seed: 1, graceMs: 2_000, rules: rules(rulesFor({}, 'document')) });
  const { report } = await checkTarget(target, { seed: 1, runs: 1, only: [id], scenarios: named });
  const failed = report.requirements.filter(({ level, verdict }) => level === 'must' && verdict === 'fail');
  expect(failed.map((one) => one.id)).toEqual([id]);
});

test.each(['3/cancel-running', '1/free-worker-takes-job', '2.1/input-reaches-worker-run'])(
  '--only %s calls no operation that its own scenarios do not call: a service may lack it',
  async (id) => {
    const target = simulatorTarget({ seed: 1, graceMs: 2_000 });
    const { scripts } = await checkTarget(target, { seed: 1, runs: 1, only: [id], scenarios: named });
    const own = new Set(
      named.filter(({ exercises }) => (exercises as readonly string[]).includes(id)).map(({ name }) => name),
    );
    const calledIn = (isOwn: boolean): ReadonlySet<string> =>
      new Set(
        scripts
          .filter(({ scenario }) => own.has(scenario) === isOwn)
          .flatMap(({ steps }) => steps.map((step) => (step.do === 'burst' ? step.op : step.do)))
          .filter((called) => called !== 'pause' && called !== 'workers' && called !== 'raw')
          .map((called) => (called === 'await' ? 'status' : called)),
      );
    expect(calledIn(false).size).toBeGreaterThan(0);
    expect([...calledIn(false)].filter((called) => !calledIn(true).has(called))).toEqual([]);
  },
);
