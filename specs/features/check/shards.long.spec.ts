/** `check --shard I/N`, and `report merge` of what the shards wrote. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { runCli } from '../../../src/shell/program.js';
import type { Report } from '../../../src/report/index.js';
import { createFakeIo, type FakeIo } from '../../cli/fake-io.js';

const reportIn = (io: FakeIo, folder: string): Report =>
  JSON.parse(readFileSync(join(io.cwd, folder, 'report.json'), 'utf8')) as Report;
const run = (io: FakeIo, ...args: readonly string[]): Promise<number> => runCli(args, io);
const verdicts = ({ requirements }: Report) =>
  requirements.map(({ id, verdict, selected }) => `${id} ${verdict} ${String(selected)}`);

it('shards of a check, merged, say what the whole says', { timeout: 120_000 }, async () => {
  const io = createFakeIo();
  const wish = ['check', '--only', '4.3', '4.5', '--runs', '1'];
  expect(await run(io, ...wish, '--seed', '0', '--out', 'whole')).toBe(0);
  for (const shard of ['1', '2', '3']) expect(await run(io, ...wish, '--shard', `${shard}/3`)).toBe(0);
  expect(io.printed()).toMatch(
    /^NOTHING FAILED: \d+ of \d+ required rules checked in shard 2 of 3 {2}\(exit 0\)$/m,
  );
  expect(io.complained()).toContain(
    'next: npx runproof report merge FOLDERS  join the reports of all 3 shards',
  );
  const folders = [1, 2, 3].map((shard) => `reports/embedded-0-${shard}-of-3`);
  const validate = new Ajv2020({ allowUnionTypes: true }).compile(
    JSON.parse(readFileSync('schemas/report.schema.json', 'utf8')) as object,
  );
  for (const folder of folders) {
    validate(reportIn(io, folder));
    expect(validate.errors).toBeNull();
  }
  // Some rules range over cases that are in different shards.
  const cases = folders.flatMap((folder) =>
    reportIn(io, folder).requirements.flatMap(({ casesLeft }) => casesLeft ?? []),
  );
  expect(cases).not.toEqual([]);
  expect(await run(io, 'report', 'merge', ...folders, '--out', 'all')).toBe(0);
  const [whole, all] = [reportIn(io, 'whole'), reportIn(io, 'all')];
  expect(all.verdict).toBe(whole.verdict);
  expect(all.warnings).toEqual(whole.warnings);
  expect(verdicts(all)).toEqual(verdicts(whole));
  expect(await run(io, 'report', 'merge', folders[0]!, folders[2]!, '--out', 'part')).toBe(6);
  expect(io.printed()).toContain('! shard 2 of 3 is missing: ');
  validate(reportIn(io, 'part'));
  expect(validate.errors).toBeNull();
});

it('a shard that passed takes nothing off the list of --last-failed', { timeout: 60_000 }, async () => {
  const io = createFakeIo();
  const wish = ['check', '--only', '4.7', '--runs', '1', '--no-shrink', '--seed', '0'];
  expect(await run(io, ...wish, '--mutant', 'purge-kills-running')).toBe(1);
  const kept = (): unknown =>
    (JSON.parse(readFileSync(join(io.cwd, 'reports/embedded.last-failed.json'), 'utf8')) as Report)
      .requirements;
  const before = kept();
  for (const shard of ['1/2', '2/2']) expect(await run(io, ...wish, '--shard', shard)).toBe(0);
  expect(kept()).toEqual(before);
  expect(await run(io, ...wish)).toBe(0);
  expect(kept()).toEqual([]);
});

it.each([
  [['--shard', '5/4'], '--shard requires I/N such as 3/16, not "5/4"'],
  [['--shard', '0/4'], '--shard requires I/N such as 3/16, not "0/4"'],
  [['--shard', 'two'], '--shard requires I/N such as 3/16, not "two"'],
  [['--shard', '1/9999'], 'too many shards for'],
  [
    ['--shard', '1/2', '--last-failed'],
    '--shard cannot be used with --last-failed, which needs a whole check',
  ],
  [['--shard', '1/2', '--watch'], '--shard cannot be used with --watch'],
])('refuses %j', async (args, complaint) => {
  const io = createFakeIo();
  expect(await run(io, 'check', ...args)).toBe(2);
  expect(io.complained()).toContain(complaint);
});

it('plans a shard', async () => {
  const io = createFakeIo();
  expect(await run(io, 'plan', '--only', '4.2', '--shard', '1/2', '--format', 'json')).toBe(0);
  expect(JSON.parse(io.printed())).toMatchObject({ seed: 0 });
});
