/** `check --last-failed` and `check --bail`: what a developer types while a fault is being mended. */
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newestReport } from '../../../src/features/check/last-failed.js';
import { runCli } from '../../../src/shell/program.js';
import type { Report } from '../../../src/report/index.js';
import { createFakeIo, type FakeIo } from '../../cli/fake-io.js';

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
    expect(io.printed()).toMatch(/CONFORMS: nothing failed, .* {2}\(exit 0\)\n$/);
  });

  it.each([
    [['--last-failed', '--out', 'r'], 'there is no report in r. Run check without it first'],
    [['--last-failed'], 'there is no report reports/embedded-SEED of a run that has finished'],
  ])('needs a report: %j', async (options, complaint) => {
    const io = createFakeIo();
    expect(await runCli(['check', ...options], io)).toBe(2);
    expect(io.complained()).toContain(complaint);
  });

  it('finds the newest report of a run that finished and failed', () => {
    const { cwd } = createFakeIo();
    const write = (name: string, seconds: number, exitCode: number): void => {
      mkdirSync(join(cwd, 'reports', name), { recursive: true });
      writeFileSync(join(cwd, 'reports', name, 'report.json'), JSON.stringify({ exitCode }));
      utimesSync(join(cwd, 'reports', name, 'report.json'), seconds, seconds);
    };
    write('h-1', 1_000, 0);
    write('h-other-9', 9_000, 1);
    expect(newestReport('reports/h', cwd)).toBe('reports/h-1');
    write('h-22', 2_000, 1);
    write('h-3', 3_000, 1);
    // Interrupted, and of a lost target.
    write('h-4', 4_000, 130);
    write('h-5', 5_000, 3);
    write('h-6', 6_000, 0);
    expect(newestReport('reports/h', cwd)).toBe('reports/h-3');
    expect(newestReport('reports/none', cwd)).toBeNull();
  });
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
