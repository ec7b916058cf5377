import { describe, expect, it } from 'vitest';
import { renderTerminal, sectionTitles, type TerminalOptions } from '../../src/report/index.js';
import { DOCUMENT, madeUpReport, REQUIREMENTS } from './made-up.js';

const OPTIONS: TerminalOptions = {
  colour: false,
  verbose: false,
  titles: sectionTitles(DOCUMENT),
  quotes: new Map(REQUIREMENTS.map(({ id, quote }) => [id, quote])),
  directory: 'reports/x',
};

describe('the report in a terminal', () => {
  it('shows failures in full, the rest in counts, the verdict last', async () => {
    await expect(renderTerminal(madeUpReport(), OPTIONS)).toMatchFileSnapshot('golden/terminal.txt');
  });

  it('shows the most frequent reasons if there are several', () => {
    const report = madeUpReport();
    const [one] = report.requirements.filter(({ verdict }) => verdict === 'not-exercised');
    const more = ['late', 'late', 'no room', 'a', 'b'].map((reason, n) => ({
      ...one!,
      id: `9/${n}`,
      reason,
    }));
    const text = renderTerminal({ ...report, requirements: [...report.requirements, ...more] }, OPTIONS);
    expect(text).toContain(
      '6 not exercised (2: late; 1: no situation arose; 1: no room; 2: other reasons, see --verbose)',
    );
  });

  it('says before the failures what the scenarios should have decided, and what happened instead', () => {
    const report = madeUpReport();
    const [one] = report.requirements.filter(({ verdict }) => verdict === 'inconclusive');
    const reason = '9/x was played once: /retry was answered 500 (once more than by a correct target)';
    const open = ['9/a', '9/b'].map((id) => ({ ...one!, id, reason, missed: 'unexplained' as const }));
    const lines = renderTerminal(
      { ...report, requirements: [...report.requirements, ...open] },
      OPTIONS,
    ).split('\n');
    const at = lines.indexOf('Left open, although scenarios were played that decide it');
    expect(lines.slice(at + 1, at + 3).map((line) => line.trim())).toEqual(['? 9/a, 9/b', reason]);
    expect(renderTerminal(report, OPTIONS)).not.toContain('Left open');
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
