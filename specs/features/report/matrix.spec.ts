/** Several reports side by side, and one as a badge. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '../../../src/shell/program.js';
import type { Matrix } from '../../../src/report/compare/matrix.js';
import { FINDINGS, madeUpReport } from '../../report/sample-report.js';
import { createFakeIo, type FakeIo } from '../../cli/fake-io.js';

/** A report with one failure, and one in which it is fixed. */
function ioWithReports(): FakeIo {
  const io = createFakeIo();
  const [failing, ...others] = FINDINGS.requirements;
  const fixed = { ...failing!, verdict: 'pass' as const, failed: 0, failures: [] };
  const reports = {
    monday: madeUpReport(),
    tuesday: madeUpReport({ ...FINDINGS, requirements: [fixed, ...others] }),
  };
  for (const [name, report] of Object.entries(reports)) {
    mkdirSync(join(io.cwd, name));
    writeFileSync(join(io.cwd, name, 'report.json'), JSON.stringify(report));
  }
  return io;
}

it('shows what differs and what failed, a column for each report', async () => {
  const io = ioWithReports();
  expect(await runCli(['report', 'matrix', 'monday', 'tuesday/report.json', '--out', 'trend'], io)).toBe(0);
  expect(io.printed()).toMatch(/^1 {2}monday .*1 failed, 2 of 5 required rules checked$/m);
  expect(io.printed()).toMatch(/^2 {2}tuesday .*0 failed, 2 of 5 required rules checked$/m);
  expect(io.printed()).toMatch(/^2\.2\/ttl-removes {2}✘ {2}✔ *$/m);
  expect(io.printed()).not.toContain('2.2/never-revived');
  const page = readFileSync(join(io.cwd, 'trend/matrix.html'), 'utf8');
  expect(page).toContain('<th scope="row">2.2/ttl-removes');
  expect(page).not.toContain('<script');
  const data = JSON.parse(readFileSync(join(io.cwd, 'trend/matrix.json'), 'utf8')) as Matrix;
  expect(data.rows).toEqual([{ id: '2.2/ttl-removes', level: 'must', marks: ['fail', 'pass'] }]);
});

it('names clients by name and version, and runs of one client by their folders', async () => {
  const io = ioWithReports();
  const write = (folder: string, name: string): void => {
    const report = { ...madeUpReport(), subject: 'client' as const };
    writeFileSync(
      join(io.cwd, folder, 'report.json'),
      JSON.stringify({ ...report, target: { ...report.target, name } }),
    );
  };
  write('monday', 'my-sdk 1.1');
  write('tuesday', 'my-sdk 1.2');
  expect(await runCli(['report', 'matrix', 'monday', 'tuesday'], io)).toBe(0);
  expect(io.printed()).toMatch(/^1 {2}my-sdk 1\.1 .*\n2 {2}my-sdk 1\.2 /m);
  write('tuesday', 'my-sdk 1.1');
  expect(await runCli(['report', 'matrix', 'monday', 'tuesday'], io)).toBe(0);
  expect(io.printed()).toMatch(/^1 {2}monday .*\n2 {2}tuesday /m);
});

it('prints a badge of one report', async () => {
  const io = ioWithReports();
  expect(await runCli(['report', 'badge', 'monday'], io)).toBe(0);
  expect(JSON.parse(io.printed())).toEqual({
    schemaVersion: 1,
    label: 'runproof',
    message: '1 of 2 required rules failed',
    color: 'red',
  });
  expect(await runCli(['report', 'badge', 'monday', 'tuesday'], io)).toBe(2);
});
