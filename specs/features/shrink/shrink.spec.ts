/** A failure that has another name when it is made again is a failure all the same. */
import { expect, test } from 'vitest';
import type { SavedFailure } from '../../../src/files/replay-token.js';
import { shrinkOnSimulator, shrinkOnTarget, type Shrunk } from '../../../src/features/shrink/shrink.js';
import { drawScript } from '../../../src/scenario/draw.js';
import { simulatorTarget, type SimulatorOptions } from '../../../src/target/simulator/simulator-target.js';
import { named } from '../../../scenarios/index.js';

const SEED = 1;
const FAULT = 'cancel-only-queued';
const scenario = named.find(({ name }) => name === '3/cancel-a-running-job')!;
const saved: SavedFailure = {
  script: drawScript(scenario, SEED, simulatorTarget({ seed: SEED }).limits),
  ...{ requirements: [], edition: null, runSeed: null, found: null },
};

const shrunk = (requirement: string | undefined, mutant: string | null): Shrunk =>
  shrinkOnSimulator(saved, { requirement, mutant, trials: 20 });

test.each(['3/cancel-running', '3/cancelled-stays', undefined])(
  '%s is looked for, and a must fails',
  (wanted) => {
    expect(shrunk(wanted, FAULT)).toMatchObject({ failures: [{ requirement: '3/cancel-running' }] });
  },
);

test('fixed is what was decided and does not fail', () => {
  expect(shrunk('3/cancel-running', null)).toBe('fixed');
  expect(shrunk(undefined, null)).toBe('fixed');
  expect(shrunk('6/payload-is-record', null)).toBe('undecided');
});

test('fixed is, as replay says it, what a correct server answers the same and leaves undecided', async () => {
  const requirement = '3/cancelled-never-completes';
  const cancels = named.find(({ name }) => name === '3/cancel-ends-the-execution-timeout')!;
  const early = { ...saved, script: drawScript(cancels, SEED, simulatorTarget({ seed: SEED }).limits) };
  const { signal } = new AbortController();
  const on = (options: Partial<SimulatorOptions>): Promise<Shrunk> =>
    shrinkOnTarget(simulatorTarget({ seed: SEED, ...options }), early, {
      requirement,
      signal,
      say: () => {},
    });
  expect(await on({})).toBe('fixed');
  expect(shrinkOnSimulator(early, { requirement, mutant: null })).toBe('fixed');
  const way = { fromMs: 2, toMs: 3 };
  expect(await on({ givesUpAfterMs: () => 1, latency: { requestMs: way, replyMs: way } })).toBe('undecided');
});

test('a script that an interrupt stopped is neither fixed nor undecided', async () => {
  const options = { requirement: '3/cancel-running', signal: AbortSignal.abort(), say: () => {} };
  expect(await shrinkOnTarget(simulatorTarget({ seed: SEED }), saved, options)).toBe('interrupted');
});
