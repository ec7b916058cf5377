/** What is assumed of recorded traffic, and what it costs, is a line each wherever a report is read. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { assumptionLines, assumptionTitle, strongerThan } from '../../src/report/assumptions.js';
import { renderFormat } from '../../src/report/formats/index.js';
import { mergeReports } from '../../src/report/compare/merge.js';
import { renderTerminal } from '../../src/report/terminal/terminal.js';
import { sectionTitles, type Report } from '../../src/report/index.js';
import type { Format } from '../../src/report/formats/names.js';
import { CONTEXT, DOCUMENT, madeUpReport } from './sample-report.js';

const COSTS: NonNullable<Report['assumptions']>['costs'] = [
  { assumed: ['others'], instead: '--world closed', musts: 31, failed: 2 },
  { assumed: ['missing-calls'], instead: null, musts: 1, failed: 0 },
  { assumed: ['crashes'], instead: '--crashes no', musts: 0, failed: 0 },
  { assumed: ['others', 'missing-calls', 'crashes'], instead: null, musts: 40, failed: 40 },
];
const LINES = [
  'other clients may use the endpoint: costs 31 required rules, which --world closed would decide (2 as failed)',
  'calls may be missing: costs 1 required rule, which a recording with all calls would decide',
  'workers may crash: costs nothing by itself',
  'all of these: cost 40 required rules, which a recording with all calls would decide (as failed)',
];

const OPTIONS = {
  ...{ colour: false, verbose: false, titles: sectionTitles(DOCUMENT), quotes: new Map() },
  directory: null,
  program: 'npx runproof',
};
const reportOf = (costs = COSTS, calls = 3): Report => ({ ...madeUpReport(), assumptions: { calls, costs } });

describe('what is assumed of a recording', () => {
  test('is a line for each assumption, and one for all', () => {
    expect(assumptionLines(reportOf())).toEqual(LINES);
    const [one] = COSTS;
    expect(assumptionLines(reportOf([{ ...one!, musts: 0, failed: 0 }]))).toEqual([
      'other clients may use the endpoint: costs nothing',
    ]);
    expect(assumptionLines(reportOf([{ ...one!, musts: null, failed: 0 }]))).toEqual([
      'other clients may use the endpoint: no time to count what this costs; --world closed may decide more',
    ]);
  });

  test.each<Format>(['html', 'markdown', 'github'])(
    'is in %s, and nothing where nothing is assumed',
    (format) => {
      const text = (report: Report): string => renderFormat(format, report, CONTEXT).content;
      for (const line of LINES) expect(text(reportOf()).replaceAll('\\', '')).toContain(line);
      expect(text(madeUpReport())).not.toMatch(/is assumed of the recording|may crash/u);
    },
  );

  test('is on the terminal, and nothing where nothing is assumed', () => {
    const text = renderTerminal(reportOf(), OPTIONS);
    expect(text).toContain(`Assumptions about the recording, and what each costs\n  ${LINES.join('\n  ')}\n`);
    expect(renderTerminal(madeUpReport(), OPTIONS)).not.toContain('assumed of the recording');
  });

  test('is what the schema says', () => {
    const schema = JSON.parse(readFileSync('schemas/report.schema.json', 'utf8')) as object;
    const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(schema);
    validate(JSON.parse(JSON.stringify(reportOf())));
    expect(validate.errors).toBeNull();
    const [one] = COSTS;
    expect(validate(reportOf([]))).toBe(false);
    expect(validate(reportOf([{ ...one!, musts: -1 }]))).toBe(false);
    expect(validate({ ...reportOf(), assumptions: { calls: 3, costs: COSTS, more: 1 } })).toBe(false);
  });

  test('is that of the first part where reports are merged, and the title says so', () => {
    const first = reportOf();
    const merged = mergeReports([first, madeUpReport()], { scriptOf: () => null });
    expect(merged.assumptions).toEqual(first.assumptions);
    expect(assumptionTitle(first)).not.toContain('calls');
    expect(assumptionTitle(merged)).toMatch(/ in the first 3 of 6 calls$/u);
  });
});

describe('what is stronger', () => {
  test('is one option after the other, then all', () => {
    const capture = { others: true, complete: false };
    const names = (isWhole: boolean): readonly (string | null)[] =>
      strongerThan(capture, isWhole).map(({ instead }) => instead);
    expect(names(true)).toEqual([
      ...['--world closed', '--complete yes', '--crashes no'],
      '--world closed --complete yes --crashes no',
    ]);
    expect(names(false)).toEqual(['--world closed', null, '--crashes no', null]);
    expect(strongerThan(capture, true).at(-1)!.capture).toEqual({
      ...{ others: false, complete: true, crashes: false },
    });
    expect(strongerThan({ others: false, complete: true, crashes: false }, true)).toEqual([]);
  });
});
