/**
 * Nothing is known of the workers of a scaled endpoint: the shipped suite raises no alarm, however long jobs wait. The commit
 * draws one of the two scalings that play all of it; `WHOLE=1` takes both.
 */
import { describe, expect, it, test } from 'vitest';
import { checkTarget } from '../../src/checking/check-target.js';
import { rulesFor } from '../../src/core/rules.js';
import { MUTANTS } from '../../src/mutants/index.js';
import { drawPlan } from '../../src/schedule/draw-plan.js';
import { named as shippedScenarios } from '../../scenarios/index.js';
import type { Edition } from '../../src/spec/types.js';
import { simulatorTarget, type SimulatorOptions } from '../../src/target/simulator/simulator-target.js';
import { drawnByCommit } from '../support/whole.js';
import { callsOf, play, script } from './support.js';

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

describe.each(drawnByCommit(SCALINGS, 2))('workers %s (edition %s)', (_name, edition, scaling) => {
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

describe('an endpoint without workers while nobody needs one', () => {
  const FROM_ZERO = SCALINGS[0]![2];
  const verdicts = async (options: Partial<SimulatorOptions>): Promise<readonly string[]> => {
    const target = simulatorTarget({ seed: SEED, graceMs: GRACE_MS, scaling: FROM_ZERO, ...options });
    const scenarios = shippedScenarios.filter(({ needs }) => needs.includes('scales-from-zero'));
    const { findings } = await checkTarget(target, { seed: SEED, runs: 1, scenarios });
    const failed = findings.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
    const decided = ['2.2/low-priority-no-scaling', '2.2/low-priority-default'].map(
      (id) => findings.requirements.find((one) => one.id === id)!.verdict,
    );
    return [...decided, ...failed];
  };
  const rulesOf = (id: string) => ({
    rules: MUTANTS.find((one) => one.id === id)!.rules(rulesFor({}, 'document')),
  });

  it.each<[string, Partial<SimulatorOptions>, readonly string[]]>([
    ['starts one for a job without lowPriority alone', {}, ['pass', 'pass']],
    [
      'by request count',
      { scaling: { ...FROM_ZERO, scaler: { kind: 'request-count', jobsPerWorker: 1 } } },
      ['pass', 'pass'],
    ],
    [
      'starts one for lowPriority, too',
      rulesOf('low-priority-wakes-workers'),
      ['fail', 'pass', '2.2/low-priority-no-scaling'],
    ],
    [
      'starts one for lowPriority false alone',
      rulesOf('low-priority-by-default'),
      ['pass', 'fail', '2.2/low-priority-default'],
    ],
    ['never starts one', { scaling: { ...FROM_ZERO, scaler: null } }, ['inconclusive', 'inconclusive']],
    // Longer than the job with lowPriority is watched.
    ['takes long to start one', { scaling: { ...FROM_ZERO, coldStartMs: 40_000 } }, ['inconclusive', 'pass']],
    ['never stops them', { scaling: { ...FROM_ZERO, idleTimeoutMs: null } }, ['pass', 'pass']],
  ])('%s', async (_, options, expected) => {
    expect(await verdicts(options)).toEqual(expected);
  });

  it('is one only where there are none at first', () => {
    const offered = (scaling?: Scaling) =>
      simulatorTarget({ seed: SEED, ...(scaling ? { scaling } : {}) }).capabilities;
    expect(offered(FROM_ZERO)).toContain('scales-from-zero');
    expect(offered(SCALINGS[1]![2])).not.toContain('scales-from-zero');
    expect(offered()).not.toContain('scales-from-zero');
  });
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
