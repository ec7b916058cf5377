/** A failure is played again by its file or by the line in a log, in the world in which it was seen. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../../src/shell/program.js';
import { readToken, tokenOf } from '../../../src/files/replay-token.js';
import { named } from '../../../scenarios/index.js';
import { drawScript } from '../../../src/scenario/draw.js';
import type { Report } from '../../../src/report/index.js';
import { ROOT } from '../../project/sources.js';
import { createFakeIo, filesBelow } from '../../cli/fake-io.js';
import { serveNaive } from '../../support/naive.js';

describe('a failure of check', () => {
  it('is FAILED on the faulty server and FIXED on a healthy one, by the one line of the report', async () => {
    const io = createFakeIo({ env: { RUNPROOF_API_KEY: 'k' } });
    const faulty = await serveNaive('ttl-ignored-while-running');
    const scope = ['--only', '2.2/ttl-removes-running', '--seed', '1', '--runs', '1', '--out', 'out'];
    const target = [faulty.url, '--control', faulty.controlUrl ?? ''];
    expect(await runCli(['check', ...target, ...scope, '--format', 'json,junit'], io)).toBe(1);
    const report = JSON.parse(readFileSync(join(io.cwd, 'out/report.json'), 'utf8')) as Report;
    const line = report.requirements.flatMap(({ failures }) => failures)[0]?.replay ?? '';
    expect(line).toMatch(/^npx runproof replay rp1-[\w-]{50,400} http:.* --control http:/);
    expect(readFileSync(join(io.cwd, 'out/junit.xml'), 'utf8')).toContain(line);

    const args = line.split(' ').slice(2);
    const again = createFakeIo({ cwd: io.cwd, env: io.env });
    expect(await runCli(args, again)).toBe(1);
    expect(again.printed()).toMatch(/^FAILED: .*2\.2\/ttl-removes-running.* \(exit 1\)$/m);

    const healthy = await serveNaive();
    const mended = createFakeIo({ cwd: io.cwd, env: io.env });
    const there = [healthy.url, '--control', healthy.controlUrl ?? ''];
    expect(await runCli(['replay', args[1] ?? '', ...there], mended)).toBe(0);
    expect(mended.printed()).toMatch(/^FIXED: .*2\.2\/ttl-removes-running.* \(exit 0\)$/m);
  });
});

describe('a failure that takes the other scripts of its run', () => {
  it.each(['a file', 'a token'])('read from %s, it names the command that plays them all', async (kind) => {
    const io = createFakeIo({ env: { RUNPROOF_API_KEY: 'k' } });
    const faulty = await serveNaive('ttl-ignored-while-running');
    const scope = ['--only', '2.2/ttl-removes-running', '--seed', '17', '--runs', '1', '--out', 'out'];
    const target = [faulty.url, '--control', faulty.controlUrl ?? ''];
    expect(await runCli(['check', ...target, ...scope, '--format', 'json'], io)).toBe(1);
    const report = JSON.parse(readFileSync(join(io.cwd, 'out/report.json'), 'utf8')) as Report;
    const [failure] = report.requirements.flatMap(({ failures }) => failures);
    const saved = JSON.parse(readFileSync(join(io.cwd, 'out', failure!.script!), 'utf8')) as object;
    // What this script alone never decides.
    const failures = [{ requirement: '8/rate-run-above' }];
    writeFileSync(join(io.cwd, 'other.json'), JSON.stringify({ ...saved, failures }));
    const { script, runSeed, choiceWords } = readToken(failure!.replay!.split(' ')[3]!, named);
    const token = tokenOf(script, {
      ...{ requirements: ['8/rate-run-above'], edition: 'document', limits: null, scenarios: [] },
      ...{ runSeed: runSeed!, choiceWords },
    });
    const healthy = await serveNaive();
    const there = [healthy.url, '--control', healthy.controlUrl ?? ''];
    const again = createFakeIo({ cwd: io.cwd, env: io.env });
    expect(await runCli(['replay', kind === 'a file' ? 'other.json' : token!, ...there], again)).toBe(6);
    expect(again.printed()).toContain(
      `ERROR: not decided this time: 8/rate-run-above; where that takes the other scripts of its run, play them all: npx runproof check ${there.join(' ')} --only 2.2/ttl-removes-running --runs 1 --seed 17  (exit 6)`,
    );
  });
});

describe('a failure of check with an opaque worker', () => {
  it('is played again with the input that its worker accepts', async () => {
    const io = createFakeIo({ env: { RUNPROOF_API_KEY: 'k' } });
    writeFileSync(join(io.cwd, 'sample.json'), '{"prompt":"as the sample has it"}');
    const { url, controlUrl } = await serveNaive('run-answers-wrong-id');
    const given = [url, '--control', controlUrl ?? '', '--worker', 'opaque', '--sample-input', 'sample.json'];
    const scope = ['--only', '3/submission-creates-job-run', '--seed', '1', '--runs', '1', '--out', 'out'];
    expect(await runCli(['check', ...given, ...scope, '--format', 'json'], io)).toBe(1);
    const report = JSON.parse(readFileSync(join(io.cwd, 'out/report.json'), 'utf8')) as Report;
    const line = report.requirements.flatMap(({ failures }) => failures)[0]?.replay ?? '';
    expect(line).toContain('--worker opaque --sample-input sample.json');
    const again = createFakeIo({ cwd: io.cwd, env: io.env });
    expect(await runCli([...line.split(' ').slice(2), '--out', 'again'], again)).toBe(1);
    expect(readFileSync(join(io.cwd, 'again/history.ndjson'), 'utf8')).toContain('as the sample has it');
  });
});

describe('a failure of explore', () => {
  const file = join(ROOT, 'scenarios/corpus/cancel-keeps-worker.json');

  it('is FAILED with the fault that was recorded, and FIXED without', async () => {
    const io = createFakeIo();
    expect(await runCli(['replay', file], io)).toBe(1);
    expect(io.complained()).toContain('on the simulator: fault cancel-keeps-worker');
    expect(io.printed()).toMatch(/^FAILED: /m);
    const healthy = createFakeIo();
    expect(await runCli(['replay', file, '--mutant', 'none'], healthy)).toBe(0);
    expect(healthy.printed()).toMatch(/^FIXED: /m);
  });

  it('is FAILED by what fails now, where that is something else than what had failed', async () => {
    const io = createFakeIo();
    const saved = JSON.parse(readFileSync(file, 'utf8')) as { failures: { requirement: string }[] };
    saved.failures = [{ ...saved.failures[0]!, requirement: '2.2/ttl-this-job-only' }];
    writeFileSync(join(io.cwd, 'other.json'), JSON.stringify({ ...saved }));
    expect(await runCli(['replay', 'other.json'], io)).toBe(1);
    expect(io.printed()).toMatch(
      /^FAILED: 1\/free-worker-takes-job, and no longer 2\.2\/ttl-this-job-only {2}\(exit 1\)$/m,
    );
  });

  it('is ERROR when the play stays undecided', async () => {
    const io = createFakeIo();
    const saved = JSON.parse(readFileSync(file, 'utf8')) as { failures: { requirement: string }[] };
    saved.failures[0]!.requirement = '8/rate-run-above';
    writeFileSync(join(io.cwd, 'other.json'), JSON.stringify({ ...saved }));
    expect(await runCli(['replay', 'other.json', '--mutant', 'none', '--out', 'out'], io)).toBe(6);
    expect(io.printed()).toMatch(/^ERROR: not decided this time: 8\/rate-run-above/m);
    expect([...filesBelow(join(io.cwd, 'out')).keys()]).toContain('history.ndjson');
  });
});

describe('a token', () => {
  const limits = { graceMs: 0, marginMs: 1, maxWaitMs: 70_000, maxWorkers: 4 };
  const scenario = named.find(({ name }) => name === '2.2/ttl-before-execution-timeout')!;
  const script = drawScript(scenario, 77, limits);
  const wish = { requirements: ['2.2/ttl-removes-running'], edition: 'runpod' as const, limits };

  it('of a shipped scenario is short, and draws the same script', () => {
    const token = tokenOf(script, { ...wish, scenarios: named }) ?? '';
    expect(token.length).toBeLessThan(250);
    expect(readToken(token, named)).toEqual({
      script,
      requirements: wish.requirements,
      edition: 'runpod',
      runSeed: null,
      found: null,
    });
  });

  it('of any other script holds the script', () => {
    const token = tokenOf(script, { ...wish, scenarios: [] }) ?? '';
    expect(readToken(token, []).script).toEqual(script);
  });

  it.each([
    ['is cut short', (token: string) => token.slice(0, -9), /incomplete/],
    ['is nothing but its beginning', () => 'rp1-', /incomplete/],
    ['is of a scenario that changed', (token: string) => token, /another version/],
  ])('that %s is told so', async (_name, spoil, complaint) => {
    const token = tokenOf(script, { ...wish, scenarios: named }) ?? '';
    const others = named.map((each) =>
      each === scenario
        ? { ...named.find(({ name }) => name === '4.2/answers-at-once')!, name: each.name }
        : each,
    );
    expect(() => readToken(spoil(token), others)).toThrow(complaint);
    const io = createFakeIo();
    expect(await runCli(['replay', `${token}x`.slice(0, 30)], io)).toBe(2);
  });
});
