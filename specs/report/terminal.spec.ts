import { describe, expect, it } from 'vitest';
import { renderFormat } from '../../src/report/formats/index.js';
import { renderTerminal, type TerminalOptions } from '../../src/report/terminal/terminal.js';
import { sectionTitles, type Report } from '../../src/report/index.js';
import type { ReportFailure } from '../../src/report/report.js';
import { REQUIREMENTS as ALL } from '../../src/spec/index.js';
import { CONTEXT, DOCUMENT, madeUpReport, REQUIREMENTS } from './sample-report.js';

const OPTIONS: TerminalOptions = {
  colour: false,
  verbose: false,
  titles: sectionTitles(DOCUMENT),
  quotes: new Map(REQUIREMENTS.map(({ id, quote }) => [id, quote])),
  directory: 'reports/x',
  program: 'npx runproof',
};

describe('the report in a terminal', () => {
  it('shows failures in full, the rest in counts, the verdict last', async () => {
    await expect(renderTerminal(madeUpReport(), OPTIONS)).toMatchFileSnapshot('golden/terminal.txt');
  });

  it('has a line for each section that was asked about; verbose says why each requirement stays open', () => {
    const report = madeUpReport();
    const sections = (more: Partial<TerminalOptions>): readonly string[] =>
      renderTerminal(report, { ...OPTIONS, ...more })
        .split('\n')
        .filter((line) => line.includes('§4.6'));
    expect(sections({})).toEqual([
      `? §4.6  ${'POST /retry'.padEnd(43)} 1 inconclusive, 1 not exercised, 1 untestable here, 1 not applicable`,
    ]);
    expect(sections({ verbose: true })).toEqual(['§4.6 POST /retry']);
    expect(renderTerminal(report, { ...OPTIONS, verbose: true })).toContain('(no situation arose)');
    const unasked = report.requirements.map((one) =>
      one.section === '4.6' ? { ...one, selected: false as const } : one,
    );
    const only = { ...report, requirements: unasked };
    expect(renderTerminal(only, OPTIONS)).not.toContain('§4.6');
    const verbose = renderTerminal(only, { ...OPTIONS, verbose: true });
    expect(verbose).not.toMatch(/^§4\.6 | 4\.6\/.*(no situation arose)/m);
    expect(verbose).toMatch(/\n4 rules not selected\n/);
  });

  it('says with a failure why its script was not run again', () => {
    const report = madeUpReport();
    const requirements = report.requirements.map((one) => ({
      ...one,
      failures: one.failures.map((failure) => ({ ...failure, notRunAgain: 'its script takes 16 s' })),
    }));
    const told = '            not run again, so it may be intermittent: its script takes 16 s\n';
    expect(renderTerminal({ ...report, requirements }, OPTIONS)).toContain(told);
    expect(renderTerminal(report, OPTIONS)).not.toContain(told);
  });

  it('gives a command the published key, if the run used it unasked', () => {
    const report = madeUpReport();
    const told = (more: Partial<ReportFailure>, usedPublishedKey: boolean): string => {
      const requirements = report.requirements.map((one) => ({
        ...one,
        failures: one.failures.map((failure) => ({ ...failure, ...more })),
      }));
      return renderTerminal({ ...report, requirements }, { ...OPTIONS, usedPublishedKey });
    };
    const file = { shell: 'failures/a.sh' };
    expect(told(file, true)).toContain('\n  RUNPROOF_API_KEY=runproof-local bash reports/x/failures/a.sh\n');
    expect(told(file, false)).toContain('\n  bash reports/x/failures/a.sh\n');
    const line = 'curl "$BASE" -H "authorization: $RUNPROOF_API_KEY"';
    expect(told({ curl: line }, true)).toContain(`\n  RUNPROOF_API_KEY=runproof-local; ${line}\n`);
    expect(told({ curl: line }, false)).toContain(`\n  ${line}\n`);
    expect(told({ curl: 'curl http://a.test' }, true)).toContain('\n  curl http://a.test\n');
  });

  it('says how long the run took, unless only its history is known', () => {
    const report = madeUpReport();
    const judged = { ...report, time: { ...report.time, wallMs: 0 } };
    const texts = (one: Report) => [
      renderTerminal(one, OPTIONS),
      renderFormat('markdown', one, CONTEXT).content,
    ];
    for (const text of texts(report)) expect(text).toMatch(/(calls|webhooks) in 1\.2/);
    for (const text of texts(judged)) expect(text).not.toMatch(/(calls|webhooks) in /);
    expect(renderFormat('html', judged, CONTEXT).content).toMatch(/>Run<[^–\d]*–/);
  });

  it('of a run in which all passed fits on a screen, and says where the time went', () => {
    const report = madeUpReport();
    const [one] = report.requirements.filter(({ verdict }) => verdict === 'pass');
    const passed = ALL.map(({ id, section }) => ({ ...one!, id, section }));
    const quiet = {
      ...report,
      requirements: passed,
      causes: [],
      openQuestions: [],
      lateness: {},
      warnings: [],
    };
    const spent = '9 s (planning 1 s, running 8 s)';
    const lines = renderTerminal(quiet, { ...OPTIONS, spent })
      .trimEnd()
      .split('\n');
    expect(lines).not.toContain('');
    // A plan, two lines of progress, the page and four commands besides.
    expect(lines.length).toBeLessThanOrEqual(40 - 8);
    expect(lines.at(-2)).toMatch(/ in 9 s \(planning 1 s, running 8 s\); longest wait /);
  });

  it('counts beside failures what the scenarios should have decided, and says with verbose what happened instead', () => {
    const report = madeUpReport();
    const [one] = report.requirements.filter(({ verdict }) => verdict === 'inconclusive');
    const reason = '9/x was played once: /retry was answered with 500 (once more than from a correct target)';
    const open = ['9/a', '9/b'].map((id) => ({ ...one!, id, reason, missed: 'unexplained' as const }));
    const withOpen = { ...report, requirements: [...report.requirements, ...open] };
    expect(renderTerminal(withOpen, OPTIONS)).toContain(
      '\n2 required rules undecided, although tests for them ran',
    );
    const lines = renderTerminal(withOpen, { ...OPTIONS, verbose: true }).split('\n');
    const at = lines.indexOf('Undecided, although tests for them ran');
    expect(lines.slice(at + 1, at + 3).map((line) => line.trim())).toEqual(['? 9/a, 9/b', reason]);
    expect(renderTerminal(report, OPTIONS)).not.toContain('although tests for them');
  });

  it('says that the later causes have no example, and shows them with verbose', () => {
    const report = madeUpReport();
    const [cause] = report.causes ?? [];
    const many = { ...report, causes: Array.from({ length: 9 }, () => cause!) };
    const shown = (verbose: boolean): number =>
      renderTerminal(many, { ...OPTIONS, verbose }).split('runproof replay').length - 1;
    expect(renderTerminal(many, OPTIONS)).toContain('Without an example: --verbose shows one of each cause');
    expect(renderTerminal(report, OPTIONS)).not.toContain('Without an example');
    expect(shown(false)).toBe(8);
    expect(shown(true)).toBeGreaterThanOrEqual(9);
  });

  it('lists every requirement with verbose', async () => {
    await expect(renderTerminal(madeUpReport(), { ...OPTIONS, verbose: true })).toMatchFileSnapshot(
      'golden/terminal-verbose.txt',
    );
  });

  it('has no escape sequence without colour, whatever the target sends', () => {
    expect(renderTerminal(madeUpReport(), OPTIONS)).not.toMatch(
      /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/,
    );
  });

  it('with colour has only its own escape sequences', () => {
    const text = renderTerminal(madeUpReport(), { ...OPTIONS, colour: true });
    const own = text.replace(/\u001b\[(1|2|22|3[1-6]|39)m/g, '');
    expect(own).toBe(renderTerminal(madeUpReport(), OPTIONS));
  });
});
