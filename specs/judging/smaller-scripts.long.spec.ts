/** Which script a reader is shown: the simplest that failed, made small where that costs no time. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../src/shell/program.js';
import { rulesFor } from '../../src/core/rules.js';
import {
  checkTarget,
  judge,
  simulatorTarget,
  type CheckTargetOptions,
  type Report,
  type SimulatorTarget,
} from '../../src/index.js';
import { MUTANTS } from '../../src/mutants/index.js';
import { type Naive } from '../naive/server.js';
import { createFakeIo } from '../cli/fake-io.js';
import { serveNaive } from '../support/naive.js';

const ID = '2.2/ttl-removes-running';
const SCOPE: CheckTargetOptions = { seed: 1, runs: 1, only: ['2.2/ttl-removes-*'] };

function faulty(): SimulatorTarget {
  const mutant = MUTANTS.find(({ id }) => id === 'ttl-spares-running')!;
  return simulatorTarget({ seed: 1, graceMs: 2_000, rules: mutant.rules(rulesFor({}, 'document')) });
}

const failuresOf = ({ requirements }: Report): Report['requirements'][number]['failures'] =>
  requirements.find(({ id }) => id === ID)!.failures;

const verdictsOf = ({ requirements }: Report): readonly string[] =>
  requirements.map(({ id, verdict }) => `${id} ${verdict}`);

describe('on a target whose clock is moved', () => {
  it('the first failure of a cause is shown by a few steps, in words', async () => {
    const { report, scripts, history } = await checkTarget(faulty(), SCOPE);
    expect(report.causes?.[0]?.requirement).toBe(ID);
    const [shown] = failuresOf(report);
    expect(shown).toMatchObject({ stepsBefore: expect.any(Number) });
    expect(shown!.steps).toEqual([
      expect.stringMatching(/^submit by \/run a \(ttl 10 s.* → 200 IN_QUEUE \(#\d+\)$/),
      expect.stringMatching(/^read the status of a → 200 IN_PROGRESS \(#\d+\)$/),
      'wait 12.001 s',
      expect.stringMatching(/^read the status of a → 200 IN_PROGRESS \(#\d+\)$/),
    ]);
    // It is the last script of the run, and the history says no less than the report.
    expect(scripts.at(-1)!.steps.length).toBeLessThan(shown!.stepsBefore!);
    const again = judge(history).requirements;
    for (const { id, decided, failed } of report.requirements.filter(({ selected }) => selected !== false))
      expect(again.find((one) => one.id === id)).toMatchObject({ decided, failed });
  });

  it('the same seed shows the same', async () => {
    const [one, other] = [await checkTarget(faulty(), SCOPE), await checkTarget(faulty(), SCOPE)];
    expect(one.scripts).toEqual(other.scripts);
    expect(failuresOf(one.report)).toEqual(failuresOf(other.report));
  });

  it('no verdict changes by it, and nothing more is played where it is not wanted', async () => {
    let planned = 0;
    const asFound = await checkTarget(faulty(), {
      ...{ ...SCOPE, shrink: false },
      onPlan: (plan) => void (planned = plan.scripts.length),
    });
    const small = await checkTarget(faulty(), SCOPE);
    expect(asFound.scripts).toHaveLength(planned);
    expect(small.scripts.length).toBeGreaterThan(planned);
    expect(verdictsOf(small.report)).toEqual(verdictsOf(asFound.report));
    expect(failuresOf(asFound.report).filter(({ stepsBefore }) => stepsBefore !== undefined)).toEqual([]);
  });

  it('a failure that the baseline knows is left as it is', async () => {
    const baseline = { schema: 'runproof-baseline/1', known: [] } as const;
    let planned = 0;
    const { report, scripts } = await checkTarget(faulty(), {
      ...{ ...SCOPE, baseline },
      onPlan: (plan) => void (planned = plan.scripts.length),
      onBaseline: (updated) => void updated,
    });
    expect(report.exitCode).toBe(0);
    expect(scripts.length).toBeGreaterThan(planned);
    const known = report.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
    const second = await checkTarget(faulty(), {
      ...SCOPE,
      baseline: { ...baseline, known: known.map((requirement) => ({ requirement, reason: 'known' })) },
    });
    expect(second.scripts).toHaveLength(planned);
  });
});

it('in real time nothing more is played: the simplest script that failed is shown', async () => {
  let planned = 0;
  const target = { ...faulty(), clock: 'real' as const };
  const { report, scripts, history } = await checkTarget(target, {
    ...{ ...SCOPE, runs: 3 },
    onPlan: (plan) => void (planned = plan.scripts.length),
  });
  expect(scripts).toHaveLength(planned);
  const [shown, ...others] = failuresOf(report).map(({ calls }) => scriptOf(calls.at(-1)!, history));
  expect(others.length).toBeGreaterThan(0);
  for (const other of others) expect(shown!.calls).toBeLessThanOrEqual(other.calls);
});

function scriptOf(
  number: number,
  history: Awaited<ReturnType<typeof checkTarget>>['history'],
): { readonly calls: number } {
  const calls = history.filter((event) => event.kind === 'call');
  const script = calls.find(({ call }) => call === number)!.script;
  return { calls: calls.filter((call) => call.script === script).length };
}

it('under test control, too; its files play the small script', { timeout: 120_000 }, async () => {
  const faultyServer = await serveNaive('ttl-ignored-while-running');
  const at = (naive: Naive): readonly string[] => [naive.url, '--control', naive.controlUrl];
  const io = createFakeIo({ env: { RUNPROOF_API_KEY: 'k' } });
  const scope = ['--only', ID, '--seed', '1', '--runs', '1', '--out', 'out', '--min-decided', '1'];
  expect(
    await runCli(['check', ...at(faultyServer), ...scope, '--format', 'terminal,json,markdown,html'], io),
  ).toBe(1);
  const read = (file: string): string => readFileSync(join(io.cwd, 'out', file), 'utf8');
  const [shown] = failuresOf(JSON.parse(read('report.json')) as Report);
  const { script } = JSON.parse(read(shown!.script!)) as { script: { steps: readonly unknown[] } };
  expect(script.steps.length).toBeLessThan(shown!.stepsBefore!);
  expect(read(shown!.shell!).match(/^call \d+/gm)).toHaveLength(script.steps.length);
  const [first, ...others] = shown!.steps!.map((step) => `${step}\n`);
  const told = `Steps:    ${[first, ...others].join('            ')}`;
  expect(io.printed()).toContain(told);
  expect(io.printed()).toContain(`, shrunk from ${shown!.stepsBefore} steps\n`);
  expect(read('report.md')).toContain(`steps:    ${first!}`);
  expect(read('report.html')).toContain('<ol class="short"><li>submit by /run a');
  expect(await runCli(['replay', `out/${shown!.script!}`, ...at(faultyServer)], io)).toBe(1);
  expect(await runCli(['replay', `out/${shown!.script!}`, ...at(await serveNaive())], io)).toBe(0);
  // Judged again, the history shows the same first.
  expect(await runCli(['judge', 'out/history.ndjson'], io)).toBe(1);
  expect(io.printed().split(told)).toHaveLength(3);
});
