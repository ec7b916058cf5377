/** `report history`: the runs in folders over time, and what changed from run to run. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runCli } from '../../../src/shell/program.js';
import type { RunHistory } from '../../../src/report/compare/history.js';
import type { Report } from '../../../src/report/index.js';
import { FINDINGS, HOSTILE, madeUpReport } from '../../report/sample-report.js';
import { MIXED, reportOf, result, written } from '../../report/client/sample.js';
import { createFakeIo, type FakeIo } from '../../cli/fake-io.js';

const [TTL, SUBMISSION, , RETRY] = FINDINGS.requirements.map(({ id }) => id) as [
  string,
  string,
  string,
  string,
];

/** The made-up report: these rules fail, those pass, and no other one is decided. */
function reportOn(
  day: number,
  failed: readonly string[],
  passed: readonly string[],
  more: Partial<Report> = {},
): Report {
  const requirements = madeUpReport().requirements.map((one) => ({
    ...one,
    verdict: failed.includes(one.id)
      ? ('fail' as const)
      : passed.includes(one.id)
        ? ('pass' as const)
        : ('not-exercised' as const),
  }));
  const made = madeUpReport();
  const totals = { ...made.totals, must: { ...made.totals.must, fail: failed.length } };
  return { ...made, at: `2001-02-0${day}T04:05:06.000Z`, requirements, totals, ...more };
}

function write(io: FakeIo, folder: string, files: { readonly [name: string]: object | string }): void {
  mkdirSync(join(io.cwd, folder), { recursive: true });
  for (const [name, content] of Object.entries(files))
    writeFileSync(
      join(io.cwd, folder, name),
      typeof content === 'string' ? content : JSON.stringify(content),
    );
}

const history = (io: FakeIo, ...args: readonly string[]): Promise<number> =>
  runCli(['report', 'history', ...args], io);

async function found(io: FakeIo, ...folders: readonly string[]): Promise<RunHistory> {
  const before = io.printed().length;
  expect(await history(io, ...folders, '--json')).toBe(0);
  return JSON.parse(io.printed().slice(before)) as RunHistory;
}

/** In each run by its folder: what newly fails, and what is fixed. */
const changes = ({ runs }: RunHistory) =>
  runs.map(({ name, newlyFailing, fixed }) => [name, newlyFailing, fixed]);

describe('report history', () => {
  it('lists the runs in reports/, the oldest first, with what newly fails and what is fixed', async () => {
    const io = createFakeIo();
    write(io, 'reports/b', { 'report.json': reportOn(2, [TTL], [SUBMISSION], { seed: 22 }) });
    write(io, 'reports/a', { 'report.json': reportOn(3, [SUBMISSION, RETRY], [TTL]) });
    write(io, 'reports/c', { 'report.json': reportOn(1, [], [TTL]) });
    expect(await history(io)).toBe(0);
    const lines = io.printed().trimEnd().split('\n');
    expect(lines).toHaveLength(5);
    expect(lines[0]).toBe('http://127.0.0.1:8080/v2/test, edition document');
    expect(lines[2]).toMatch(
      /^ {2}2001-02-01 04:05 +42 +DOES NOT CONFORM +0 failed, 1 of \d checked +1\.2 s +reports\/c$/,
    );
    expect(lines[3]).toMatch(
      /^ {2}2001-02-02 04:05 +22 .* 1 failed, 2 of \d checked .* reports\/b +newly failing: 2\.2\/ttl-removes$/,
    );
    expect(lines[4]).toMatch(
      / reports\/a +newly failing: 2\.2\/ttl-from-submission, 4\.6\/retry-failed; fixed: 2\.2\/ttl-removes$/,
    );
  });

  it('takes nothing for fixed by a run that stopped early', async () => {
    const io = createFakeIo();
    const warnings = ['stopped early, after 6 of 9 scripts: 2.2/ttl-from-submission failed'];
    write(io, 'reports/a', { 'report.json': reportOn(1, [TTL], []) });
    write(io, 'reports/b', { 'report.json': reportOn(2, [SUBMISSION], [TTL], { warnings }) });
    write(io, 'reports/c', { 'report.json': reportOn(3, [TTL, SUBMISSION], []) });
    expect(changes(await found(io))).toEqual([
      ['reports/a', [], []],
      ['reports/b', [SUBMISSION], []],
      ['reports/c', [], []],
    ]);
  });

  it('takes no rule for changed that a run between did not decide', async () => {
    const io = createFakeIo();
    write(io, 'r/1', { 'report.json': reportOn(1, [TTL], [SUBMISSION]) });
    write(io, 'r/2', { 'report.json': reportOn(2, [], [RETRY]) });
    write(io, 'r/3', { 'report.json': reportOn(3, [TTL], [SUBMISSION]) });
    write(io, 'r/4', { 'report.json': reportOn(4, [], [TTL]) });
    expect(changes(await found(io, 'r'))).toEqual([
      ['r/1', [], []],
      ['r/2', [], []],
      ['r/3', [], []],
      ['r/4', [], [TTL]],
    ]);
  });

  it('compares no runs of different targets or editions', async () => {
    const io = createFakeIo();
    const target = { ...madeUpReport().target, replayArguments: ['http://127.0.0.1:8080/v2/other'] };
    write(io, 'r/1', { 'report.json': reportOn(1, [], [TTL]) });
    write(io, 'r/2', { 'report.json': reportOn(2, [TTL], [], { target }) });
    const elsewhere = { ...target, replayArguments: ['http://127.0.0.1:8080', '--base-path', '/jobs'] };
    write(io, 'r/3', { 'report.json': reportOn(3, [TTL], [], { edition: 'runpod' }) });
    write(io, 'r/5', { 'report.json': reportOn(5, [TTL], [], { target: elsewhere }) });
    write(io, 'r/4', { 'report.json': reportOn(4, [TTL], []) });
    expect(changes(await found(io, 'r')).map(([, newly]) => newly)).toEqual([[], [], [], [TTL], []]);
    await history(io, 'r');
    expect(io.printed().match(/^\S.* edition \w+$/gm)).toEqual([
      'http://127.0.0.1:8080/v2/other, edition document',
      'http://127.0.0.1:8080/v2/test, edition runpod',
      'http://127.0.0.1:8080/v2/test, edition document',
      'http://127.0.0.1:8080/jobs, edition document',
    ]);
  });

  it('shows the runs of a client: each of its rules counts as required', async () => {
    const io = createFakeIo();
    const kept = { ...written(reportOf([result('clear')])), at: '2001-02-01T04:05:06.000Z' };
    const broken = { ...written(MIXED), at: '2001-02-02T04:05:06.000Z', target: kept.target };
    for (const [name, one] of Object.entries({ kept, broken }))
      write(io, `r/${name}`, { 'report.json': one });
    await history(io, 'r');
    expect(io.printed()).toMatch(/ FAILED .* \d+ failed, \d+ of \d+ checked .* newly failing: client\//);
    expect(io.printed()).not.toContain('left out');
  });

  it('names three rules, and all of them with verbose', async () => {
    const io = createFakeIo();
    const musts = madeUpReport()
      .requirements.filter(({ level }) => level === 'must')
      .map(({ id }) => id);
    write(io, 'r/1', { 'report.json': reportOn(1, [], musts) });
    write(io, 'r/2', { 'report.json': reportOn(2, musts, []) });
    await history(io, 'r');
    expect(io.printed()).toMatch(
      new RegExp(`newly failing: ${musts.slice(0, 3).join(', ')} and ${musts.length - 3} more\\n$`),
    );
    await history(io, 'r', '-v');
    expect(io.printed()).toMatch(new RegExp(`newly failing: ${musts.join(', ')}\\n$`));
  });

  it('counts what shows no run, and names it with verbose', async () => {
    const io = createFakeIo();
    write(io, 'reports/ok', { 'report.json': reportOn(1, [], [TTL]) });
    write(io, 'reports/half', { 'history.ndjson': '' });
    write(io, 'reports/damaged', { 'report.json': '{"schema": "runproof-rep' });
    write(io, 'reports/foreign', { 'report.json': { tests: [] } });
    write(io, 'reports/judged', { 'report.json': { ...reportOn(1, [], []), at: null } });
    write(io, 'reports/nothing', {});
    write(io, 'reports', { '.gitkeep': '' });
    symlinkSync('nowhere', join(io.cwd, 'reports/lost'));
    expect(await history(io)).toBe(0);
    expect(io.printed()).toMatch(
      /\n\nleft out: 2 damaged or foreign, 1 unfinished, 1 without a report, 1 without a start time \(-v names them\)\n$/,
    );
    await history(io, '-v');
    expect(io.printed()).toMatch(/\n {2}reports\/foreign: damaged or foreign\n/);
    expect((await found(io)).leftOut).toContainEqual({ name: 'reports/half', why: 'unfinished' });
  });

  it('takes a report, its folder and a folder of reports, and each run once', async () => {
    const io = createFakeIo();
    write(io, 'r', { 'report.json': reportOn(2, [], [TTL]) });
    write(io, 'r/failures', {});
    write(io, 'r/1', { 'report.json': reportOn(1, [TTL], []) });
    expect(changes(await found(io, 'r', 'r/1'))).toEqual([
      ['r/1', [], []],
      ['r', [], [TTL]],
    ]);
    expect((await found(io, 'r/1/report.json')).runs).toHaveLength(1);
    expect((await found(io, 'r')).leftOut).toEqual([]);
  });

  it('says that there is no folder, or no run', async () => {
    const io = createFakeIo();
    expect(await history(io)).toBe(2);
    expect(io.complained()).toContain('there is no folder reports');
    mkdirSync(join(io.cwd, 'reports'));
    expect(await history(io)).toBe(0);
    expect(io.printed()).toBe('no run\n');
  });

  it('writes a page with links to the pages of the runs, and its data', async () => {
    const io = createFakeIo();
    const target = { ...madeUpReport().target, url: null, name: HOSTILE };
    write(io, 'reports/a b', { 'report.json': reportOn(1, [], [TTL], { target }), 'report.html': '' });
    write(io, 'reports/c', { 'report.json': reportOn(2, [TTL], [], { target, seed: 7 }) });
    expect(await history(io, '--out', 'trend')).toBe(0);
    const page = readFileSync(join(io.cwd, 'trend/history.html'), 'utf8');
    expect(page).toContain('<a href="../reports/a%20b/report.html">reports/a b</a>');
    expect(page).toContain('<td>reports/c</td><td>newly failing: 2.2/ttl-removes</td>');
    expect(page).not.toContain('<script');
    expect(io.printed()).not.toContain('\u001b');
    const data = JSON.parse(readFileSync(join(io.cwd, 'trend/history.json'), 'utf8')) as RunHistory;
    expect(data.runs.map(({ seed }) => seed)).toEqual([42, 7]);
  });

  it('draws the required rules that failed and were checked over the runs of each target, if it has several', async () => {
    const io = createFakeIo();
    const runs = [[], [TTL, RETRY], [TTL], [TTL]];
    for (const [at, failed] of runs.entries())
      write(io, `reports/${at}`, { 'report.json': reportOn(at + 1, failed, [SUBMISSION]) });
    write(io, 'reports/other', { 'report.json': reportOn(9, [TTL], [], { edition: 'runpod' }) });
    expect(await history(io, '--out', 'trend')).toBe(0);
    const page = readFileSync(join(io.cwd, 'trend/history.html'), 'utf8');
    const [chart, ...more] = page.match(/<svg .*?<\/svg>/gsu)!;
    expect(more).toEqual([]);
    const heights = (kind: string): number[] =>
      [...chart!.matchAll(new RegExp(`<rect class="${kind}"[^>]* height="([\\d.]+)"`, 'gu'))].map(
        ([, high]) => Number(high),
      );
    expect(heights('failed')).toEqual([0, 60, 30, 30]);
    expect(heights('checked')).toHaveLength(4);
    expect(Math.max(...heights('checked'))).toBeLessThanOrEqual(60);
    expect(chart).toMatch(
      /role="img" aria-labelledby="(\S+) (\S+)"><title id="\1">.* 4 runs<.*\n<desc id="\2">First run, 2001/u,
    );
    expect(chart).toContain('<title>2001-02-02 04:05: 2 failed, ');
    expect(page.indexOf('<svg')).toBeLessThan(page.lastIndexOf('<table'));
    expect(page).not.toMatch(/NaN|Infinity/);
  });

  it('shows a run that left something out in amber, and a whole one that conforms in green', async () => {
    const io = createFakeIo();
    const verdicts = ['CONFORMS: all hold', 'SELECTION CONFORMS: 2 of 9', 'NOTHING FAILED: 2 of 9 checked'];
    for (const [at, verdict] of verdicts.entries())
      write(io, `reports/${at}`, { 'report.json': reportOn(at + 1, [], [TTL], { verdict, exitCode: 0 }) });
    expect(await history(io, '--out', 'trend')).toBe(0);
    const page = readFileSync(join(io.cwd, 'trend/history.html'), 'utf8');
    expect(
      [...page.matchAll(/class="badge (\w+)">([A-Z ]+)</gu)].map(([, mark, text]) => [mark, text]),
    ).toEqual([
      ['pass', 'CONFORMS'],
      ['advice', 'SELECTION CONFORMS'],
      ['advice', 'NOTHING FAILED'],
    ]);
  });
});

it('other actions want a report', async () => {
  const io = createFakeIo();
  for (const action of ['merge', 'diff', 'render', 'matrix', 'badge']) {
    expect(await runCli(['report', action], io)).toBe(2);
    expect(io.complained()).toContain(`which report? npx runproof report ${action} REPORT`);
  }
});
