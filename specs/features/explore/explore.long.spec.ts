import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../../src/shell/program.js';
import type { FoundFile } from '../../../src/exploring/outcome-files.js';
import type { Cause } from '../../../src/report/index.js';
import { parseScript } from '../../../src/scenario/index.js';
import { ROOT, sourcesIn } from '../../project/sources.js';
import { createFakeIo, filesBelow, type FakeIo } from '../../cli/fake-io.js';

const explore = (io: FakeIo, ...args: readonly string[]): Promise<number> =>
  runCli(['explore', '--seed', '3', '--threads', '1', '--out', 'out', ...args], io);
const FAULT = 'cancel-only-queued';

/** Threads run the built code; a spec must not build it, others may be reading it. */
function isBuilt(): boolean {
  const built = join(ROOT, 'lib/worker.js');
  if (!existsSync(built)) return false;
  const builtMs = statSync(built).mtimeMs;
  return sourcesIn('src').every(({ path }) => statSync(join(ROOT, path)).mtimeMs <= builtMs);
}

describe('explore', () => {
  it('prints the seed first, then what it tried, and exits 0 when nothing was broken', async () => {
    const io = createFakeIo();
    expect(await explore(io, '--runs', '64')).toBe(0);
    expect(io.printed()).toMatch(/^seed 3, shard 1\/1, edition document\n/);
    expect(io.printed()).toContain('64 runs');
    expect(io.printed()).toContain('no requirement was broken');
    const told = JSON.parse(readFileSync(join(io.cwd, 'out/explore.json'), 'utf8')) as { runs: number };
    expect(told).toMatchObject({ schema: 'runproof-explore/1', seed: 3, runs: 64, exitCode: 0 });
  });

  it('exits 1 on a fault, and saves scripts that replay and shrink take', { timeout: 60_000 }, async () => {
    const io = createFakeIo();
    expect(await explore(io, '--runs', '160', '--mutant', FAULT)).toBe(1);
    const page = readFileSync(join(io.cwd, 'out/report.html'), 'utf8');
    expect(io.printed()).toContain('report: out/report.html');
    expect(page).toContain('3/cancel-running');
    expect(page).toContain('runproof replay rp1-');
    const [name] = [...filesBelow(io.cwd).keys()].filter((file) =>
      file.includes('failures/3-cancel-running'),
    );
    const saved = JSON.parse(readFileSync(join(io.cwd, name!), 'utf8')) as FoundFile;
    const { steps } = parseScript(saved.script);
    expect(steps.length).toBeLessThanOrEqual(6);
    expect(io.printed()).toContain(`runproof replay ${name}`);
    // It replays in the world it was found in, the fault included; without the fault it is fixed.
    expect(await runCli(['replay', name!], io)).toBe(1);
    expect(await runCli(['replay', name!, '--mutant', 'none'], io)).toBe(0);

    // A script that somebody has lengthened is made short again.
    const padded = [...steps, { do: 'health' }, { do: 'health' }];
    writeFileSync(
      join(io.cwd, 'long.json'),
      JSON.stringify({ ...saved, script: { ...(saved.script as object), steps: padded } }),
    );
    expect(await runCli(['shrink', 'long.json'], io)).toBe(1);
    const small = JSON.parse(readFileSync(join(io.cwd, 'long.small.json'), 'utf8')) as FoundFile;
    expect(parseScript(small.script).steps.length).toBeLessThanOrEqual(steps.length);
    expect(small.failures[0]!.requirement).toBe(saved.failures[0]!.requirement);
    expect(await runCli(['shrink', 'long.small.json'], io)).toBe(1);
    expect(io.printed()).toMatch(/: \d steps, and no shorter script was found\n/);
  });

  it('groups failures by cause, on the terminal, in explore.json, and on the page', async () => {
    const io = createFakeIo();
    expect(await explore(io, '--runs', '160', '--mutant', 'no-key-403')).toBe(1);
    const { causes } = JSON.parse(readFileSync(join(io.cwd, 'out/explore.json'), 'utf8')) as {
      causes: readonly Cause[];
    };
    const schema = JSON.parse(readFileSync('schemas/explore.schema.json', 'utf8')) as object;
    const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(schema);
    validate(JSON.parse(readFileSync(join(io.cwd, 'out/explore.json'), 'utf8')));
    expect(validate.errors).toBeNull();
    const { requirement, answer, sameAnswer } = causes[0]!;
    expect(answer).toBe('answered 403 instead of 401');
    expect(sameAnswer.length).toBeGreaterThan(0);
    const [, first] = io.printed().split(/^BROKEN /m);
    expect(first?.startsWith(`${requirement}, in `)).toBe(true);
    expect(first).toContain('\n  in the same way (answered 403 instead of 401):\n');
    for (const each of sameAnswer)
      expect(io.printed()).toMatch(new RegExp(`^ {4}BROKEN ${each}, .*\\n {6}npx runproof replay out/`, 'm'));
    const broken = /^(\d+) requirements broken, by at most (\d+) cause/m.exec(io.printed())!;
    expect(Number(broken[2])).toBe(Number(broken[1]) - sameAnswer.length);
    expect(readFileSync(join(io.cwd, 'out/report.html'), 'utf8')).toContain(
      `${sameAnswer.length} more failed in this way`,
    );
  });

  it('writes what it has on Ctrl-C, and exits 130', async () => {
    const io = createFakeIo();
    const running = explore(io, '--runs', '1000000', '--progress', 'none');
    setTimeout(() => io.interrupt(), 1_500);
    expect(await running).toBe(130);
    const told = JSON.parse(readFileSync(join(io.cwd, 'out/explore.json'), 'utf8')) as { runs: number };
    expect(told.runs).toBeGreaterThan(0);
  });

  it('stops when its time is over: 0 where time was all that was said, 7 where the runs were not reached', async () => {
    expect(await explore(createFakeIo(), '--time', '100ms')).toBe(0);
    expect(await explore(createFakeIo(), '--time', '100ms', '--runs', '100000')).toBe(7);
  });

  it.each([
    [['--shard', '3'], '--shard requires I/N such as 3/16'],
    [['--shard', '5/4'], '--shard requires I/N such as 3/16'],
    [['--mutant', 'cancel-only-queud'], `Did you mean ${FAULT}`],
    [['--runs', '0'], '--runs requires an integer'],
  ])('refuses %j', async (args, message) => {
    const io = createFakeIo();
    expect(await explore(io, ...args)).toBe(2);
    expect(io.complained()).toContain(message);
  });

  it.skipIf(!isBuilt())('finds the same on one thread and on two', { timeout: 60_000 }, () => {
    const io = createFakeIo();
    const [one, two] = ['1', '2'].map((threads) => {
      const args = [
        'explore',
        '--seed',
        '8',
        '--runs',
        '48',
        '--mutant',
        FAULT,
        '--threads',
        threads,
        '--out',
        threads,
      ];
      try {
        execFileSync(process.execPath, [join(ROOT, 'bin/runproof.js'), ...args], {
          cwd: io.cwd,
          stdio: 'ignore',
        });
      } catch {
        // Exit 1: the fault was found.
      }
      return [...filesBelow(join(io.cwd, threads))];
    });
    expect(one!.length).toBeGreaterThan(0);
    expect(two).toEqual(one);
  });
});
