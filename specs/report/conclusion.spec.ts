import { describe, expect, it } from 'vitest';
import type { RequirementFinding, Verdict } from '../../src/oracle/ledger/findings.js';
import { conclude, type ConcludeOptions, type Judged } from '../../src/report/conclusion.js';
import type { MinDecided } from '../../src/report/index.js';
import { REQUIREMENTS } from '../../src/spec/index.js';
import type { Capability } from '../../src/spec/types.js';

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
    const code = (minDecided: MinDecided): number => conclude(findings, 'finished', { minDecided }).exitCode;
    expect(code({ count: 2 })).toBe(0);
    expect(code({ count: 3 })).toBe(6);
    expect(code({ percent: 50 })).toBe(0);
    expect(code({ percent: 51 })).toBe(6);
    // Of all that applies, what the target lacks to decide it included.
    expect(code({ ofAll: 40 })).toBe(0);
    expect(code({ ofAll: 41 })).toBe(6);
  });

  it.each([
    [
      'unexplained',
      'pass',
      6,
      'LEFT OPEN: nothing failed, but with a correct server these scenarios decide 1 more required rule; 1 of 2 required rules checked',
    ],
    ['explained', 'pass', 0, 'NOTHING FAILED: 1 of 2 required rules checked; --control would add 1'],
    ['unexplained', 'fail', 1, 'DOES NOT CONFORM: 1 failed, 1 of 2 required rules checked'],
  ] as const)(
    'where a must that its scenarios decide stayed open, %s, beside a %s: %i',
    (missed, beside, code, verdict) => {
      const [first, open] = requirements(beside, 'inconclusive');
      expect(conclude([first!, { ...open!, missed }], 'finished')).toMatchObject({ exitCode: code, verdict });
    },
  );

  it('is never 0 when nothing was decided, whatever is allowed', () => {
    expect(conclude(requirements('not-exercised'), 'finished', { minDecided: { count: 0 } }).exitCode).toBe(
      6,
    );
  });
});

it.each([
  ['pass', 'pass', 'FIXED: nothing failed again, 2 of 2 required rules checked'],
  [
    'pass',
    'not-exercised',
    'FIXED: nothing failed again, 1 of 2 required rules checked: 1 no longer violated by the scripts that violated it',
  ],
  [
    'untestable',
    'inconclusive',
    'FIXED: nothing failed again, 0 of 2 required rules checked: 2 no longer violated by the scripts that violated them',
  ],
] as const)('says FIXED where what failed before is fixed: %s, %s', (one, other, verdict) => {
  const how = { isFixed: true, minDecided: { count: 9 } };
  const conforms = other === 'pass';
  expect(conclude(requirements(one, other), 'finished', how)).toEqual({ exitCode: 0, verdict, conforms });
  expect(conclude(requirements(one, 'fail'), 'finished', how).exitCode).toBe(1);
  expect(conclude(requirements(one, other), 'target-gone', how).exitCode).toBe(3);
});

describe('CONFORMS is said only where all that applies was decided', () => {
  const CONTROLLED: readonly Capability[] = [
    ...(['scripted-worker', 'test-control', 'webhook-reachable', 'dedicated', 'load-allowed'] as const),
    ...(['worker-count-known', 'unpermitted-key', 'other-user-key', 'endpoint-in-path'] as const),
  ];
  const MUSTS = REQUIREMENTS.filter(({ level }) => level === 'must');
  /** All pass, except for some. */
  const whole = (others: { readonly [id: string]: Partial<RequirementFinding> } = {}) =>
    MUSTS.map(({ id }, nth) => ({ ...requirements('pass')[0]!, id, nth, ...others[id] }));
  const NEVER = { verdict: 'untestable' } as const;
  /** What no observation decides, and what a target with workers at any time cannot show. */
  const anywhere = {
    '8/workers-never-lower-limit': NEVER,
    '2.2/low-priority-default': NEVER,
    '2.2/low-priority-no-scaling': NEVER,
  };
  const said = (findings: readonly Judged[], how: ConcludeOptions = {}) => {
    const { exitCode, verdict, conforms } = conclude(findings, 'finished', {
      target: { capabilities: CONTROLLED },
      ...how,
    });
    return `${exitCode} ${conforms} ${verdict}`;
  };
  const all = MUSTS.length;

  it('whatever stays open on any target like it', () => {
    expect(said(whole(anywhere))).toBe(
      `0 true CONFORMS: nothing failed, ${all - 3} of ${all} required rules checked`,
    );
  });

  it('whatever its own readings leave open', () => {
    const open = { '3/cancel-running': { verdict: 'inconclusive', openByReading: true } } as const;
    expect(said(whole({ ...anywhere, ...open }))).toMatch(/^0 true CONFORMS/);
    const unsaid = { '3/cancel-running': { verdict: 'inconclusive' } } as const;
    expect(said(whole({ ...anywhere, ...unsaid }))).toBe(
      `0 false NOTHING FAILED: ${all - 4} of ${all} required rules checked`,
    );
  });

  it('not without what a user could offer, which is named', () => {
    const [first, second] = MUSTS.filter(({ needs }) => needs.join() === 'scripted-worker');
    const open = { [first!.id]: NEVER, [second!.id]: NEVER };
    const capabilities = CONTROLLED.filter((one) => one !== 'scripted-worker');
    const target = { capabilities };
    const verdict = `NOTHING FAILED: ${all - 5} of ${all} required rules checked; a scripted worker would add 2`;
    expect(said(whole({ ...anywhere, ...open }), { target })).toBe(`0 false ${verdict}`);
    expect(said(whole({ ...anywhere, ...open }), { target, minDecided: { ofAll: 99 } })).toBe(
      `0 false ${verdict}`,
    );
    expect(said(whole({ ...anywhere, ...open }), { target, minDecided: { ofAll: 100 } })).toMatch(
      `6 false TOO LITTLE DECIDED: ${all - 5} of ${all} required rules checked, ${all - 3} required; a scripted`,
    );
  });

  it('of the selection, where there is one', () => {
    const [asked, ...others] = whole();
    const unasked = others.map((one) => ({
      ...one,
      selected: false as const,
      verdict: 'not-applicable' as const,
    }));
    expect(said([asked!, ...unasked])).toBe(
      '0 true SELECTION CONFORMS: nothing failed, 1 of 1 required rules checked',
    );
  });

  it('not where only known failures are left', () => {
    const [first] = MUSTS;
    const failed = whole({ ...anywhere, [first!.id]: { verdict: 'fail' } });
    const known = { requirement: first!.id, reason: 'known' };
    const baseline = { known: new Map([[first!.id, known]]), stale: [], expired: [] };
    expect(said(failed, { baseline })).toMatch(/^0 false NOTHING NEW/);
    expect(said(failed, { baseline, minDecided: { ofAll: 100 } })).toMatch(/^6 false NOTHING NEW/);
  });
});

describe('of recorded traffic', () => {
  const target = { capabilities: [], isRecorded: true } as const;
  const few = requirements('pass', ...Array.from({ length: 40 }, () => 'not-exercised' as const));

  it('one decision is enough, and none is not', () => {
    expect(conclude(few, 'finished', { target })).toEqual({
      exitCode: 0,
      verdict: 'NOTHING FAILED: 1 of 41 required rules checked',
      conforms: false,
    });
    expect(conclude(few.slice(1), 'finished', { target }).exitCode).toBe(6);
  });

  it('what fails unless an assumption holds comes first', () => {
    const cost = { assumed: ['others'], instead: '--world closed', musts: 3, failed: 1 } as const;
    const assumptions = { calls: 9, costs: [cost] };
    expect(conclude(few, 'finished', { target, assumptions }).verdict).toBe(
      'FAILS UNLESS OTHER CLIENTS USE THE ENDPOINT: --world closed would show that 1 required rule failed; 1 of 41 required rules checked',
    );
  });
});
