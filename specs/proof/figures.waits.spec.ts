import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Entry, Ledger } from '../../proof/ledger/entry.js';
import { ageOf, figures, oldest, withFigures } from '../../proof/ledger/figures.js';
import { readOutcome } from '../../proof/ledger/outcome.js';
import { readmeText } from '../../proof/ledger/readme.js';
import { ROOT } from '../project/sources.js';

const entry = (id: string, outcome: string, date = '2026-11-20'): Entry => ({
  ...{ id, date, commit: '901c33c7', play: 'aaaaaaaa', judge: 'bbbbbbbb', before: null },
  outcome: readOutcome(outcome),
});
const ledgerOf = (...entries: readonly Entry[]): Ledger => new Map(entries.map((one) => [one.id, one]));
const LEDGER = ledgerOf(
  entry('precision/control/naive-none', 'clean', '2026-11-01'),
  entry('precision/control/naive-a', 'right wrong=1'),
  entry('precision/control/naive-b', 'advice'),
  entry('precision/simulator/mutant-a', 'none', '2026-11-10'),
  entry('precision/simulator/mutant-b', 'another wrong=2'),
  entry('precision/real-quick/naive-a', 'none', '2026-10-01'),
  entry('variants/simulator/document plain', 'clean'),
  entry('conformant/0000', 'clean calls=12000 doubts=1'),
  entry('passive/0000', 'clean calls=999'),
);
const ALL = { errors: 4, variants: 1 };

describe('the figures of README.md', () => {
  // Whether they say of themselves that they are old depends on the day: `npm run generate` and `npm run proofs` see to it.
  it('are those of the ledger', () => {
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    const texts = ([null, 'a month', '500 commits'] as const).map(readmeText);
    expect(texts.includes(readme), 'README.md is not up to date: run `npm run generate`').toBe(true);
  });

  it('count planted errors once, without real time and without the endpoints that have none', () => {
    expect(figures(LEDGER, ALL, null)).toBe(
      'Of 4 planted bugs, Runproof catches 3 and misses 1. It names the broken rule for all but 1 of the bugs that it ' +
        'catches. It raises no false alarm on 1 correct servers, nor in 12,000 calls through a simulated network that loses and delays calls. The ' +
        'oldest of these results is from 2026-11-10, commit `901c33c7`; `npm run proofs` measures them again.',
    );
  });

  it('say what was not tried, what could not be checked, and false alarms', () => {
    const ledger = ledgerOf(
      entry('precision/control/naive-a', 'unchecked'),
      entry('variants/simulator/document plain', 'alarm alarms=2 open=1'),
    );
    const text = figures(ledger, { errors: 1_399, variants: 2 }, null);
    expect(text).toContain(
      'Of 1 (of 1,399) planted bugs, Runproof catches 0 and misses 0; 1 could not be checked.',
    );
    expect(text).toContain('on 1 (of 2) correct servers');
    expect(text).toContain('2 false alarms on');
    expect(text).toContain('1 rules stayed undecided without a reason.');
    expect(figures(new Map(), ALL, null)).toBe('No proof has been run yet (`npm run proofs`).');
  });

  it('say that they are old after a month or 500 commits, by the case that was tried first', () => {
    const first = oldest(LEDGER)!;
    expect(first.id).toBe('precision/simulator/mutant-a');
    expect(ageOf(first, '2026-12-11', 500)).toBeNull();
    expect(ageOf(first, '2026-12-11', null)).toBeNull();
    expect(ageOf(first, '2026-12-11', 501)).toBe('500 commits');
    expect(ageOf(first, '2026-12-12', 0)).toBe('a month');
    expect(figures(LEDGER, ALL, 'a month')).toMatch(
      /`901c33c7`, more than a month old; `npm run proofs` measures them again\.$/,
    );
  });

  it('stand between two comments, in lines of at most 130 characters', () => {
    const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
    const changed = withFigures(readme, `${'word '.repeat(60)}end`);
    const lines = changed.split('\n');
    const first = lines.findIndex((line) => line.startsWith('word'));
    expect(lines.slice(first, first + 3).map(({ length }) => length <= 130)).toEqual([true, true, true]);
    expect(lines[first + 2]).toMatch(/end$/);
    expect(withFigures(changed, 'x')).toBe(withFigures(readme, 'x'));
    expect(() => withFigures('# Runproof', 'x')).toThrow('README.md has no place for the figures');
  });
});
