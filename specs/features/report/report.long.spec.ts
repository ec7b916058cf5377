/** Reports after the run: parts joined, two compared, one written in another form. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../../src/shell/program.js';
import type { Verdict } from '../../../src/oracle/index.js';
import type { SavedFile } from '../../../src/files/replay-token.js';
import type { Report } from '../../../src/report/index.js';
import { FINDINGS, madeUpReport } from '../../report/sample-report.js';
import { createFakeIo, filesBelow, type FakeIo } from '../../cli/fake-io.js';

/** The made-up report with other verdicts, as `index: verdict`. */
function reportWith(verdicts: { readonly [index: number]: Verdict }, more: Partial<Report> = {}): Report {
  const requirements = FINDINGS.requirements.map((finding, index) => {
    const verdict = verdicts[index] ?? finding.verdict;
    const decided = verdict === 'pass' || verdict === 'fail' ? 2 : 0;
    const failed = verdict === 'fail' ? 1 : 0;
    const failures = verdict === 'fail' ? FINDINGS.requirements[0]!.failures : [];
    return { ...finding, verdict, decided, failed, failures };
  });
  return { ...madeUpReport({ ...FINDINGS, requirements }), ...more };
}

function write(io: FakeIo, folder: string, report: object, name = 'report.json'): void {
  mkdirSync(join(io.cwd, folder, 'failures'), { recursive: true });
  writeFileSync(join(io.cwd, folder, name), JSON.stringify(report));
  writeFileSync(join(io.cwd, folder, 'failures/policy-ttl-0.json'), `{"of":"${folder}"}`);
}

const readIn = (io: FakeIo, file: string): Report =>
  JSON.parse(readFileSync(join(io.cwd, file), 'utf8')) as Report;
const report = (io: FakeIo, ...args: readonly string[]): Promise<number> => runCli(['report', ...args], io);

describe('report merge of checks', () => {
  it('joins what was decided, adds up, keeps the failures with their files, and judges anew', async () => {
    const io = createFakeIo();
    write(io, 'a', reportWith({ 0: 'pass', 2: 'pass', 3: 'pass' }));
    write(io, 'b', reportWith({ 0: 'fail', 2: 'pass', 4: 'pass' }));
    expect(await report(io, 'merge', 'a', 'b/report.json', '--out', 'both')).toBe(1);
    const [a, both] = [readIn(io, 'a/report.json'), readIn(io, 'both/report.json')];
    const schema = JSON.parse(readFileSync('schemas/report.schema.json', 'utf8')) as object;
    const validate = new Ajv2020({ allowUnionTypes: true }).compile(schema);
    validate(both);
    expect(validate.errors).toBeNull();
    expect(both.requirements.map(({ verdict }) => verdict).slice(0, 5)).toEqual([
      'fail',
      'pass',
      'pass',
      'pass',
      'pass',
    ]);
    expect(both.requirements[0]).toMatchObject({ decided: 4, failed: 1 });
    expect(both.totals.calls).toBe(2 * a.totals.calls);
    const file = both.requirements[0]?.failures[0]?.script ?? '';
    expect(readFileSync(join(io.cwd, 'both', file), 'utf8')).toBe('{"of":"b"}');
    // It stays in the folder of its report.
    expect(both.requirements[0]?.failures[0]?.shell).toBeNull();
    expect(io.printed()).toContain('DOES NOT CONFORM: 1 failed');
    expect(io.complained()).toContain('report: both/report.html\n');
    expect(filesBelow(io.cwd).has('both/report.html')).toBe(true);
  });

  it('is as unfinished as the least finished part', async () => {
    const io = createFakeIo();
    const passing = { 0: 'pass', 2: 'pass' } as const;
    write(io, 'a', reportWith(passing));
    write(io, 'b', reportWith(passing, { exitCode: 130 }));
    expect(await report(io, 'merge', 'a', 'a', '--out', 'both', '--quiet')).toBe(0);
    expect(io.complained()).toContain('a is the same report as a: counted once\n');
    expect(readIn(io, 'both/report.json').totals.calls).toBe(reportWith(passing).totals.calls);
    expect(await report(io, 'merge', 'a', 'b', '--out', 'both', '--quiet')).toBe(130);
  });

  it('joins no runs of different targets', async () => {
    const io = createFakeIo();
    write(io, 'a', reportWith({}));
    write(io, 'b', reportWith({}, { edition: 'runpod' }));
    expect(await report(io, 'merge', 'a', 'b')).toBe(2);
    expect(io.complained()).toContain('edition document, and edition runpod');
  });
});

it(
  'report merge joins the shards of an exploration to what one run of all would tell',
  { timeout: 120_000 },
  async () => {
    const io = createFakeIo();
    const wish = ['--seed', '3', '--runs', '240', '--threads', '1', '--mutant', 'cancel-only-queued'];
    for (const shard of ['1', '2', '3'])
      expect(await runCli(['explore', ...wish, '--shard', `${shard}/3`, '--out', shard], io)).toBe(1);
    expect(await report(io, 'merge', '1', '2', '3', '--out', 'all')).toBe(1);
    expect(io.printed()).toMatch(/^3 parts of seed 3$.*^report: all\/report.html$/ms);
    expect(io.printed()).toMatch(/^BROKEN 3\/cancel-running, .*^ {2}in the same way \(answered 400\):$/ms);
    expect(readFileSync(join(io.cwd, 'all/report.html'), 'utf8')).toContain('3/cancel-running');
    const merged = JSON.parse(readFileSync(join(io.cwd, 'all/explore.json'), 'utf8')) as {
      readonly [name: string]: unknown;
    };
    expect(merged).toMatchObject({
      schema: 'runproof-explore/1',
      runs: 240,
      shard: { index: 1, count: 1 },
      exitCode: 1,
    });
    const failures = [...filesBelow(io.cwd).keys()].filter((name) => name.startsWith('all/failures/'));
    const files = failures.map((name) => JSON.parse(readFileSync(join(io.cwd, name), 'utf8')) as SavedFile);
    expect(new Set(files.map((file) => file.failures[0]!.requirement)).size).toBe(files.length);
    expect(merged).toMatchObject({ causes: [{ answer: 'answered 400' }] });
    expect(await report(io, 'merge', '1', '3', '--out', 'part')).toBe(1);
    expect(io.printed()).toContain('! missing: shard 2 of 3');
    expect(await report(io, 'merge', '1', '1', '--out', 'part')).toBe(2);
    expect(await report(io, 'merge', '1', '2', '3', '--format', 'html,junit')).toBe(2);
    expect(io.complained()).toContain('has no format junit: it is merged as terminal, json, html');
    for (const shard of ['1', '2', '3']) rmSync(join(io.cwd, shard, 'failures'), { recursive: true });
    const bare = createFakeIo({ cwd: io.cwd });
    expect(await report(bare, 'merge', '1', '2', '3', '--out', 'bare')).toBe(1);
    expect(bare.printed()).toMatch(/^broken 3\/cancel-running, .*; no script of it is left$/m);
    expect(bare.printed()).toContain('report: bare/explore.json');
  },
);

describe('report diff', () => {
  it('tells what is new, and exits 1 for a must that fails now', async () => {
    const io = createFakeIo();
    write(io, 'a', reportWith({ 0: 'pass', 1: 'fail', 2: 'pass' }));
    write(io, 'b', reportWith({ 0: 'fail', 1: 'pass', 2: 'not-exercised' }));
    expect(await report(io, 'diff', 'a', 'b')).toBe(1);
    expect(io.printed()).toMatch(/newly failing: 1\n +required +2\.2\/ttl-removes +pass → fail\n/);
    expect(io.printed()).toMatch(/newly passing: 1\n +\w+ +\S+ +fail → pass\n/);
    expect(io.printed()).toMatch(/newly undecided: 1\n +\w+ +\S+ +pass → not-exercised\n/);
    const again = createFakeIo({ cwd: io.cwd });
    expect(await report(again, 'diff', 'b', 'b', '--json')).toBe(0);
    expect(JSON.parse(again.printed())).toMatchObject({ schema: 'runproof-diff/1', newlyFailing: [] });
  });

  it('wants two', async () => {
    const io = createFakeIo();
    write(io, 'a', reportWith({}));
    expect(await report(io, 'diff', 'a')).toBe(2);
    expect(io.complained()).toContain('runproof report diff BEFORE AFTER');
  });
});

describe('report render', () => {
  it('writes any form from report.json alone', async () => {
    const io = createFakeIo();
    write(io, 'a', reportWith({}));
    expect(await report(io, 'render', 'a')).toBe(0);
    expect(io.printed()).toContain('2.2/ttl-removes');
    const formats = ['json', 'html', 'junit', 'ctrf', 'sarif', 'tap', 'markdown', 'github', 'har'];
    expect(await report(io, 'render', 'a', '--format', formats.join(','), '--out', 'forms')).toBe(0);
    expect([...filesBelow(join(io.cwd, 'forms')).keys()]).toHaveLength(formats.length);
    expect(readIn(io, 'forms/report.json')).toEqual(readIn(io, 'a/report.json'));
  });

  it.each([
    ['nowhere', /nowhere does not exist/],
    ['empty', /the folder empty contains no report\.json and no explore\.json/],
    ['other.json', /other\.json is not a report/],
  ])('refuses %s', async (name, complaint) => {
    const io = createFakeIo();
    mkdirSync(join(io.cwd, 'empty'));
    writeFileSync(join(io.cwd, 'other.json'), '[]');
    expect(await report(io, 'render', name)).toBe(2);
    expect(io.complained()).toMatch(complaint);
  });
});
