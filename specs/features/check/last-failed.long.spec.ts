/** `check --last-failed` and `check --bail`: what a developer types while a fault is being mended. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  folderName,
  isFixedIn,
  keepFailed,
  lastFailedOn,
  type LastFailed,
  type PlayedAgain,
} from '../../../src/features/check/last-failed.js';
import { runCli } from '../../../src/shell/program.js';
import { failureFile } from '../../../src/report/failure-file.js';
import type { Ending, Report } from '../../../src/report/index.js';
import { finishScript } from '../../../src/scenario/finish-script.js';
import { createFakeIo, type FakeIo } from '../../cli/fake-io.js';

const [A, B, C] = ['2.2/ttl-removes-running', '2.2/ttl-removes-queued', '2.7/jobs-retried'] as const;
const FAULT = ['--mutant', 'ttl-spares-running'];
const reportIn = ({ cwd }: FakeIo, folder = 'r'): Report =>
  JSON.parse(readFileSync(join(cwd, folder, 'report.json'), 'utf8')) as Report;
const failedIn = (report: Report): readonly string[] =>
  report.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);

describe('--last-failed', () => {
  it('plays the scripts that failed, by themselves, until they pass', { timeout: 240_000 }, async () => {
    const io = createFakeIo();
    const first = [
      'check',
      ...FAULT,
      '--only',
      '2.2/ttl-removes-running',
      '4.2',
      '--seed',
      '5',
      '--out',
      'r',
    ];
    expect(await runCli(first, io)).toBe(1);
    const before = reportIn(io);
    expect(failedIn(before)).toContain('2.2/ttl-removes-running');
    expect(await runCli(['check', ...FAULT, '--last-failed', '--out', 'r'], io)).toBe(1);
    const again = reportIn(io);
    expect(again.totals.scripts).toBeGreaterThan(0);
    expect(again.totals.scripts).toBeLessThan(before.totals.scripts / 2);
    expect(again.seed).toBe(5);
    expect(failedIn(again)).toEqual(failedIn(before));
    const asked = again.requirements.filter(
      ({ selected, reason }) => selected !== false && reason !== 'not selected',
    );
    expect(asked.map(({ id }) => id)).toEqual(failedIn(before));
    // Without the fault they pass, and nothing else was asked.
    expect(await runCli(['check', '--last-failed', '--out', 'r'], io)).toBe(0);
    expect(io.printed()).toMatch(
      /^FIXED: nothing failed again, (\d+) of \1 required rules checked {2}\(exit 0\)\n/m,
    );
  });

  it.each([
    [['--out', 'r'], 'there is no report in r, and no earlier run on this target has finished: '],
    [[], 'no earlier run on this target has finished: '],
  ])('without an earlier run checks everything, and says so: %j', async (options, told) => {
    const io = createFakeIo();
    expect(await runCli(['check', '--last-failed', '--only', '9', '--runs', '1', ...options], io)).toBe(0);
    expect(io.complained()).toContain(`${told}everything selected is checked\n`);
  });

  it('after a run in which nothing failed, checks beside its report', async () => {
    const io = createFakeIo();
    const narrow = ['--only', '9', '--runs', '1'];
    expect(await runCli(['check', ...narrow, '--seed', '5'], io)).toBe(0);
    const before = readFileSync(join(io.cwd, 'reports/embedded-5/history.ndjson'), 'utf8');
    const again = ['check', '--last-failed', ...narrow];
    for (const folder of ['reports/embedded-5.2', 'reports/embedded-5.3']) {
      expect(await runCli(again, io)).toBe(0);
      expect(reportIn(io, folder).seed).toBe(5);
    }
    expect(readFileSync(join(io.cwd, 'reports/embedded-5/history.ndjson'), 'utf8')).toBe(before);
  });

  it('keeps what failed, whatever the folders, until it has passed', { timeout: 240_000 }, async () => {
    const io = createFakeIo();
    const narrow = [
      '--only',
      '2.2/ttl-removes-running',
      '2.2/ttl-default-*',
      '2.2/ttl-*-running',
      '--seed',
      '5',
      '--runs',
      '1',
    ];
    expect(await runCli(['check', ...FAULT, ...narrow, '--out', 'first'], io)).toBe(1);
    const before = failedIn(reportIn(io, 'first'));
    expect(before.length).toBeGreaterThan(1);
    // A run that was asked something else, and one without the fault that was asked one of them.
    expect(await runCli(['check', '--last-failed', '--only', '9', '--out', 'other'], io)).toBe(0);
    expect(io.complained()).toContain('nothing selected failed in first: everything selected is checked');
    expect((await lastFailedOn('reports/embedded', undefined, io.cwd))!.requirements).toEqual(before);
    const again = ['check', ...FAULT, '--last-failed', '--only', before[0]!, '--out', 'first'];
    expect(await runCli(again, io)).toBe(1);
    expect((await lastFailedOn('reports/embedded', 'first', io.cwd))!.requirements).toHaveLength(
      before.length,
    );
    expect(await runCli(['check', ...FAULT, '--last-failed'], io)).toBe(1);
    expect(await runCli(['check', ...FAULT, '--last-failed', '--only', before[0]!], io)).toBe(1);
    expect(new Set(failedIn(reportIn(io, 'reports/embedded-5.last-failed')))).toEqual(new Set(before));
    expect(failedIn(reportIn(io, 'reports/embedded-5.last-failed.2'))).toEqual([before[0]]);
    expect(await runCli(['check', '--last-failed', '--out', 'second'], io)).toBe(0);
    expect((await lastFailedOn('reports/embedded', 'first', io.cwd))!.requirements).toEqual([]);
  });

  it('drops what a run to its end has seen pass, and nothing after one that was cut', async () => {
    const { cwd } = createFakeIo();
    const row = (id: string, verdict: string, selected = true) => ({
      id,
      verdict,
      failures: [],
      ...(!selected && { selected }),
    });
    const keep = (
      exitCode: number,
      ending: Ending,
      before: LastFailed | null,
      ...requirements: readonly object[]
    ): Promise<readonly object[]> =>
      keepFailed('reports/h', before, { seed: 1, exitCode, requirements } as unknown as Report, {
        folder: 'x',
        ending,
        cwd,
      }).then(({ unsure }) => [...unsure]);
    const kept = async () => (await lastFailedOn('reports/h', undefined, cwd))!.requirements;
    await keep(1, 'finished', null, row(A, 'fail'), row(B, 'fail'), row(C, 'fail'));
    await keep(130, 'interrupted', null, row(A, 'pass'));
    expect(await kept()).toEqual([A, B, C]);
    expect(await keep(1, 'stopped-early', null, row(A, 'pass'), row(B, 'fail'), row(C, 'pass'))).toEqual([]);
    expect(await kept()).toEqual([B, A, C]);
    await keep(0, 'finished', null, row(A, 'pass', false), row(B, 'inconclusive'), row(C, 'pass'));
    expect(await kept()).toEqual([B, A]);
    // A newer report elsewhere is about others.
    const before = { ...(await lastFailedOn('reports/h', undefined, cwd))!, requirements: [C] };
    await keep(1, 'finished', before, row(C, 'fail'));
    expect(await kept()).toEqual([C, B, A]);
    writeFileSync(join(cwd, 'reports/h.last-failed.json'), '{}');
    await expect(kept()).rejects.toThrow('reports/h.last-failed.json is damaged: remove it');
  });
});

describe('what failed in one of several plays', () => {
  const script = finishScript({ scenario: 'one', title: 'one', seed: 1, workers: 1, needs: [] }, [
    { do: 'run', job: 'a' },
  ]);
  /** After a run of which A is kept, to pass so often. */
  const keptBy = (runsLeft: number) => {
    const { cwd } = createFakeIo();
    const scripts = [{ requirements: [A], script, runs: 2, runsLeft }];
    const file = join(cwd, 'reports/h.last-failed.json');
    mkdirSync(join(cwd, 'reports/failures'), { recursive: true });
    writeFileSync(
      file,
      JSON.stringify({
        schema: 'runproof-last-failed/1',
        folder: 'x',
        seed: 1,
        requirements: [A, B],
        scripts,
      }),
    );
    const keep = (exitCode: number, requirements: readonly object[]): Promise<readonly object[]> =>
      keepFailed('reports/h', null, { seed: 1, exitCode, requirements } as unknown as Report, {
        folder: 'reports',
        ending: 'finished',
        cwd,
      }).then(({ unsure }) => [...unsure]);
    return {
      kept: () => JSON.parse(readFileSync(file, 'utf8')) as LastFailed,
      passes: () =>
        keep(
          0,
          [A, B].map((id) => ({ id, verdict: 'pass', failures: [] })),
        ),
      fails: () => {
        const saved = failureFile({ runproof: '0', edition: 'document', target: 't' }, [], script as never);
        const failures = [{ requirement: A, expected: '', actual: '', proof: [], calls: [] }];
        writeFileSync(join(cwd, 'reports/failures/a.json'), JSON.stringify({ ...saved, failures }));
        return keep(1, [{ id: A, verdict: 'fail', failures: [{ script: 'failures/a.json' }] }]);
      },
    };
  };

  it('is kept until it has passed so often that this says something', async () => {
    const { kept, passes } = keptBy(2);
    expect(await passes()).toEqual([[A, 1]]);
    expect(kept().requirements).toEqual([A]);
    expect(await passes()).toEqual([[A, 0]]);
    expect(kept().requirements).toEqual([]);
  });

  it('has to pass as often again, where it fails again and is not measured', async () => {
    const { kept, passes, fails } = keptBy(1);
    expect(await fails()).toEqual([]);
    expect(kept().scripts.map(({ runs, runsLeft }) => [runs, runsLeft])).toEqual([[2, 2]]);
    expect(await passes()).toEqual([[A, 1]]);
  });
});

it.each([
  ['reports/embedded', null, null],
  ['reports/h-8080', 'http://h:8080', null],
  ['reports/h-8080-test', 'http://h:8080/', 'test'],
  // Behind a gateway, another service may be at each path.
  ['reports/h-staging-api-test', 'http://h/staging/api', 'test'],
])('keeps it in %s', (folder, url, endpoint) => {
  expect(folderName({ url, endpoint })).toBe(folder);
});

it('a check says that the file of what failed is damaged, and goes on', async () => {
  const io = createFakeIo();
  mkdirSync(join(io.cwd, 'reports'));
  writeFileSync(join(io.cwd, 'reports/embedded.last-failed.json'), '{}');
  expect(await runCli(['check', '--only', '9', '--seed', '1', '--runs', '1'], io)).toBe(0);
  expect(io.complained()).toContain(
    'what failed is not kept for --last-failed: reports/embedded.last-failed.json is damaged: remove it\n',
  );
});

it('--bail ends the run soon after a must has failed', { timeout: 240_000 }, async () => {
  const scope = ['--only', '2.2', '--seed', '1', '--runs', '1'];
  const io = createFakeIo();
  expect(await runCli(['check', ...FAULT, ...scope, '--bail', '--out', 'r'], io)).toBe(1);
  expect(io.complained()).toMatch(/stopped early: 2\.2\/\S+ failed \(--bail\)\n/);
  const { warnings, totals } = reportIn(io);
  expect(warnings.join()).toMatch(/stopped early, after \d+ of \d+ scripts: 2\.2\/\S+ failed \(--bail\)/);
  const planned = Number(/after \d+ of (\d+) scripts/.exec(warnings.join())?.[1]);
  expect(totals.scripts).toBeLessThan(planned);
  // What it found is made small all the same.
  const shown = reportIn(io).requirements.flatMap(({ failures }) => failures);
  expect(shown.map(({ stepsBefore }) => stepsBefore)).toContainEqual(expect.any(Number));
  // Where nothing fails it changes nothing.
  expect(await runCli(['check', '--only', '9', '--bail', '--out', 'whole'], io)).toBe(0);
  expect(reportIn(io, 'whole').warnings.join()).not.toContain('stopped early');
});

it(
  'draws new scripts for what its script no longer decides, and then drops it',
  { timeout: 240_000 },
  async () => {
    const io = createFakeIo();
    const rule = '4.5/cancels-retried-job';
    const fault = ['--mutant', 'cancel-only-queued'];
    expect(await runCli(['check', ...fault, '--only', rule, '--seed', '1', '--out', 'r'], io)).toBe(1);
    expect(failedIn(reportIn(io))).toContain(rule);
    const kept = async () => (await lastFailedOn('reports/embedded', undefined, io.cwd))!;
    await runCli(['check', '--last-failed', '--out', 'again'], io);
    expect(io.complained()).toContain(`so a later --last-failed draws new ones: ${rule}\n`);
    expect(await kept()).toMatchObject({ requirements: [rule], scripts: [] });
    expect(await runCli(['check', '--last-failed', '--out', 'anew'], io)).toBe(0);
    expect((await kept()).requirements).toEqual([]);
  },
);

it.each<readonly [string, Ending, boolean, boolean, object, readonly string[]]>([
  ['drops what its scripts violate no more', 'finished', true, true, { mended: [A], anew: [] }, []],
  ['keeps what they do not show', 'finished', false, true, { mended: [], anew: [A] }, [A]],
  [
    'keeps what a run that was cut has not played in whole',
    'stopped-early',
    true,
    false,
    { mended: [] },
    [A],
  ],
  ['drops what a run that was cut has played in whole', 'time', true, true, { mended: [A], anew: [] }, []],
  ['draws nothing anew after a run that was cut', 'time', false, true, { mended: [], anew: [] }, [A]],
])('where nothing is decided it %s', async (_, ending, isKept, isPlayed, told, left) => {
  const { cwd } = createFakeIo();
  const script = finishScript({ scenario: 's', title: 't', seed: 1, needs: [], workers: 1 }, []);
  const played = [{ requirements: [A], script }];
  const known = {
    schema: 'runproof-last-failed/1',
    folder: 'x',
    seed: 1,
    requirements: [A],
    scripts: played,
  };
  mkdirSync(join(cwd, 'reports'));
  writeFileSync(join(cwd, 'reports/h.last-failed.json'), JSON.stringify(known));
  const report = { seed: 1, exitCode: 6, requirements: [{ id: A, verdict: 'not-exercised', failures: [] }] };
  const about = { folder: 'x', ending, cwd, played, isKept: () => isKept, isPlayed: () => isPlayed };
  expect(await keepFailed('reports/h', null, report as unknown as Report, about)).toMatchObject(told);
  expect((await lastFailedOn('reports/h', undefined, cwd))!.requirements).toEqual(left);
});

it.each<readonly [string, boolean, Partial<PlayedAgain>, number | undefined, readonly string[]]>([
  ['fixed, violated no more', true, { isAnswered: () => false }, undefined, []],
  ['not fixed, not shown', false, { isKept: () => false }, undefined, []],
  ['not fixed, shown in part', false, { isKept: (_, { scenario }) => scenario === 's' }, undefined, []],
  ['not fixed, cut', false, { isPlayed: () => false, isAnswered: () => false }, undefined, []],
  ['fixed, passed', true, { isKept: () => false }, undefined, [A]],
  ['not fixed, passed beside lost calls', false, { isKept: () => false, isAnswered: () => false }, 1, [A]],
  ['not fixed, intermittent', false, {}, 2, [A]],
  ['fixed, intermittent and passed at last', true, {}, 1, [A]],
])('what was checked again is %s', (_, isFixed, seen, runsLeft, passed) => {
  const of = (scenario: string) => finishScript({ scenario, title: 't', seed: 1, needs: [], workers: 1 }, []);
  const scripts = ['s', 't'].map((name) => ({ requirements: [A], script: of(name), runsLeft }) as never);
  const last = { folder: 'x', hasFinished: true, seed: 1, requirements: [A], scripts };
  const again = { isKept: () => true, isPlayed: () => true, isAnswered: () => true, ...seen };
  expect(isFixedIn(last, passed, again)).toBe(isFixed);
  // Of what has no script, only a decision says so.
  expect(isFixedIn({ ...last, scripts: [] }, passed, again)).toBe(passed.length > 0);
  expect(isFixedIn({ ...last, requirements: [] }, passed, again)).toBe(false);
});

it.each([
  [true, []],
  [false, [A]],
])(
  'what passes in a run that was cut is dropped if all its scripts were played: %s',
  async (isPlayed, left) => {
    const { cwd } = createFakeIo();
    const script = finishScript({ scenario: 's', title: 't', seed: 1, needs: [], workers: 1 }, []);
    const played = [{ requirements: [A], script }];
    const known = {
      schema: 'runproof-last-failed/1',
      folder: 'x',
      seed: 1,
      requirements: [A],
      scripts: played,
    };
    mkdirSync(join(cwd, 'reports'));
    writeFileSync(join(cwd, 'reports/h.last-failed.json'), JSON.stringify(known));
    const report = { seed: 1, exitCode: 1, requirements: [{ id: A, verdict: 'pass', failures: [] }] };
    const about = {
      folder: 'x',
      ending: 'time',
      cwd,
      played,
      isPlayed: () => isPlayed,
      isKept: () => true,
    } as const;
    await keepFailed('reports/h', null, report as unknown as Report, about);
    expect((await lastFailedOn('reports/h', undefined, cwd))!.requirements).toEqual(left);
  },
);

it('of what passes in a run that was cut, the scripts that it did not play to their end are left', async () => {
  const { cwd } = createFakeIo();
  const of = (scenario: string) => finishScript({ scenario, title: 't', seed: 1, needs: [], workers: 1 }, []);
  const played = ['whole', 'aborted'].map((scenario) => ({ requirements: [A], script: of(scenario) }));
  const known = {
    schema: 'runproof-last-failed/1',
    folder: 'x',
    seed: 1,
    requirements: [A],
    scripts: played,
  };
  mkdirSync(join(cwd, 'reports'));
  writeFileSync(join(cwd, 'reports/h.last-failed.json'), JSON.stringify(known));
  const report = { seed: 1, exitCode: 1, requirements: [{ id: A, verdict: 'pass', failures: [] }] };
  const isPlayed = ({ scenario }: { readonly scenario: string }): boolean => scenario === 'whole';
  const about = { folder: 'x', ending: 'time', cwd, isPlayed, isKept: () => true } as const;
  await keepFailed('reports/h', null, report as unknown as Report, { ...about, played });
  const left = (await lastFailedOn('reports/h', undefined, cwd))!;
  expect(left.requirements).toEqual([A]);
  expect(left.scripts.map(({ script }) => script.scenario)).toEqual(['aborted']);
  // A later run plays that alone.
  const rest = { ...about, played: left.scripts, isPlayed: () => true };
  await keepFailed('reports/h', null, report as unknown as Report, rest);
  expect((await lastFailedOn('reports/h', undefined, cwd))!.requirements).toEqual([]);
});
