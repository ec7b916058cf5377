import { describe, expect, it } from 'vitest';
import type { RequirementFinding, Verdict } from '../../src/oracle/ledger/findings.js';
import { conclude, parseMinDecided } from '../../src/report/index.js';

function requirements(...verdicts: readonly (Verdict | `should ${Verdict}`)[]): RequirementFinding[] {
  return verdicts.map((word, index) => ({
    id: `1/r${index}`,
    section: '1',
    level: word.startsWith('should ') ? 'should' : 'must',
    text: '',
    verdict: word.replace('should ', '') as Verdict,
    decided: 1,
    failed: 0,
    reason: null,
    failures: [],
  }));
}

describe('the exit code', () => {
  it.each([
    ['conforms', requirements('pass', 'pass'), 'finished', 0],
    ['a must failed', requirements('pass', 'fail'), 'finished', 1],
    ['only a should failed', requirements('pass', 'should fail'), 'finished', 0],
    ['nothing was decided', requirements('inconclusive', 'not-exercised'), 'finished', 6],
    ['only shoulds were decided', requirements('should pass', 'not-exercised'), 'finished', 6],
    ['only shoulds were asked for', requirements('should pass', 'not-applicable'), 'finished', 0],
    ['only shoulds were asked for, one failed', requirements('should fail'), 'finished', 0],
    ['nothing can be decided', requirements('untestable'), 'finished', 6],
    ['there is nothing at all', [], 'finished', 6],
    ['the budget ended before enough was decided', requirements('not-exercised'), 'budget', 7],
    ['enough was decided when the budget ended', requirements('pass', 'not-exercised'), 'budget', 0],
    ['a must failed before the budget ended', requirements('fail'), 'budget', 1],
    ['test control failed', requirements('pass', 'not-exercised'), 'control-failed', 3],
    ['a must failed before test control did', requirements('fail'), 'control-failed', 1],
    ['interrupted', requirements('pass'), 'interrupted', 130],
    ['interrupted after a failure', requirements('fail'), 'interrupted', 130],
  ] as const)('%s', (_what, findings, ending, code) => {
    expect(conclude(findings, ending).exitCode).toBe(code);
  });

  it('is 6 when fewer requirements were decided than required', () => {
    const findings = requirements('pass', 'pass', 'not-exercised', 'not-exercised', 'untestable');
    expect(conclude(findings, 'finished', { count: 2 }).exitCode).toBe(0);
    expect(conclude(findings, 'finished', { count: 3 }).exitCode).toBe(6);
    expect(conclude(findings, 'finished', { percent: 50 }).exitCode).toBe(0);
    expect(conclude(findings, 'finished', { percent: 51 }).exitCode).toBe(6);
  });

  it.each([
    [
      'unexplained',
      'pass',
      6,
      'LEFT OPEN: nothing failed, 1 must stayed open that these scenarios decide, 1 of 2 musts checked',
    ],
    ['explained', 'pass', 0, 'CONFORMS: nothing failed, 1 of 2 musts checked'],
    ['unexplained', 'fail', 1, 'DOES NOT CONFORM: 1 failed, 1 of 2 musts checked'],
  ] as const)(
    'where a must that its scenarios decide stayed open, %s, beside a %s: %i',
    (missed, beside, code, verdict) => {
      const [first, open] = requirements(beside, 'inconclusive');
      expect(conclude([first!, { ...open!, missed }], 'finished')).toEqual({ exitCode: code, verdict });
    },
  );

  it('is never 0 when nothing was decided, whatever is allowed', () => {
    expect(conclude(requirements('not-exercised'), 'finished', { count: 0 }).exitCode).toBe(6);
  });
});

it.each([
  ['12', { count: 12 }],
  ['40%', { percent: 40 }],
  ['101%', null],
  ['-1', null],
  ['x', null],
])('--min-decided %s', (text, meaning) => expect(parseMinDecided(text)).toEqual(meaning));
