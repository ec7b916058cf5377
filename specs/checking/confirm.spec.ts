/** How often a script fails again: only runs that decide its rule count. */
import { expect, it } from 'vitest';
import { confirm } from '../../src/checking/confirm/confirm.js';
import { rulesFor } from '../../src/core/rules.js';
import { checkTarget, drawPlan, scenario, simulatorTarget } from '../../src/index.js';
import { MUTANTS } from '../../src/mutants/index.js';

const RULE = '4/operation-health';
const health = scenario({ title: 'reads health', exercises: [RULE], script: (_, s) => [s.health()] });
const other = scenario({
  title: 'submits a job',
  exercises: ['4/operation-run'],
  script: (_, s) => [s.run('a', { input: {} })],
});

it('counts no pass of another script', async () => {
  const target = simulatorTarget({ seed: 1 });
  const named = [
    { name: 'own/other', ...other },
    { name: 'own/health', ...health },
  ];
  const { scripts } = drawPlan(named, target, 1, 1);
  const wanted = scripts.map((script) => ({ script, requirement: RULE }));
  const how = { edition: 'document', signal: new AbortController().signal, times: 2 } as const;
  const rates = await confirm(target, wanted, how);
  await target.close();
  expect(scripts.map(({ scenario: name }) => name)).toEqual(['own/other', 'own/health']);
  expect(rates.map(({ failed, runs }) => [failed, runs])).toEqual([
    [0, 0],
    [0, 2],
  ]);
});

it('plays a script once for all that failed in it', async () => {
  const simulator = simulatorTarget({ seed: 1 });
  const played: number[] = [];
  const run: typeof simulator.run = (scripts, sink, options) => {
    played.push(scripts.length);
    return simulator.run(scripts, sink, options);
  };
  const { scripts } = drawPlan([{ name: 'own/health', ...health }], simulator, 1, 1);
  const wanted = [RULE, '2.7/jobs-failed'].map((requirement) => ({ script: scripts[0]!, requirement }));
  const how = { edition: 'document', signal: new AbortController().signal, times: 2 } as const;
  const rates = await confirm({ ...simulator, run }, wanted, how);
  await simulator.close();
  expect(played).toEqual([1, 1]);
  expect(rates.map(({ failed, runs }) => [failed, runs])).toEqual([
    [0, 2],
    [0, 2],
  ]);
});

it('plays no more scripts at once than the run', async () => {
  const { rules } = MUTANTS.find(({ id }) => id === 'ttl-spares-running')!;
  const simulator = simulatorTarget({ seed: 1, rules: rules(rulesFor({}, 'document')) });
  const atOnce: unknown[] = [];
  const run: typeof simulator.run = (scripts, sink, options) => {
    atOnce.push(options?.concurrency);
    return simulator.run(scripts, sink, options);
  };
  const target = { ...simulator, kind: 'http' as const, run };
  const scope = { seed: 1, runs: 1, only: ['2.2/ttl-removes-running'], concurrency: 1 };
  const { report } = await checkTarget(target, scope);
  await target.close();
  expect(report.exitCode).toBe(1);
  // Of these, two are plays of what failed; those that shrink it are of one script.
  expect(atOnce.filter((count) => count === 1)).toHaveLength(3);
});
