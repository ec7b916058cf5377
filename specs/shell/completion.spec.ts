/** What the shell is given when a user presses Tab. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../src/shell/program.js';
import { REQUIREMENTS } from '../../src/spec/index.js';
import { named } from '../../scenarios/index.js';
import { madeUpReport } from '../report/sample-report.js';
import { createFakeIo } from '../cli/fake-io.js';

/** The candidates for the last of these words; nothing else may be printed. */
async function complete(words: readonly string[], io = createFakeIo()): Promise<readonly string[]> {
  expect(await runCli(['--get-yargs-completions', 'runproof', ...words], io)).toBe(0);
  expect(io.complained()).toBe('');
  return io.printed().split('\n').slice(0, -1);
}

describe('completion', () => {
  it('of commands and options is that of yargs', async () => {
    expect((await complete(['ch'])).map((line) => line.split(':')[0])).toContain('check-control');
    expect(await complete(['check', '--pro'])).toContain('--profile');
  });

  it('of --only and --skip names sections, requirements and scenarios, also after the first', async () => {
    const all = await complete(['check', '--only', '']);
    expect(all).toEqual(expect.arrayContaining(['2.2', ...REQUIREMENTS.map(({ id }) => id)]));
    expect(all).toEqual(expect.arrayContaining(named.map(({ name }) => name)));
    expect(await complete(['check', '--skip', '2.1', '4.8/rep'])).toEqual(
      all.filter((candidate) => candidate.startsWith('4.8/rep')),
    );
  });

  it.each([
    ['--profile', 'q', ['quick']],
    ['--edition', '', ['document', 'runpod']],
    ['--format', 'j', ['json', 'junit']],
    ['--auth', 'bea', ['bearer']],
  ])('of %s names its values', async (option, current, expected) => {
    expect(await complete(['check', option, current])).toEqual(expected);
  });

  it('knows the faults, the lists and the actions', async () => {
    for (const command of ['explore', 'check', 'serve'])
      expect(await complete([command, '--mutant', 'ttl-spares-r'])).toContain('ttl-spares-running');
    expect(await complete(['list', 'quest'])).toEqual(['questions']);
    expect(await complete(['report', 'm'])).toEqual(['merge', 'matrix']);
  });

  it('of show names what failed in the report', async () => {
    const io = createFakeIo();
    writeFileSync(join(io.cwd, 'report.json'), JSON.stringify(madeUpReport()));
    expect(await complete(['show', 'report.json', '2.2/t'], io)).toEqual(['2.2/ttl-removes']);
  });

  it('prints nothing where something is wrong', async () => {
    expect(await complete(['show', 'no-such-folder', ''])).toEqual([]);
    const io = createFakeIo();
    writeFileSync(join(io.cwd, 'runproof.config.json'), '{');
    expect(await complete(['check', '--profile', 'f'], io)).toEqual(['full']);
  });
});
