/** The reports of shards, alone and merged: together they say what one run of all would. */
import { describe, expect, it } from 'vitest';
import { mergeReports } from '../../../src/report/compare/merge.js';
import { buildReport } from '../../../src/report/index.js';
import type { DialectComparison } from '../../../src/report/dialect.js';
import type { Report } from '../../../src/report/report.js';
import type { RequirementFinding } from '../../../src/oracle/ledger/findings.js';
import { FINDINGS, HISTORY, madeUpReport } from '../sample-report.js';

type Rows = readonly (Partial<RequirementFinding> & Pick<RequirementFinding, 'verdict'>)[];

/** Rules 4.6/a, 4.6/b and so on. */
const findings = (rows: Rows): typeof FINDINGS => ({
  ...FINDINGS,
  requirements: rows.map((row, at): RequirementFinding => ({
    ...FINDINGS.requirements[1]!,
    ...{ id: `4.6/${'abcdef'[at]!}`, section: '4.6', level: 'must', text: '', reason: null },
    ...{ decided: row.verdict === 'pass' ? 1 : 0, failed: 0, failures: [] },
    ...row,
  })),
});
const shard = (index: number, rows: Rows, more: Partial<Parameters<typeof buildReport>[0]> = {}): Report =>
  buildReport({
    ...{ findings: findings(rows), history: HISTORY, url: 'http://127.0.0.1:8080', at: null, wallMs: 1_234 },
    ...{ runproof: '0.0.0', program: 'npx runproof', ending: 'finished', scriptFiles: new Map() },
    shards: { of: 3, played: [index] },
    ...more,
  });
const merged = (...reports: readonly Report[]): Report => mergeReports(reports, { scriptOf: () => null });

const [PASS, NO] = [{ verdict: 'pass' }, { verdict: 'not-exercised' }] as const;
const A = shard(1, [PASS, NO, NO]);
const B = shard(2, [NO, PASS, NO]);
const C = shard(3, [NO, NO, PASS]);

describe('a shard', () => {
  it('is a part, however much it has decided, and says which', () => {
    expect(A).toMatchObject({ exitCode: 0, conforms: false });
    expect(A.verdict).toBe('NOTHING FAILED: 1 of 3 required rules checked in shard 1 of 3');
    const all = shard(2, [PASS, PASS, PASS]);
    expect(all).toMatchObject({ exitCode: 0, conforms: false });
    expect(all.verdict).toBe('NOTHING FAILED: 3 of 3 required rules checked in shard 2 of 3');
  });

  it('need not decide what the whole has to, but something', () => {
    expect(shard(1, [PASS, NO, NO], { minDecided: { ofAll: 100 } }).exitCode).toBe(0);
    expect(shard(1, [NO, NO, NO]).exitCode).toBe(6);
    const open = { verdict: 'inconclusive', missed: 'unexplained' } as const;
    expect(shard(1, [PASS, open, NO]).exitCode).toBe(0);
    expect(merged(shard(1, [PASS, open, NO]), B, C)).toMatchObject({ exitCode: 0, conforms: true });
    expect(merged(shard(1, [PASS, open, NO]), shard(2, [PASS, NO, NO]), C).exitCode).toBe(6);
  });

  it('fails by itself', () => {
    const failing = shard(1, [{ verdict: 'fail', decided: 2, failed: 1 }, NO, NO]);
    expect(failing.exitCode).toBe(1);
    expect(failing.verdict).toBe('DOES NOT CONFORM: 1 failed, 1 of 3 required rules checked in shard 1 of 3');
    expect(merged(failing, B, C).verdict).toBe('DOES NOT CONFORM: 1 failed, 3 of 3 required rules checked');
  });

  it('does not know whether a known failure is gone: another shard may have it', () => {
    const known = {
      known: [{ requirement: '4.6/a', reason: 'later' }],
      schema: 'runproof-baseline/1',
    } as const;
    const baseline = { entries: known, today: '2001-01-01' };
    const fixed = shard(1, [PASS, PASS, PASS], { baseline });
    expect(fixed.exitCode).toBe(0);
    const failing = shard(2, [{ verdict: 'fail', decided: 1, failed: 1 }, NO, NO], { baseline });
    expect(merged(fixed, failing, shard(3, [NO, NO, NO], { baseline })).exitCode).toBe(0);
    expect(merged(fixed, shard(2, [NO, PASS, NO], { baseline }), C).exitCode).toBe(5);
  });
});

describe('merged shards', () => {
  it('are the whole, in any order, without a word about selections', () => {
    const all = merged(C, A, B);
    expect(all).toMatchObject({
      exitCode: 0,
      conforms: true,
      verdict: 'CONFORMS: nothing failed, 3 of 3 required rules checked',
    });
    expect(all.shards).toBeUndefined();
    expect(all.warnings.filter((line) => /shard|select/.test(line))).toEqual([]);
  });

  it.each([
    [
      [A, C],
      'SHARD 2 OF 3 IS MISSING: nothing failed in the others, 2 of 3 required rules checked in 2 of 3 shards',
      'shard 2 of 3 is missing: ',
    ],
    [
      [B],
      'SHARDS 1, 3 OF 3 ARE MISSING: nothing failed in the others, 1 of 3 required rules checked in shard 2 of 3',
      'shards 1, 3 of 3 are missing: ',
    ],
  ])('never conform where one is missing (%#)', (parts, verdict, told) => {
    const some = merged(...parts);
    expect(some).toMatchObject({ exitCode: 6, conforms: false, verdict });
    expect(some.warnings[0]).toContain(told);
    // What is missing may come later.
    const others = [A, B, C].filter((one) => !parts.includes(one));
    expect(merged(some, ...others)).toMatchObject({ conforms: true, verdict: merged(A, B, C).verdict });
  });

  it('never conform where one is missing though the others decide everything', () => {
    const all = [PASS, PASS, PASS];
    expect(merged(shard(1, all), shard(2, all))).toMatchObject({ exitCode: 6, conforms: false });
  });

  it('decide a rule whose cases are in different shards', () => {
    const of = (...casesLeft: readonly string[]) =>
      ({ verdict: 'inconclusive', decided: 1, reason: `not: ${casesLeft.join(', ')}`, casesLeft }) as const;
    const one = shard(1, [PASS, PASS, of('/run', '/health')]);
    const other = shard(2, [NO, NO, of('/status', '/health')]);
    expect(merged(one, other, C)).toMatchObject({ conforms: true });
    const open = merged(one, other, shard(3, [PASS, NO, NO])).requirements[2];
    expect(open).toMatchObject({ verdict: 'inconclusive', casesLeft: ['/health'] });
    expect(open?.reason).toBe('not decided in any part: /health');
    const all = merged(one, shard(2, [NO, NO, of('/status')]), shard(3, [NO, NO, NO]));
    expect(all.requirements[2]).toMatchObject({ verdict: 'pass', reason: null, decided: 2 });
    expect(all.requirements[2]).not.toHaveProperty('casesLeft');
  });

  it('differ from a dialect as one run would', () => {
    const id = 'cancel-finished';
    const question = (readings: readonly string[]): Report['openQuestions'] => [
      {
        ...madeUpReport().openQuestions[0]!,
        id,
        readings,
        counts: Object.fromEntries(readings.map((one) => [one, 1])),
      },
    ];
    const drift = (observed: readonly string[]): DialectComparison => ({
      held: 1,
      drift:
        observed.length === 0 || observed.includes('kept')
          ? []
          : [{ question: id, expected: 'kept', observed }],
      unobserved: observed.length === 0 ? [id] : [],
    });
    const seeing = (report: Report, observed: readonly string[]): Report => ({
      ...report,
      openQuestions: question(observed),
      dialect: drift(observed),
    });
    const differing = merged(seeing(A, []), seeing(B, ['other']), seeing(C, []));
    expect(differing).toMatchObject({
      exitCode: 1,
      dialect: { drift: [{ observed: ['other'] }], unobserved: [] },
    });
    expect(differing.verdict).toBe(
      'DIALECT DRIFTED: 1 of 1 readings differ, no required rule failed, 3 of 3 required rules checked',
    );
    expect(merged(seeing(A, ['kept']), seeing(B, ['other']), seeing(C, []))).toMatchObject({
      exitCode: 0,
      dialect: { drift: [], unobserved: [] },
    });
  });

  it.each([
    ['another number of shards', { ...B, shards: { of: 4, played: [2] } }, 'shards 3, and shards 4'],
    ['a whole run', madeUpReport(findings([PASS, NO, NO])), 'shards 3, and shards none'],
    ['another seed', { ...B, seed: 8 }, /seed \d+, and seed 8/],
    [
      'another selection',
      { ...B, selectors: { only: ['4.6'], skip: [] } },
      'selection {}, and selection {"only":["4.6"]',
    ],
    ['another version', { ...B, runproof: '9.9.9' }, 'version'],
    [
      'another address',
      { ...B, target: { ...B.target, url: 'http://other.test' } },
      'and target http://other.test',
    ],
    ['another clock', { ...B, target: { ...B.target, clock: 'virtual' as const } }, 'and clock virtual'],
    ['the same shard', { ...A, at: '2001-02-03T04:05:06.000Z' }, 'shard 1 of 3 is there twice'],
  ])('are not merged with %s', (_what, other, complaint) => {
    expect(() => merged(A, other)).toThrow(complaint);
  });
});
