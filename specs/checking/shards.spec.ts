/** `--shard I/N`: every scenario is in one shard, and in the same one on every target. */
import { expect, it } from 'vitest';
import { named } from '../../scenarios/index.js';
import { planRun } from '../../src/checking/plan/plan-run.js';
import { select, shardOf } from '../../src/checking/selectors.js';
import { REQUIREMENTS } from '../../src/spec/index.js';
import type { HttpTarget } from '../../src/target/http/index.js';

const whole = select([], [], REQUIREMENTS, named);
const target = {
  clock: 'controlled',
  capabilities: ['scripted-worker', 'dedicated', 'test-control', 'worker-count-known'],
  workers: null,
  network: null,
  latency: { replyMs: 0, dispatchMs: 0 },
  limits: { graceMs: 2_000, marginMs: 2_001, maxWaitMs: 700_000_000, maxWorkers: 16 },
} as unknown as HttpTarget;
const wish = { seed: 0, runs: 1, explored: 0, budgetMs: null };
const SHARDS = [1, 2, 3, 4].map((index) => ({ index, count: 4 }));

it('divides the scenarios, equally many to each, and those of a folder among all', () => {
  const shards = SHARDS.map((shard) => shardOf(whole, shard).scenarios.map(({ name }) => name));
  expect(shards.flat().sort()).toEqual(whole.scenarios.map(({ name }) => name).sort());
  const sizes = shards.map(({ length }) => length);
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
  for (const names of shards) expect(names.filter((name) => name.startsWith('8/')).length).toBeGreaterThan(2);
});

it('plays together what the whole plays, and in each the calls of ordinary use', async () => {
  const scriptsOf = async (selection: typeof whole, on = target): Promise<string[]> => {
    const { scripts } = await planRun(on, { ...wish, selection, explored: 10 });
    return scripts.map((script) => JSON.stringify(script));
  };
  const all = await scriptsOf(whole);
  const parts = await Promise.all(SHARDS.map((shard) => scriptsOf(shardOf(whole, shard))));
  expect([...new Set(parts.flat())].sort()).toEqual([...all].sort());
  const scenariosIn = (scripts: readonly string[]): readonly string[] =>
    scripts.map((script) => (JSON.parse(script) as { scenario: string }).scenario);
  for (const part of parts) expect(scenariosIn(part)).toContain('1/every-operation-once');
  // One that lacks something plays fewer, and each in the same shard.
  const less = { ...target, capabilities: ['scripted-worker', 'test-control'] } as HttpTarget;
  const [first] = SHARDS;
  const fewer = await scriptsOf(shardOf(whole, first), less);
  expect(fewer.length).toBeLessThan(parts[0]!.length);
  expect(parts[0]).toEqual(expect.arrayContaining(fewer));
});

it('has no shard without a scenario', () => {
  const few = { ...whole, scenarios: whole.scenarios.slice(0, 3) };
  expect(shardOf(few, { index: 3, count: 3 }).scenarios).toHaveLength(1);
  expect(() => shardOf(few, { index: 1, count: 4 })).toThrow('--shard 1/4: too many shards for 3 scenarios');
});
