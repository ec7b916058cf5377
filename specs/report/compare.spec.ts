/** Two reports or more: what changed, in groups, and a heat map. */
import { describe, expect, it } from 'vitest';
import { diffReports, diffText } from '../../src/report/compare/diff.js';
import { formatFailed, formatLateness, seedWords } from '../../src/report/formatting.js';
import { matrixHtml, matrixOf } from '../../src/report/compare/matrix.js';
import { mergeReports } from '../../src/report/compare/merge.js';
import type { Report, ReportRequirement } from '../../src/report/report.js';
import { FINDINGS, HISTORY, madeUpReport } from './sample-report.js';

const [FAILED] = madeUpReport().requirements;

/** A report with these verdicts, by id. */
function reportOf(verdicts: { readonly [id: string]: ReportRequirement['verdict'] }): Report {
  const requirements = Object.entries(verdicts).map(([id, verdict]): ReportRequirement => ({
    ...FAILED!,
    id,
    section: id.split('/')[0]!,
    level: 'must',
    verdict,
    known: null,
    failures: [],
  }));
  return { ...madeUpReport(FINDINGS), requirements };
}

const all = (verdict: ReportRequirement['verdict']) =>
  Object.fromEntries(['2.2/a', '2.2/b', '2.2/c', '4.6/a', '10/a'].map((id) => [id, verdict]));

describe('a diff', () => {
  const before = reportOf({ ...all('not-applicable'), '4.1/x': 'fail', '4.2/y': 'pass', '9/z': 'fail' });
  const after = reportOf({ ...all('pass'), '4.1/x': 'pass', '4.2/y': 'fail', '9/z': 'fail' });

  it('lists what failed before or fails now, and groups the rest by change and section', () => {
    expect(diffText(diffReports(before, after))).toBe(
      [
        'newly failing: 1',
        '  required 4.2/y  pass → fail',
        'newly passing: 6',
        '  required 4.1/x  fail → pass',
        '  not-applicable → pass: 5 (-v lists them): §2.2 3, §4.6 1, §10 1',
        'newly undecided: 0',
        'still failing: 1',
        '  9/z',
        '',
      ].join('\n'),
    );
  });

  it('lists all with -v, and few in any case', () => {
    const text = diffText(diffReports(before, after), true);
    expect(text.match(/not-applicable → pass$/gm)).toHaveLength(5);
    const few = diffText(diffReports(reportOf({ '2.2/a': 'untestable' }), reportOf({ '2.2/a': 'pass' })));
    expect(few).toContain('  required 2.2/a  untestable → pass\n');
  });
});

it('a matrix is a heat map: a cell for each section and report, dashed if not all was checked', () => {
  const reports = [
    reportOf({ '2.2/a': 'fail', '2.2/b': 'pass', '2.2/c': 'pass', '2.2/d': 'pass', '9/a': 'pass' }),
    reportOf({
      '2.2/a': 'pass',
      '2.2/b': 'pass',
      '2.2/c': 'pass',
      '2.2/d': 'not-exercised',
      '9/a': 'not-applicable',
    }),
  ];
  const found = matrixOf(reports, ['mine', 'theirs']);
  expect(found.sections).toEqual([
    {
      section: '2.2',
      cells: [
        { musts: 4, passed: 3, failed: 1 },
        { musts: 4, passed: 3, failed: 0 },
      ],
    },
    {
      section: '9',
      cells: [
        { musts: 1, passed: 1, failed: 0 },
        { musts: 0, passed: 0, failed: 0 },
      ],
    },
  ]);
  const page = matrixHtml(found, new Map([['2.2', 'Policies']]));
  expect(page).toContain('<b>2.2</b> Policies');
  expect(page).toMatch(
    /<td class="fail" style="--share:25%" title="3 of 4 required rules hold, 1 failed">3\/4 <b>✘ 1<\/b><\/td><td class="pass partial" style="--share:0%"/,
  );
  expect(page).toContain('<td class="none">–</td>');
});

it('a matrix has no row for what one report was not asked about and the others decide alike', () => {
  const part = reportOf({ '2.2/a': 'pass', '2.2/b': 'not-applicable', '2.2/c': 'not-applicable' });
  const asked = {
    ...part,
    requirements: part.requirements.map((one) =>
      one.id === '2.2/a' ? one : { ...one, selected: false as const },
    ),
  };
  const whole = reportOf({ '2.2/a': 'pass', '2.2/b': 'pass', '2.2/c': 'fail' });
  expect(matrixOf([whole, asked], ['whole', 'part']).rows).toEqual([
    { id: '2.2/c', level: 'must', marks: ['fail', 'not-applicable'] },
  ]);
});

describe('merged runs', () => {
  const selecting = (only: readonly string[], skip: readonly string[] = []): Report => ({
    ...reportOf(all('pass')),
    ...(only.length + skip.length > 0 && { selectors: { only, skip } }),
  });
  const merged = (...reports: readonly Report[]): readonly [unknown, readonly string[]] => {
    const { selectors, warnings } = mergeReports(reports, { scriptOf: () => null });
    return [selectors, warnings.filter((line) => line.includes('merged runs'))];
  };

  it('that selected different things are told, with all that any of them selected', () => {
    const [selectors, told] = merged(
      selecting(['2.2', '9'], ['2.2/a']),
      selecting(['scenarios/policy']),
      selecting(['2.2', '9'], ['2.2/a']),
    );
    expect(selectors).toEqual({ only: ['2.2', '9', 'scenarios/policy'], skip: [] });
    expect(told).toEqual([
      'the merged runs did not select the same: --only 2.2, 9 --skip 2.2/a (run 1, 3); --only scenarios/policy (run 2). ' +
        'This report has what any of them selected',
    ]);
    expect(merged(selecting(['2.2']), selecting([]))[0]).toBeUndefined();
  });

  const failing = (id: string, failed: number, decided: number, calls: readonly number[]) => ({
    ...FINDINGS.requirements[0]!,
    ...{ id, section: id.split('/')[0]!, level: 'must' as const, verdict: 'fail' as const, failed, decided },
    failures: [{ ...FINDINGS.requirements[0]!.failures[0]!, requirement: id, calls }],
  });
  /** The first call was answered with 500. */
  const refusing = HISTORY.map((event) =>
    event.kind === 'call' && event.call === 0 ? { ...event, reply: { ...event.reply!, status: 500 } } : event,
  );
  const of = (...requirements: ReturnType<typeof failing>[]): Report => {
    const found = ['2.2/a', '4.6/b'].map(
      (id) =>
        requirements.find((one) => one.id === id) ?? {
          ...failing(id, 0, 9, []),
          verdict: 'pass' as const,
          failures: [],
        },
    );
    return madeUpReport({ ...FINDINGS, requirements: found }, refusing);
  };

  it('have the causes of a single run, though each has a part of them only', () => {
    const [a, b] = [failing('2.2/a', 3, 9, [0]), failing('4.6/b', 9, 9, [0])];
    const one = of(a, b).causes;
    expect(one).toEqual([
      { requirement: '4.6/b', answer: 'answered 500', sameAnswer: ['2.2/a'], consequences: [] },
    ]);
    expect(mergeReports([of(a), of(b)], { scriptOf: () => null }).causes).toEqual(one);
  });

  it('keep what follows from what, if all failures in all parts do', () => {
    const a = failing('2.2/a', 9, 9, [0]);
    const rests = failing('4.6/b', 1, 9, [0, 2]);
    const byItself = failing('4.6/b', 1, 9, [2]);
    const merged = (...reports: readonly Report[]) =>
      mergeReports(reports, { scriptOf: () => null }).causes!.map(({ requirement, consequences }) => [
        requirement,
        ...consequences,
      ]);
    expect(merged(of(a, rests), of(rests))).toEqual([['2.2/a', '4.6/b']]);
    expect(merged(of(a, rests), of(byItself))).toEqual([['2.2/a'], ['4.6/b']]);
  });

  it('have the most frequent cause first, whichever part it is from', () => {
    const [a, b] = [failing('2.2/a', 4, 6, []), failing('4.6/b', 28, 28, [])];
    const { causes } = mergeReports([of(a), of(b), of(a)], { scriptOf: () => null });
    expect(causes!.map(({ requirement }) => requirement)).toEqual(['4.6/b', '2.2/a']);
  });

  it('name the seeds of all', () => {
    const seeded = (seed: number): Report => ({ ...reportOf(all('pass')), seed });
    const words = (...seeds: readonly number[]): string =>
      seedWords(mergeReports(seeds.map(seeded), { scriptOf: () => null }));
    expect([words(3, 3), words(3, 4), words(1, 2, 3, 4)]).toEqual([
      'seed 3',
      'seeds 3, 4',
      'seeds 1, 2, 3 and 1 more',
    ]);
  });

  it('that selected the same are told nothing', () => {
    const skipped = selecting(['2.2'], ['2.2/a']);
    expect(merged(skipped, skipped)).toEqual([skipped.selectors, []]);
    expect(merged(selecting([]), selecting([]))).toEqual([undefined, []]);
  });
});

describe('a failure is intermittent', () => {
  const confirmed = (failed: number, plays: number) => ({
    ...{ script: null, steps: 1, of: 1, fault: null },
    ...{ failed, plays },
  });
  it.each([
    [2, 3, 'failed 2 of 40 decisions: intermittent'],
    [3, 3, 'failed 2 of 40 decisions'],
    [0, 3, 'failed 2 of 40 decisions: intermittent'],
    [0, 0, 'failed 2 of 40 decisions'],
  ])('where the same script failed in %i of %i further runs: %s', (failed, plays, told) => {
    const failures = FAILED!.failures.map((one) => ({ ...one, confirmed: confirmed(failed, plays) }));
    expect(formatFailed({ ...FAILED!, failed: 2, decided: 40, failures })).toBe(told);
  });

  it('is not said where only some decisions failed: they may be of different kinds', () => {
    expect(formatFailed({ ...FAILED!, failed: 2, decided: 40 })).toBe('failed 2 of 40 decisions');
  });
});

it.each([
  [{ maxMs: 0, samples: 775, strikes: 775, usualMs: 0 }, 'on time in all 775 cases'],
  [{ maxMs: 0, samples: 1, strikes: 0, usualMs: null }, 'on time in the only case'],
  [
    { maxMs: 0, samples: 9, strikes: 4, usualMs: 40 },
    'on time in all 9 cases; 90 % late by at most 40 ms (4 measured)',
  ],
  [
    { maxMs: 2_000, samples: 3_559, strikes: 50, usualMs: 2_200 },
    'once late by at least 2 s (3559 observations); 90 % late by at most 2.2 s (50 measured)',
  ],
])('lateness %j: %s', (lateness, told) => expect(formatLateness(lateness)).toBe(told));
