/** How often a script fails again: only runs that decide its rule count. */
import { expect, it } from 'vitest';
import { confirm } from '../../src/checking/confirm/confirm.js';
import { drawPlan, scenario, simulatorTarget } from '../../src/index.js';

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
