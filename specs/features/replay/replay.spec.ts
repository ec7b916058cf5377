/** What a replay says where its calls are answered rightly, and do not decide what had failed. */
import { expect, it } from 'vitest';
import type { SavedFailure } from '../../../src/files/replay-token.js';
import { replay, type ReplayResult } from '../../../src/features/replay/replay.js';
import { rulesFor } from '../../../src/core/rules.js';
import { MUTANTS } from '../../../src/mutants/index.js';
import { drawScript } from '../../../src/scenario/draw.js';
import { simulatorTarget, type SimulatorOptions } from '../../../src/target/simulator/simulator-target.js';
import { named } from '../../../scenarios/index.js';

const SEED = 1;
const WANTED = '3/cancelled-never-completes';
const { limits } = simulatorTarget({ seed: SEED });

/** A script of this scenario that has failed the requirement. */
const failed = (scenario: string, requirement: string): SavedFailure => ({
  script: drawScript(
    named.find(({ name }) => name === scenario)!,
    SEED,
    limits,
  ),
  ...{ requirements: [requirement], edition: null, runSeed: null, found: null },
});

const replayed = (saved: SavedFailure, options: Partial<SimulatorOptions> = {}): Promise<ReplayResult> =>
  replay(simulatorTarget({ seed: SEED, ...options }), saved);

/** It cancels a job and looks when its `executionTimeout` would have ended it. */
const early = failed('3/cancel-ends-the-execution-timeout', WANTED);

it('is FIXED where the target answers as a correct server does, and the script cannot show more', async () => {
  const id = '4.3/ttl-not-at-once';
  expect(await replayed(failed('4.3/ttl-shortens-a-life', id))).toMatchObject({
    ...{ word: 'FIXED', exitCode: 0 },
    told: `${id}: the target answered every call of the script as a correct server does (passed in each of 3 runs)`,
  });
});

it('is FIXED where the script violates the rule no more, though it does not prove the rule', async () => {
  const saved = failed('4.6/retry-of-a-cancelled-job', WANTED);
  expect(await replayed(saved)).toMatchObject({
    ...{ word: 'FIXED', exitCode: 0 },
    told: expect.stringMatching(
      `^${WANTED}: no longer violated in 3 plays of the script that violated it \\(it would have shown there; `,
    ) as string,
  });
  expect(await replayed({ ...saved, confirmed: { failed: 1, plays: 3 } })).toMatchObject({
    word: 'PASSED',
    told: expect.stringContaining('The failure is intermittent: it failed in 1 of 3') as string,
  });
});

it.each([
  [early, { failed: 0, plays: 2 }, 'it failed in 0 of 2 more runs; 11 runs without it are needed'],
  [
    failed('3/cancel-a-running-job', WANTED),
    { failed: 2, plays: 3 },
    'in 2 of 3 more runs; 4 runs without it',
  ],
])(
  'is PASSED where the failure is intermittent: one more pass proves nothing',
  async (saved, confirmed, why) => {
    const result = await replayed({ ...saved, confirmed });
    expect(result).toMatchObject({
      word: 'PASSED',
      exitCode: 0,
      told: expect.stringContaining(why) as string,
    });
    expect(await replayed({ ...saved, confirmed: { failed: 2, plays: 2 } })).toMatchObject({ word: 'FIXED' });
  },
);

it('is FAILED as long as the fault is there', async () => {
  const { rules } = MUTANTS.find(({ id }) => id === 'cancel-feigned-while-running')!;
  const faulty = { rules: rules(rulesFor({}, 'document')) };
  expect(await replayed(early, faulty)).toMatchObject({ word: 'FAILED', told: WANTED });
  expect(await replayed({ ...early, confirmed: { failed: 1, plays: 2 } }, faulty)).toMatchObject({
    told: `${WANTED} (intermittent: the same script failed in 1 of 2 more runs)`,
  });
});

it('is not decided where answers are lost, whether a correct server decides it or not', async () => {
  const way = { fromMs: 2, toMs: 3 };
  const isLost = { givesUpAfterMs: () => 1, latency: { requestMs: way, replyMs: way } };
  expect(await replayed(early, isLost)).toMatchObject({ word: 'ERROR', exitCode: 6 });
  const late = failed('3/cancel-a-running-job', WANTED);
  expect(await replayed(late)).toMatchObject({
    word: 'FIXED',
    told: `${WANTED} (passed in each of 3 runs)`,
  });
  expect(await replayed(late, isLost)).toMatchObject({ word: 'ERROR', exitCode: 6 });
});

it('is not decided where the script alone does not show the fault, and names the run in which it did', async () => {
  const choiceWords = ['--only', '3/cancel*', '--profile', 'quick', '--budget', '30s'];
  const saved = { ...early, requirements: ['8/rate-run-above'], runSeed: 7, choiceWords };
  const address = { url: 'http://h', basePath: null, replayArguments: ['http://h/v2/e'] };
  const result = await replay(simulatorTarget({ seed: SEED }), saved, { address });
  expect(result).toMatchObject({ word: 'ERROR', exitCode: 6 });
  expect(result.told).toMatch(
    /check http:\/\/h\/v2\/e --only '3\/cancel\*' --profile quick --budget 30s --seed 7$/,
  );
});
