/** Nothing is known of the workers of a scaled endpoint: the shipped suite raises no alarm, however long jobs wait. */
import { describe, expect, it, test } from 'vitest';
import { checkTarget } from '../../src/check-target.js';
import { drawPlan } from '../../src/runner/draw-plan.js';
import { named as shippedScenarios } from '../../scenarios/index.js';
import type { Edition } from '../../src/spec/types.js';
import { simulatorTarget, type SimulatorOptions } from '../../src/target/simulator/simulator-target.js';
import { callsOf, play, script } from './stage.js';

type Scaling = NonNullable<SimulatorOptions['scaling']>;
const SEED = 21;
const GRACE_MS = 2_000;

const SCALINGS: readonly (readonly [string, Edition, Scaling])[] = [
  [
    'from none, by queue delay',
    'document',
    { min: 0, coldStartMs: 3_000, idleTimeoutMs: 5_000, scaler: { kind: 'queue-delay', delayMs: 4_000 } },
  ],
  [
    'from one, by request count, with a very cold start',
    'runpod',
    { min: 1, coldStartMs: 42_000, idleTimeoutMs: 500, scaler: { kind: 'request-count', jobsPerWorker: 2 } },
  ],
];

describe.each(SCALINGS)('workers %s (edition %s)', (_name, edition, scaling) => {
  const options = { seed: SEED, edition, graceMs: GRACE_MS };
  const scaled = () => simulatorTarget({ ...options, scaling, coldStartsLateMs: { fromMs: 0, toMs: 4_000 } });
  const wrong = async (more: Parameters<typeof checkTarget>[1]) => {
    const { findings } = await checkTarget(scaled(), { seed: SEED, edition, runs: 1, ...more });
    const failures = findings.requirements.flatMap(({ id, failures: found }) =>
      found.map(({ actual, proof }) => [id, actual, ...proof]),
    );
    return { failures, decided: findings.requirements.filter((each) => each.decided > 0).length };
  };

  test('fail nothing of what such a target can play', async () => {
    const { failures, decided } = await wrong({});
    expect(failures).toEqual([]);
    expect(decided).toBeGreaterThan(300);
  }, 60_000);

  test('nor of scripts that count on workers being there', async () => {
    const known = shippedScenarios.filter(({ needs }) => needs.includes('worker-count-known'));
    const { scripts } = drawPlan(known, simulatorTarget(options), SEED, 1);
    expect(scripts.length).toBeGreaterThan(50);
    expect((await wrong({ scripts })).failures).toEqual([]);
  }, 60_000);
});

it('says that nobody knows how many workers there are', () => {
  const scaling: Scaling = {
    min: 0,
    coldStartMs: 700,
    idleTimeoutMs: 0,
    scaler: { kind: 'queue-delay', delayMs: 300 },
  };
  const { target, events } = play(
    [script([{ do: 'runsync', job: 'a', plan: [{ return: 1 }] }], { workers: 2 })],
    { scaling },
  );
  expect(target.capabilities).not.toContain('worker-count-known');
  expect(events.find((event) => event.kind === 'script')).toMatchObject({ workers: null, fresh: true });
  const [call] = callsOf(events);
  expect(call?.reply?.body).toMatchObject({ value: { status: 'COMPLETED', delayTime: 1_000 } });
});
