/** Reports on clients after the run: with a baseline, merged, compared, and those of the first format. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { WEATHERS } from '../../../src/client/weather/index.js';
import { badgeOf, matrixOf } from '../../../src/report/compare/matrix.js';
import { diffReports } from '../../../src/report/compare/diff.js';
import { fromFirstFormat } from '../../../src/report/client/first-format.js';
import { mergeReports } from '../../../src/report/compare/merge.js';
import type { Baseline, Report } from '../../../src/report/index.js';
import type { KnownFailure } from '../../../src/report/compare/baseline.js';
import { madeUpReport } from '../sample-report.js';
import { asksOn, MIXED, reportOf, result, written } from './sample.js';

const TODAY = '2001-02-03';
const KNOWN: KnownFailure = { requirement: 'client/stops-at-failed', reason: 'the old loop' };
const baseline = (...known: readonly KnownFailure[]): { entries: Baseline; today: string } => ({
  entries: { schema: 'runproof-baseline/1', known },
  today: TODAY,
});
const judged = (report: Report): readonly unknown[] => [report.exitCode, report.verdict];
const FAILS = reportOf([result('clear'), asksOn('job-fails')]);
/** Under every condition. */
const whole = (...more: Parameters<typeof reportOf>[0]) =>
  reportOf([...WEATHERS.map(({ id }) => result(id)).slice(more.length), ...more]);

describe('a baseline', () => {
  it('makes a broken rule a known failure, which fails nothing', () => {
    const report = written(FAILS, { baseline: baseline(KNOWN) });
    expect(judged(report)).toEqual([
      0,
      'NOTHING NEW: 1 failed, all known by the baseline, under 2 conditions',
    ]);
    expect([report.causes, report.requirements[1]?.known]).toEqual([[], 'the old loop']);
  });

  it('hides no other broken rule', () => {
    const busy = result('long-run', { states: { pause: { calls: [2], text: 'it did not pause' } } });
    const report = written(reportOf([asksOn('job-fails'), busy]), { baseline: baseline(KNOWN) });
    expect(judged(report)).toEqual([
      1,
      'FAILED client/poll-pause under 1 of 2 conditions: it did not pause (long-run)',
    ]);
  });

  it('is stale only once a rule was kept under every condition', () => {
    expect(
      written(reportOf([result('clear')]), {
        baseline: baseline({ ...KNOWN, requirement: 'client/poll-pause' }),
      }).exitCode,
    ).toBe(0);
    const report = written(whole(), { baseline: baseline({ ...KNOWN, requirement: 'client/poll-pause' }) });
    expect(judged(report)).toEqual([
      5,
      `BASELINE OUT OF DATE: no longer fails: client/poll-pause; under ${WEATHERS.length} conditions`,
    ]);
  });

  it('is out of date after the last day of an entry', () => {
    const report = written(FAILS, { baseline: baseline({ ...KNOWN, expires: '2001-02-02' }) });
    expect(judged(report)).toEqual([
      5,
      'BASELINE OUT OF DATE: expired: client/stops-at-failed; under 2 conditions',
    ]);
  });
});

const MERGING = { scriptOf: () => null };

describe('merged', () => {
  const clear = written(reportOf([result('clear')], { untried: ['job-fails', 'read-half'] }));
  const fails = written(reportOf([asksOn('job-fails')], { wallMs: 40_000 }));

  it('parts are what one run under all of their conditions would be', () => {
    const merged = mergeReports([clear, fails], MERGING);
    const once = written(
      reportOf([result('clear'), asksOn('job-fails')], { untried: ['read-half'], wallMs: 40_000 }),
    );
    expect(merged).toEqual(once);
  });

  it('parts keep what their baselines know', () => {
    const known = written(reportOf([asksOn('job-fails')]), { baseline: baseline(KNOWN) });
    const other = written(reportOf([result('clear')]), { baseline: baseline(KNOWN) });
    expect(judged(mergeReports([known, other], MERGING))).toEqual([
      0,
      'NOTHING NEW: 1 failed, all known by the baseline, under 2 conditions',
    ]);
    // What one part does not know is not known.
    expect(mergeReports([known, fails], MERGING).exitCode).toBe(1);
    const expired = written(reportOf([asksOn('job-fails')]), {
      baseline: baseline({ ...KNOWN, expires: '2001-02-02' }),
    });
    expect(mergeReports([expired, clear], MERGING).baseline?.expired).toEqual([KNOWN.requirement]);
  });

  it('reports are of one client', () => {
    const other = written(reportOf([result('clear')], { client: 'another' }));
    expect(() => mergeReports([clear, other], MERGING)).toThrow(
      'client node my-client.js, and client another',
    );
    expect(() => mergeReports([clear, madeUpReport()], MERGING)).toThrow('not parts of one check');
  });
});

it('compared, a rule that is newly broken is named', () => {
  const { newlyFailing } = diffReports(written(reportOf([result('clear')])), written(FAILS));
  expect(newlyFailing.map(({ id }) => id)).toEqual(['client/stops-at-failed']);
});

it('side by side, every rule counts', () => {
  const both = matrixOf([written(reportOf([result('clear')])), written(FAILS)], ['before', 'after']);
  expect(both.reports).toMatchObject([
    { failed: 0, checked: 2, musts: 4 },
    { failed: 1, checked: 3, musts: 4 },
  ]);
  expect(both.rows.map(({ id }) => id)).toContain('client/stops-at-failed');
  expect(both.sections.map(({ section }) => section)).toEqual(['client']);
  expect(both.sections[0]?.cells.map(({ failed }) => failed)).toEqual([0, 1]);
});

it('a badge counts broken rules', () => {
  expect(badgeOf(written(FAILS))).toMatchObject({ message: '1 of 3 required rules failed', color: 'red' });
  expect(badgeOf(written(reportOf([result('clear')])))).toMatchObject({
    ...{ message: '2 of 4 required rules hold', color: 'brightgreen' },
  });
});

it('a report matches the shipped schema', () => {
  const schema = JSON.parse(readFileSync('schemas/report.schema.json', 'utf8')) as object;
  const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(schema);
  validate(JSON.parse(JSON.stringify(written(MIXED))));
  expect(validate.errors).toBeNull();
});

it('a report of the first format is read as one of today, without the command that repeats', () => {
  const first = JSON.parse(readFileSync('specs/report/client/first-format.json', 'utf8')) as unknown;
  const report = fromFirstFormat(first);
  const today = written(MIXED);
  const withoutRepeat = {
    ...today,
    requirements: today.requirements.map((one) => ({
      ...one,
      failures: one.failures.map((failure) => ({ ...failure, replay: null })),
    })),
    conditions: today.conditions?.map((one) => ({ ...one, repeat: null })),
  };
  expect(JSON.parse(JSON.stringify(report))).toEqual(JSON.parse(JSON.stringify(withoutRepeat)));
});
