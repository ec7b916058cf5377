/** A team's own properties, with the arbitraries that the shipped scenarios draw from. */
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import {
  arb,
  checkTarget,
  fetchTarget,
  scenario,
  scriptArbitrary,
  scriptsOf,
  type HistoryEvent,
  type NamedScenario,
  type Script,
} from 'runproof';
import { plainEndpoint } from './plain-endpoint/index.js';

type Generated<A> = A extends (...args: never[]) => fc.Arbitrary<infer T> ? T : never;
type Plan = Generated<typeof arb.plan>;
type Policy = Generated<typeof arb.policy>;

const RUNS = 30;
const WORKERS = 2;

const target = fetchTarget(
  {
    fresh: ({ endpoint, workers, apiKey }) =>
      plainEndpoint({ endpoints: [endpoint], workers, apiKey: apiKey ?? '' }),
  },
  { worker: 'scripted', secondEndpoints: false },
);
afterAll(() => target.close());

/** Two jobs of any kind, one of them cancelled at any time. The oracle judges the outcome. */
const cancelledMidway: NamedScenario = {
  name: 'own/cancelled-midway',
  ...scenario<{ first: Plan; second: Plan; policy: Policy; afterMs: number }>({
    title: 'one of two jobs is cancelled at any time',
    exercises: ['4.5/this-job-only', '4.5/returns-at-once'],
    needs: ['scripted-worker'],
    draw: (arb, limits) => ({
      first: arb.plan(limits),
      second: arb.plan(limits),
      policy: arb.policy(limits),
      afterMs: arb.duration(0, 10_000),
    }),
    script: ({ first, second, policy, afterMs }, s) => [
      s.run('first', { plan: first, policy }),
      s.run('second', { plan: second }),
      s.cancel('first', { at: { waitMs: afterMs } }),
      s.status('first'),
      s.await('second', ['COMPLETED', 'FAILED'], { withinMs: 60_000 }),
    ],
  }),
};

describe('the plain endpoint', () => {
  it('does what the document says, whatever is cancelled when', async () => {
    await fc.assert(
      fc.asyncProperty(scriptsOf(cancelledMidway, target.limits), async (script) => {
        const { findings } = await checkTarget(target, { scripts: [script] });
        expect(findings.requirements.flatMap(({ failures }) => failures)).toEqual([]);
      }),
      { numRuns: RUNS, seed: 1 },
    );
  });

  it('has all its workers back when no job can be alive any more', async () => {
    const { limits } = target;
    const job = fc.record({ plan: arb.plan(limits), policy: arb.policy(limits) });
    await fc.assert(
      fc.asyncProperty(fc.array(job, { minLength: 1, maxLength: 6 }), async (jobs) => {
        const { history } = await checkTarget(target, { scripts: [submitAndWait(jobs)] });
        expect(lastBody(history)).toMatchObject({ workers: { idle: WORKERS, running: 0 } });
      }),
      { numRuns: RUNS, seed: 1 },
    );
  });
});

describe('any client at all', () => {
  it('is answered as the document says, whatever it calls in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(scriptArbitrary({ limits: target.limits }), async (script) => {
        fc.pre(script.needs.every((need) => target.capabilities.includes(need)));
        const { findings } = await checkTarget(target, { scripts: [script] });
        const musts = findings.requirements.filter(({ level }) => level === 'must');
        expect(musts.flatMap(({ failures }) => failures)).toEqual([]);
      }),
      { seed: 1, numRuns: RUNS },
    );
  });
});

/** A script can also be written by hand. */
function submitAndWait(jobs: readonly { readonly plan: Plan; readonly policy: Policy }[]): Script {
  return {
    schema: 'runproof-script/1',
    scenario: 'own/submit-and-wait',
    title: 'jobs of any kind, and a look at the workers when all must be over',
    seed: 0,
    needs: ['scripted-worker'],
    workers: WORKERS,
    exclusive: true,
    expectedMs: target.limits.maxWaitMs,
    steps: [
      ...jobs.map(({ plan, policy }, index) => ({ do: 'run' as const, job: `job-${index}`, plan, policy })),
      { do: 'health', at: { waitMs: target.limits.maxWaitMs } },
    ],
  };
}

function lastBody(history: readonly HistoryEvent[]): unknown {
  const call = history.findLast((event) => event.kind === 'call');
  return call?.reply?.body.as === 'json' ? call.reply.body.value : undefined;
}
