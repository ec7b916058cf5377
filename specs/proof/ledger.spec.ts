import { describe, expect, it } from 'vitest';
import { Code, digestOf } from '../../proof/ledger/code.js';
import { ledgerText, readLedger, type Entry, type Ledger } from '../../proof/ledger/entry.js';
import {
  entryAfter,
  inOrder,
  isRegression,
  needOf,
  withoutOthers,
  type Known,
} from '../../proof/ledger/order.js';
import { isWorse, outcomeOf, readOutcome, textOf } from '../../proof/ledger/outcome.js';

const entry = (
  id: string,
  more: Partial<Omit<Entry, 'outcome' | 'before'>> & { outcome?: string } = {},
): Entry => ({
  ...{ commit: '901c33c7', date: '2026-11-28', play: 'aaaaaaaa', judge: 'bbbbbbbb', before: null },
  ...more,
  id,
  outcome: readOutcome(more.outcome ?? 'right'),
});
const ledgerOf = (...entries: readonly Entry[]): Ledger => new Map(entries.map((one) => [one.id, one]));
const known = (id: string, more: Partial<Known> = {}): Known => ({
  id,
  plays: ['aaaaaaaa'],
  judge: 'bbbbbbbb',
  ...more,
});

describe('the file', () => {
  it('is read as it was written: a line a case, sorted', () => {
    const ledger = ledgerOf(
      entry('variants/simulator/document pair a=b + c=d', { outcome: 'clean doubts=1' }),
      { ...entry('precision/control/naive-x', { outcome: 'none' }), before: readOutcome('right wrong=2') },
      entry('conformant/0032', { outcome: 'clean calls=21000', judge: '', commit: '901c33c7+' }),
    );
    const lines = ledgerText(ledger).split('\n');
    expect(lines.slice(2)).toEqual([
      'conformant/0032 | clean calls=21000 | 901c33c7+ 2026-11-28 | aaaaaaaa',
      'precision/control/naive-x | none < right wrong=2 | 901c33c7 2026-11-28 | aaaaaaaa bbbbbbbb',
      'variants/simulator/document pair a=b + c=d | clean doubts=1 | 901c33c7 2026-11-28 | aaaaaaaa bbbbbbbb',
      '',
    ]);
    expect(ledgerText(readLedger(lines.join('\n')))).toBe(lines.join('\n'));
    expect(readLedger(lines.join('\n'))).toEqual(ledger);
  });

  it('is not taken with a line that is none', () => {
    expect(() => readLedger('precision/control/naive-x | right')).toThrow(
      'not a line of the ledger: precision',
    );
    expect(() => readLedger('precision/control/naive-x | good | 901c33c7 2026-11-28 | aa bb')).toThrow(
      'no outcome is called good',
    );
  });

  it('keeps no case that there is no more', () => {
    expect([...withoutOthers(ledgerOf(entry('a'), entry('b')), [{ id: 'b' }]).keys()]).toEqual(['b']);
  });
});

describe('a case', () => {
  it('needs to be tried if it never was, or if code that plays or judges it has changed', () => {
    expect(needOf(known('a'), undefined)).toBe('untried');
    expect(needOf(known('a'), entry('a'))).toBe('current');
    expect(needOf(known('a', { plays: ['cccccccc'] }), entry('a'))).toBe('changed');
    expect(needOf(known('a', { judge: 'cccccccc' }), entry('a'))).toBe('changed');
  });

  it('may have been played with more scenarios', () => {
    expect(needOf(known('a', { plays: ['cccccccc', 'aaaaaaaa'] }), entry('a'))).toBe('current');
  });
});

describe('the order', () => {
  const ledger = ledgerOf(
    entry('current, old', { date: '2026-10-01' }),
    entry('current, new'),
    entry('changed, old', { date: '2026-10-01', play: 'cccccccc' }),
    entry('changed, new', { judge: 'cccccccc' }),
  );
  const cases = [...ledger.keys(), 'never 1', 'never 2'].map((id) => known(id));
  const ids = (shuffled: (id: string) => number): readonly string[] =>
    inOrder(cases, ledger, shuffled).map(({ id }) => id);

  it('is: never tried, changed, the others; of each those tried longest ago first', () => {
    const wanted = ['never 1', 'never 2', 'changed, old', 'changed, new', 'current, old', 'current, new'];
    expect(ids((id) => id.charCodeAt(id.length - 1))).toEqual(wanted);
  });

  it('is another one for each commit among those of one day', () => {
    expect(ids((id) => -id.charCodeAt(id.length - 1)).slice(0, 2)).toEqual(['never 2', 'never 1']);
  });

  it('goes on where a run was stopped', () => {
    const later = ledgerOf(...ledger.values(), entry('never 1'), entry('changed, old'));
    expect(inOrder(cases, later, () => 0).map(({ id }) => id)).toEqual([
      ...['never 2', 'changed, new', 'current, old', 'current, new', 'changed, old', 'never 1'],
    ]);
  });
});

describe('an outcome', () => {
  it('is a word and counts that are not 0', () => {
    expect(textOf(outcomeOf('right', { wrong: 2, over: 0, calls: 3 }))).toBe('right calls=3 wrong=2');
    expect(readOutcome('clean')).toEqual(outcomeOf('clean', { alarms: 0 }));
  });

  it.each([
    ['right', 'advice', true],
    ['right', 'none', true],
    ['none', 'another wrong=1', true],
    ['right', 'unchecked', true],
    ['clean', 'alarm alarms=1', true],
    ['alarm alarms=1', 'alarm alarms=2', true],
    ['right wrong=1', 'right wrong=2', true],
    ['none', 'none silent=1', true],
    ['caught', 'missed', true],
    ['shown', 'hidden', true],
    ['none', 'right', false],
    ['right wrong=2', 'right wrong=1', false],
    ['right', 'right', false],
    // Another number of calls or of doubts is none.
    ['clean calls=100', 'clean calls=90 doubts=3', false],
  ])('%s, then %s: worse %s', (before, now, worse) => {
    expect(isWorse(readOutcome(now), readOutcome(before))).toBe(worse);
  });
});

describe('a case that got worse', () => {
  const now = (outcome: string): Omit<Entry, 'before'> => entry('a', { outcome });

  it('is one until it is as good again, however often it is tried', () => {
    const once = entryAfter(entry('a'), now('none'));
    expect(textOf(once.before!)).toBe('right');
    const twice = entryAfter(once, now('advice'));
    expect(textOf(twice.before!)).toBe('right');
    const third = entryAfter(twice, now('right'));
    expect(third.before).toBeNull();
    expect([once, twice, third].map((one) => isRegression(entry('a'), one))).toEqual([true, true, false]);
    // Though it was not tried again.
    expect(isRegression(once, once)).toBe(true);
  });

  it('is none that the ledger says already, and none once somebody has accepted it there', () => {
    const accepted = entry('a', { outcome: 'none' });
    expect(isRegression(accepted, entryAfter(accepted, now('none')))).toBe(false);
  });

  it.each([
    ['right wrong=3', false],
    ['none', false],
    ['clean doubts=1', false],
    ['another wrong=1', true],
    ['none silent=1', true],
    ['right over=1', true],
    ['alarm alarms=1', true],
    ['unchecked', true],
  ])('is one that was never tried, if it came out %s: %s', (outcome, is) => {
    const first = entryAfter(undefined, now(outcome));
    expect(first.before).toBeNull();
    expect(isRegression(undefined, first)).toBe(is);
  });
});

describe('the digest of code', () => {
  const sources: readonly (readonly [path: string, text: string])[] = [
    [
      'src/a.ts',
      "import { b } from './b.js';\nimport type { D } from './d.js';\nimport json from './e.json' with {};\n",
    ],
    ['src/b.ts', "export {\n  c,\n} from './folder/c.js';\nimport { left } from './left.js';\n"],
    ['src/folder/c.ts', "import '../b.js';\nexport const c = 1;\n"],
    ['src/d.ts', 'export type D = 1;\n'],
    ['src/e.json', '{}'],
    ['src/left.ts', 'export const left = 1;\n'],
  ];
  const digest = (changed?: string): string => {
    const code = new Code(
      new Map(sources.map(([path, text]) => [path, path === changed ? `${text}// changed\n` : text])),
    );
    return code.digest(code.reached(['src/a.ts'], (path) => path !== 'src/left.ts'));
  };

  it('is of a file and all that it imports, in circles too, but types and what is left out', () => {
    const paths = sources.map(([path]) => path);
    expect(paths.filter((path) => digest(path) !== digest())).toEqual([
      'src/a.ts',
      'src/b.ts',
      'src/folder/c.ts',
      'src/e.json',
    ]);
  });

  it('knows where a part ends', () => {
    expect(digestOf('ab', 'c')).not.toBe(digestOf('a', 'bc'));
    expect(digestOf('a')).toMatch(/^[0-9a-f]{8}$/);
  });
});
