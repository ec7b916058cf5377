/** `judge` of several files names by how much their clocks may differ, and takes what the user says. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../../../src/shell/program.js';
import type { Report } from '../../../src/report/index.js';
import { LIFE, line, ndjson } from '../../traffic/recordings.js';
import { createFakeIo } from '../../cli/fake-io.js';

test('the assumption is in the report, unless it is one clock', { timeout: 60_000 }, async () => {
  const io = createFakeIo();
  for (const [name, told] of [
    ['a.ndjson', LIFE.slice(0, 3)],
    ['b.ndjson', LIFE.slice(3)],
  ] as const)
    writeFileSync(join(io.cwd, name), ndjson(told.map((one) => line(one))));
  const judged = async (...options: readonly string[]): Promise<Report> => {
    const fixed = ['--min-decided', '1', '--out', 'r', '--format', 'terminal,json'];
    expect(await runCli(['judge', ...fixed, ...options], io)).toBe(0);
    return JSON.parse(readFileSync(join(io.cwd, 'r/report.json'), 'utf8')) as Report;
  };
  const sure = ['--world', 'closed', '--crashes', 'no'];
  expect((await judged('a.ndjson', 'b.ndjson', ...sure)).assumptions).toMatchObject({ clockSkewMs: 1_000 });
  expect(io.printed()).toContain(
    'the clocks of the files may differ by 1000 ms: --clock-skew says by how much',
  );
  // The history remembers it.
  writeFileSync(join(io.cwd, 'history.ndjson'), readFileSync(join(io.cwd, 'r/history.ndjson')));
  expect((await judged('history.ndjson')).assumptions).toMatchObject({ clockSkewMs: 1_000 });
  const less = await judged('a.ndjson', 'b.ndjson', '--clock-skew', '250ms');
  expect(less.assumptions).toMatchObject({ clockSkewMs: 250 });
  const one = await judged('a.ndjson', 'b.ndjson', '--clock-skew', '0', ...sure);
  expect(one.assumptions).toBeUndefined();
});
