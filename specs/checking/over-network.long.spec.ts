/** The plan tells how long scripts take over a network, and what would make them quick. */
import { expect, it } from 'vitest';
import { named } from '../../scenarios/index.js';
import { planRun } from '../../src/checking/plan/plan-run.js';
import type { PlannedTarget } from '../../src/checking/plan/plan-target.js';
import { planLines } from '../../src/features/check/describe-plan.js';
import { WHOLE } from '../../src/history/selection.js';
import { simulatorTarget } from '../../src/target/simulator/simulator-target.js';

const some = named.filter(({ name }) => name.startsWith('4.3/') || name.startsWith('8/rate-of-run'));

async function plannedOn(network: PlannedTarget['network']): Promise<{
  readonly told: string | undefined;
  readonly wallMs: number | undefined;
  readonly atOnceMs: number | null | undefined;
}> {
  const target: PlannedTarget = {
    ...simulatorTarget({ seed: 1 }),
    clock: 'controlled',
    ...(network && { network }),
  };
  const selection = { scenarios: some, asked: WHOLE };
  const plan = await planRun(target, { selection, seed: 1, runs: 1, explored: 0, budgetMs: null });
  const told = planLines(plan).find((line) => line.includes('far away'));
  return { told, wallMs: plan.overNetwork?.wallMs, atOnceMs: plan.overNetwork?.atOnceMs };
}

it('nearby it says nothing of that', async () => {
  expect(await plannedOn(null)).toEqual({ told: undefined, wallMs: undefined, atOnceMs: undefined });
});

it('without clocks of their own, scripts play one after the other, and the plan says what would help', async () => {
  const { told, wallMs, atOnceMs } = await plannedOn({ replyMs: 200, hasEndpointClocks: false });
  expect(told).toMatch(/one after the other, in about .*offered the feature endpoint-clocks .* take about /);
  const twice = await plannedOn({ replyMs: 400, hasEndpointClocks: false });
  expect(twice.wallMs! / wallMs!).toBeGreaterThan(1.5);
  expect(atOnceMs).toBeLessThan(wallMs! / 3);
});

it('with them the plan tells how long they take at once, and needs no advice', async () => {
  const without = await plannedOn({ replyMs: 200, hasEndpointClocks: false });
  const { told, wallMs, atOnceMs } = await plannedOn({ replyMs: 200, hasEndpointClocks: true });
  expect(told).toMatch(/play at once, each on its own clock, in about /);
  expect(told).not.toContain('endpoint-clocks');
  expect([wallMs, atOnceMs]).toEqual([without.atOnceMs, null]);
});
