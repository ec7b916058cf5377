import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCli } from '../../src/shell/program.js';
import type { DialectFile } from '../../src/report/dialect.js';
import type { Report } from '../../src/report/index.js';
import { ROOT } from '../project/sources.js';
import { createFakeIo } from './fake-io.js';

const FEW = ['--only', '7/unknown-job', '4.6/retry-of-a-completed-job', '4/odd-requests', '--seed', '1'];

it('saves what it observed, follows it, and tells what has drifted with exit code 1', async () => {
  const io = createFakeIo();
  writeFileSync(
    join(io.cwd, 'wish.json'),
    '{"4.6/wrong-state-answer-completed": "refused-409", "7/error-body": "problem-details"}',
  );
  // Without an address the embedded endpoint follows the dialect that it is held to.
  expect(
    await runCli(['check', ...FEW, '--dialect', 'wish.json', '--save-dialect', 'out/seen.json'], io),
  ).toBe(0);
  const seen = JSON.parse(readFileSync(join(io.cwd, 'out/seen.json'), 'utf8')) as DialectFile;
  expect(seen.readings).toMatchObject({
    '4.6/wrong-state-answer-completed': { reading: 'refused-409' },
    '7/error-body': { reading: 'problem-details' },
  });
  expect(seen.unstable).toEqual({});
  expect(io.complained()).toMatch(/dialect: out\/seen.json, \d+ readings, \d+ not observed/);

  // The plain endpoint's history, held to what was seen of the other.
  const plain = createFakeIo();
  expect(await runCli(['check', ...FEW, '--out', 'out'], plain)).toBe(0);
  writeFileSync(join(plain.cwd, 'seen.json'), JSON.stringify(seen));
  const args = ['judge', 'out/history.ndjson', '--dialect', 'seen.json', '--out', 'held'];
  expect(
    await runCli([...args, '--format', 'terminal,json,junit,ctrf,sarif,tap,markdown,github'], plain),
  ).toBe(1);
  expect(plain.printed()).toContain('✘ 7/error-body: error-string instead of problem-details');
  expect(plain.printed()).toMatch(/DIALECT DRIFTED: 2 of \d+ readings differ, no required rule failed/);
  const file = (name: string): string => readFileSync(join(plain.cwd, 'held', name), 'utf8');
  expect((JSON.parse(file('report.json')) as Report).dialect?.drift).toHaveLength(2);
  for (const name of [
    'junit.xml',
    'ctrf.json',
    'report.sarif',
    'report.tap',
    'report.md',
    'github-annotations.txt',
  ])
    expect(file(name), name).toContain('error-string instead of problem-details');
});

it('refuses a dialect that is none before anything is sent', async () => {
  const io = createFakeIo();
  writeFileSync(join(io.cwd, 'wrong.json'), '{"8/megabyte": "roman"}');
  expect(await runCli(['check', '--dialect', 'wrong.json'], io)).toBe(2);
  expect(io.complained()).toContain('is not a reading of 8/megabyte; known are decimal, binary');
});

it('is how explore and replay let our own endpoint answer', { timeout: 60_000 }, async () => {
  const io = createFakeIo();
  writeFileSync(join(io.cwd, 'wish.json'), '{"7/error-body": "problem-details"}');
  const dialect = ['--dialect', 'wish.json'];
  const few = ['--runs', '32', '--seed', '1', '--threads', '1', '--out', 'explored'];
  expect(await runCli(['explore', ...few, ...dialect], io), io.printed()).toBe(0);
  const saved = join(ROOT, 'scenarios/corpus/unauthorized-cancel-works.json');
  const again = ['replay', saved, '--mutant', 'none', ...dialect, '--out', 'again', '--format', 'json'];
  expect(await runCli(again, io), io.complained()).toBe(0);
  const report = JSON.parse(readFileSync(join(io.cwd, 'again/report.json'), 'utf8')) as Report;
  expect(report.openQuestions.find(({ id }) => id === '7/error-body')?.readings).toEqual(['problem-details']);
  const env = { RUNPROOF_API_KEY: 'k' };
  const remote = createFakeIo({ cwd: io.cwd, env });
  expect(await runCli(['replay', saved, 'http://127.0.0.1:9/v2/test', ...dialect], remote)).toBe(2);
  expect(remote.complained()).toContain('omit the URL');
});
