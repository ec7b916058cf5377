import { expect, it } from 'vitest';
import { named } from '../../scenarios/index.js';
import { decidedInDryRun } from '../../src/checking/plan/predicted-decisions.js';
import { estimateOf } from '../../src/checking/plan/estimate.js';
import { planRun } from '../../src/checking/plan/plan-run.js';
import { scriptCost, WITHOUT_WORKERS, type HttpTarget } from '../../src/target/http/index.js';

const target = {
  clock: 'real',
  capabilities: ['scripted-worker', 'webhook-reachable'],
  workers: 6,
  latency: { replyMs: 0, dispatchMs: 0 },
  limits: { graceMs: 2_000, marginMs: 2_300, maxWaitMs: 10_000, maxWorkers: 6 },
} as unknown as HttpTarget;
const scenarios = named.filter(({ name }) => /^(5|7)\//.test(name));
const wish = { selection: { scenarios, asked: {} }, seed: 1, runs: 1, explored: 0, budgetMs: null };

it('asks before each script whether it may go on, and what is not planned by then is left out', async () => {
  const whole = await planRun(target, wish);
  expect(whole.scripts.length).toBeGreaterThan(6);
  let asked = 0;
  const part = await planRun(target, wish, () => (asked += 1) < 4);
  expect(part.scripts.map(({ scenario }) => scenario)).toEqual(
    whole.scripts.slice(0, 4).map(({ scenario }) => scenario),
  );
  const late = part.leftOut.filter(({ reason }) => reason === 'no time to plan it');
  expect(late).toHaveLength(whole.scripts.length - 4);
  expect(late.every(({ forBudget }) => forBudget)).toBe(true);
});

it('lets others run between two scripts: a signal is heard while it plans', async () => {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  const { scripts } = await planRun(target, wish);
  clearImmediate(timer);
  expect(turns).toBeGreaterThanOrEqual(scripts.length);
});

it('plays what can be decided without workers where there are none, and says so of the rest', async () => {
  const some = named.filter(({ name }) => /^(3|4\.1)\//.test(name));
  const selection = { scenarios: some, asked: {} };
  const limits = { ...target.limits, maxWaitMs: 70_000 };
  const alike = { ...target, limits, capabilities: ['scripted-worker'] } as HttpTarget;
  const usual = await planRun(alike, { ...wish, selection });
  const none = { ...alike, latency: { ...WITHOUT_WORKERS, maxWaitMs: 70_000 }, workers: null } as HttpTarget;
  const part = await planRun(none, { ...wish, selection });
  const idle = part.leftOut.filter(({ reason }) => reason.includes('target without workers'));
  expect(part.scripts.length).toBeGreaterThan(3);
  expect(idle.length).toBeGreaterThan(3);
  expect(part.scripts.length + idle.length).toBe(usual.scripts.length);
  expect(estimateOf(part, none).wallMs).toBeLessThan(90_000);
  // What nothing else decides in the time of the run is played.
  const decided = new Set(part.scripts.flatMap((script) => decidedInDryRun(script, none)));
  const short = usual.scripts.filter((script) => scriptCost(script, none.latency).lastsMs < 85_000);
  for (const script of short) expect(decidedInDryRun(script, none).every((id) => decided.has(id))).toBe(true);
});

it('occupies the workers also for what only shows a violation as long as their number is not known', async () => {
  const some = named.filter(({ name }) => /^(2\.2\/ttl|4\.6\/cancel-after)/.test(name));
  const limits = { ...target.limits, maxWaitMs: 70_000, maxWorkers: 3 };
  const capabilities = ['scripted-worker', 'dedicated'];
  const dedicated = { ...target, limits, capabilities, workers: 3 } as HttpTarget;
  const { scripts } = await planRun(dedicated, { ...wish, selection: { scenarios: some, asked: {} } });
  const shared = { ...dedicated, capabilities: ['scripted-worker'] } as HttpTarget;
  const usual = await planRun(shared, { ...wish, selection: { scenarios: some, asked: {} } });
  const added = scripts.slice(usual.scripts.length);
  expect(added.map(({ scenario }) => scenario)).toEqual(
    expect.arrayContaining(['2.2/ttl-of-many-jobs', '4.6/cancel-after-a-retry']),
  );
  const lastMs = added.map((script) => scriptCost(script, dedicated.latency).lastsMs);
  expect(lastMs.reduce((all, ms) => all + ms, 0)).toBeLessThan(2 * limits.maxWaitMs);
});

it('names a budget that has room for all that it leaves out', { timeout: 30_000 }, async () => {
  const some = named.filter(({ name }) => /^(3|5)\//.test(name));
  const limits = { ...target.limits, maxWaitMs: 40_000 };
  const slow = { ...target, limits, workers: 1 } as HttpTarget;
  const selection = { scenarios: some, asked: {} };
  const within = (budgetMs: number) => planRun(slow, { ...wish, selection, budgetMs });
  const { scripts, leftOut, enoughMs } = await within(10_000);
  const isForBudget = ({ forBudget }: { readonly forBudget?: true }): boolean => forBudget === true;
  expect(leftOut.filter(isForBudget).length).toBeGreaterThan(1);
  const enough = await within(60_000 * Math.ceil(enoughMs! / 60_000));
  expect(enough.leftOut.some(isForBudget)).toBe(false);
  expect(enough.scripts.length).toBeGreaterThan(scripts.length);
  expect(enough.enoughMs).toBeUndefined();
});
