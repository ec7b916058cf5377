/** What `runproof check` can do, the library can do. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { checkTarget, simulatorTarget, type Script, type SimulatorTarget } from '../../src/index.js';
import { UsageError } from '../../src/util/errors.js';
import { MUTANTS } from '../../src/mutants/index.js';
import { rulesFor } from '../../src/core/rules.js';

const FAULT = 'ttl-spares-running';
const BROKEN = '2.2/ttl-removes-running';

function faulty(): SimulatorTarget {
  const mutant = MUTANTS.find(({ id }) => id === FAULT)!;
  return simulatorTarget({ seed: 1, graceMs: 2_000, rules: mutant.rules(rulesFor({}, 'document')) });
}

function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'runproof-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it('runs only the scenarios of a requirement, and counts no other', async () => {
  const { conforms, scripts, report } = await checkTarget(faulty(), { seed: 1, runs: 1, only: [BROKEN] });
  expect(conforms).toBe(false);
  expect(scripts.length).toBeGreaterThan(0);
  const all = await checkTarget(faulty(), { seed: 1, runs: 1, only: ['2.2'], skip: [BROKEN] });
  expect(all.scripts.length).toBeGreaterThan(1);
  expect(report).toMatchObject({ exitCode: 1 });
  const counted = report.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  expect(counted).toEqual([BROKEN]);
  const others = all.report.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
  expect(others).not.toContain(BROKEN);
});

it('rejects a selector that matches nothing', async () => {
  await expect(checkTarget(faulty(), { only: ['2.2/no-such-thing'] })).rejects.toThrow(UsageError);
});

it('runs what the plan says, of which it tells before anything is sent', async () => {
  let planned: readonly Script[] = [];
  const { scripts } = await checkTarget(faulty(), {
    ...{ seed: 1, runs: 1, only: ['2.2'] },
    onPlan: (plan) => void (planned = plan.scripts),
  });
  // Behind them stand those that made its failures small.
  expect(scripts.slice(0, planned.length)).toEqual(planned);
  const refused = checkTarget(faulty(), {
    onPlan() {
      throw new Error('not these');
    },
  });
  await expect(refused).rejects.toThrow('not these');
});

it('writes the report, its history and its failures, shrunk and confirmed', async () => {
  const out = join(ownFolder(), 'report');
  const messages: string[] = [];
  const { report, folder } = await checkTarget(faulty(), {
    ...{ seed: 1, runs: 1, only: [BROKEN], out, formats: ['json', 'junit'], shrink: true },
    onMessage: (line) => void messages.push(line),
  });
  expect(folder).toBe(out);
  expect(readdirSync(out).toSorted()).toEqual(['failures', 'history.ndjson', 'junit.xml', 'report.json']);
  const failures = report.requirements.flatMap((requirement) => requirement.failures);
  const confirmed = failures.find((failure) => failure.confirmed !== null)!;
  expect(confirmed.confirmed).toMatchObject({ failed: 3, plays: 3 });
  expect(existsSync(join(out, confirmed.script!))).toBe(true);
  expect(messages).toEqual([expect.stringContaining('three')]);
});

it('holds the target to a dialect, and knows the failures of a baseline', async () => {
  const target = simulatorTarget({ seed: 1, graceMs: 2_000 });
  const usual = await checkTarget(target, { seed: 1, runs: 1, only: ['4.4'] });
  const question = usual.findings.openQuestions.find(({ readings }) => readings.length === 1)!;
  const dialect = { [question.id]: 'something else' };
  const drifted = await checkTarget(simulatorTarget({ seed: 1, graceMs: 2_000 }), {
    ...{ seed: 1, runs: 1, only: ['4.4'], dialect },
  });
  expect(usual.report.exitCode).toBe(0);
  expect(drifted.report.exitCode).toBe(1);
  let updated: { readonly known: readonly { readonly requirement: string }[] } | null = null;
  const known = await checkTarget(faulty(), {
    ...{ seed: 1, runs: 1, only: [BROKEN], baseline: { schema: 'runproof-baseline/1', known: [] } },
    onBaseline: (fresh) => void (updated = fresh),
  });
  expect(updated).toMatchObject({ known: [{ requirement: BROKEN }] });
  expect(known.report.exitCode).toBe(0);
});

it('stops when the budget is spent, and says so', async () => {
  const target = faulty();
  const endless: typeof target.run = (_scripts, _sink, { signal } = {}) =>
    new Promise((resolve) => {
      const summary = { finished: 0, aborted: [], calls: 0, elapsedMs: 0, leftBehind: [] };
      signal!.addEventListener('abort', () => resolve(summary));
    });
  const { report, conforms } = await checkTarget(
    { ...target, run: endless },
    { seed: 1, runs: 1, only: [BROKEN], budgetMs: 1_000 },
  );
  expect(report.exitCode).toBe(7);
  expect(conforms).toBe(false);
});
