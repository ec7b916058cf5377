/** `verify`: the command, and the file that it runs by itself. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { MUTANTS } from '../../../src/mutants/index.js';
import { PACKAGE_ROOT } from '../../../src/package-files.js';
import { runCli } from '../../../src/shell/program.js';
import { createFakeIo } from '../../cli/fake-io.js';
import { reportOn } from './faulty-report.js';

it('accepts a report, refuses a changed one, and needs its history', { timeout: 60_000 }, async () => {
  const { report, history } = await reportOn(MUTANTS.find(({ id }) => id === 'input-optional')!);
  const io = createFakeIo();
  const written = (value: unknown): void => writeFileSync(join(io.cwd, 'report.json'), JSON.stringify(value));
  written(report);
  expect(await runCli(['verify', '.'], io)).toBe(2);
  expect(io.complained()).toContain('history.ndjson');
  writeFileSync(
    join(io.cwd, 'history.ndjson'),
    history.map((event) => `${JSON.stringify(event)}\n`).join(''),
  );
  expect(await runCli(['verify', 'report.json'], io)).toBe(0);
  expect(io.printed()).toMatch(/^verified: 2\.1\/input-missing-refused-run 1 \(answer\): one answer\n/);
  const alone = execFileSync(process.execPath, [join(PACKAGE_ROOT, 'bin', 'runproof-verify.mjs'), io.cwd]);
  expect(alone.toString()).toBe(io.printed());
  const legal = history.find((event) => event.kind === 'call' && event.reply?.status === 400);
  const calls = legal?.kind === 'call' ? [legal.call] : [];
  expect(calls).not.toEqual([]);
  const requirements = report.requirements.map(({ failures, ...requirement }) => ({
    ...requirement,
    failures: failures.map((failure) => ({ ...failure, calls })),
  }));
  written({ ...report, requirements });
  expect(await runCli(['verify', '.'], io)).toBe(1);
  expect(io.printed()).toContain('REFUSED: 2.1/input-missing-refused-run 1 (answer): no call breaks');
  writeFileSync(join(io.cwd, 'report.json'), '{');
  for (const command of ['verify', 'show']) expect(await runCli([command, '.'], io)).toBe(2);
  expect(io.complained()).toMatch(/: the report is damaged: it is not JSON\. Run the check again, or name/);
  expect(io.complained()).toMatch(/ \. is damaged: it is not JSON\. Run the check again, or name another/);
});
