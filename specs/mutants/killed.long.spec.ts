import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rulesFor } from '../../src/core/rules.js';
import { MUTANTS, type Mutant } from '../../src/mutants/index.js';
import { judge } from '../../src/oracle/index.js';
import { drawPlan } from '../../src/schedule/draw-plan.js';
import { runScripts } from '../../src/target/run-scripts.js';
import { startServer, type RunningServer } from '../../src/server/index.js';
import { named as shippedScenarios } from '../../scenarios/index.js';
import { httpTarget, type HttpTarget } from '../../src/target/http/index.js';
import type { Target } from '../../src/target/port.js';
import { drawnByCommit } from '../support/whole.js';
import { simulatorTarget } from '../../src/target/simulator/simulator-target.js';

/** One fault per mechanism. `npm run proofs -- mutants` tries the whole list: over HTTP, each fault takes a server. */
const CHOSEN = [
  'input-ascii-only',
  's3-config-lingers',
  'ttl-spares-running',
  'ttl-spares-cancelled',
  'ttl-default-two-days',
  'timeout-default-missing',
  'timeout-from-submission',
  'retry-not-failed',
  'cancel-only-queued',
  'cancel-only-running',
  'purge-everywhere',
  'purge-kills-running',
  'wait-cancels-job',
  'retention-sync-like-run',
  'webhook-4xx-is-success',
  'webhook-pause-one-second',
  'unauthorized-cancel-works',
  'expired-410',
  'status-ttl-any-text',
  'health-completed-with-cancelled',
  'crash-forgotten',
  'timeout-keeps-worker',
];
const SEED = 11;
/** Of each scenario; a script over HTTP takes several times as long. */
const RUNS = { simulator: 2, http: 1 };
/** How many shares the faults are divided into: eleven in each on the simulator, two over HTTP. */
const SHARES = { simulator: 2, http: 11 };

const chosen = MUTANTS.filter(({ id }) => CHOSEN.includes(id));
const overHttpToo = drawnByCommit(chosen, SHARES.http);

/** The requirements that fail when the scenarios of the mutant's requirements run. */
async function failedOn(target: Target, mutant: Mutant | null): Promise<readonly string[]> {
  const runs = target.kind === 'simulator' ? RUNS.simulator : RUNS.http;
  const all = target.kind === 'simulator' ? chosen : overHttpToo;
  const broken: readonly string[] = mutant?.breaks ?? all.flatMap(({ breaks }) => breaks);
  const scenarios = shippedScenarios.filter(({ exercises }) => exercises.some((id) => broken.includes(id)));
  const { scripts } = drawPlan(scenarios, target, SEED, runs);
  const { events } = await runScripts(target, scripts, {
    seed: SEED,
    edition: 'document',
    runproof: 'spec',
  });
  return judge(events)
    .requirements.filter(({ verdict }) => verdict === 'fail')
    .map(({ id }) => id);
}

const rulesOf = (mutant: Mutant | null) => {
  const base = rulesFor({}, 'document');
  return mutant === null ? base : mutant.rules(base);
};

async function overHttp(mutant: Mutant | null): Promise<{ server: RunningServer; target: HttpTarget }> {
  const server = await startServer({ clock: 'controlled', rules: rulesOf(mutant), onError: () => {} });
  const target = await httpTarget({
    url: server.url,
    endpoint: 'test',
    apiKey: server.apiKeys[0]!,
    controlUrl: server.controlUrl,
    worker: 'scripted',
  });
  return { server, target };
}

describe('single faults of the core', () => {
  it('include at least twenty of those listed', () => {
    expect(chosen.map(({ id }) => id).sort((left, right) => (left < right ? -1 : 1))).toEqual(
      CHOSEN.toSorted((left, right) => (left < right ? -1 : 1)),
    );
    expect(chosen.length).toBeGreaterThanOrEqual(20);
  });

  it.each(drawnByCommit(chosen, SHARES.simulator).map((mutant) => [mutant.id, mutant] as const))(
    '%s is caught by what it breaks, on the simulator',
    async (_, mutant) => {
      const target = simulatorTarget({ seed: SEED, rules: rulesOf(mutant), graceMs: 2_000 });
      const failed = await failedOn(target, mutant);
      expect(
        mutant.breaks.some((id) => failed.includes(id)),
        `failed: ${failed.join(', ')}`,
      ).toBe(true);
    },
  );

  it.each(overHttpToo.map((mutant) => [mutant.id, mutant] as const))(
    '%s is caught by what it breaks, over HTTP under test control',
    { timeout: 120_000 },
    async (_, mutant) => {
      const { server, target } = await overHttp(mutant);
      try {
        const failed = await failedOn(target, mutant);
        expect(
          mutant.breaks.some((id) => failed.includes(id)),
          `failed: ${failed.join(', ')}`,
        ).toBe(true);
      } finally {
        await target.close();
        await server.close();
      }
    },
  );
});

describe('the core without a fault', () => {
  let server: RunningServer;
  let target: HttpTarget;
  beforeAll(async () => {
    ({ server, target } = await overHttp(null));
  });
  afterAll(async () => {
    await target.close();
    await server.close();
  });

  it('passes the same scenarios on the simulator', async () => {
    expect(await failedOn(simulatorTarget({ seed: SEED, graceMs: 2_000 }), null)).toEqual([]);
  });

  it('passes the same scenarios over HTTP', async () => {
    expect(await failedOn(target, null)).toEqual([]);
  });
});
