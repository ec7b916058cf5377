/** A run takes no longer than its plan tells, or ends and says what it did not reach. */
import { describe, expect, it } from 'vitest';
import { timeLimitOf, tooLittleTime, waitLines, whyLonger } from '../../src/app/plan/time-limit.js';
import type { HistoryEvent } from '../../src/history/events.js';
import { conclude } from '../../src/report/conclusion.js';
import type { NamedScenario } from '../../src/scenario/index.js';
import type { DurationEstimate, HttpTarget } from '../../src/target/http/index.js';
import { scriptOf } from '../target-http/support.js';

const foreseen = (wallMs: number): DurationEstimate => ({ wallMs }) as DurationEstimate;
const target = (maxWaitMs: number): HttpTarget =>
  ({ clock: 'real', limits: { maxWaitMs }, latency: { replyMs: 0, dispatchMs: 0 } }) as HttpTarget;
const scripts = ['2.2/first', '4.1/second', '5/third'].map((scenario) =>
  scriptOf([{ do: 'health' }, { do: 'health', at: { waitMs: 3_000 } }], { scenario }),
);
const scenarios = [
  { name: '2.2/first', exercises: ['2.2/ttl-accepted'] },
  { name: '4.1/second', exercises: ['4.1/retention-kept', '4.1/retention-gone'] },
  { name: '5/third', exercises: ['5/key-accepted-run'] },
] as unknown as readonly NamedScenario[];

const begin = (script: number, atMs: number): HistoryEvent =>
  ({ kind: 'script', script, atMs }) as HistoryEvent;
const end = (script: number, atMs: number, outcome: 'played' | 'aborted' = 'played'): HistoryEvent => ({
  kind: 'script-end',
  script,
  atMs,
  outcome,
  reason: null,
});
const events = [begin(0, 0), begin(1, 100), end(0, 3_000), end(1, 130_000, 'aborted')];

describe('the time that a run may take', () => {
  it.each([
    [65_000, null, 130_000],
    [5_000, null, 65_000],
    [300_000, null, 600_000],
    [65_000, 20_000, 20_000],
  ])('foreseen are %d ms, with a budget of %s: %d', (wallMs, budgetMs, limitMs) => {
    expect(timeLimitOf(foreseen(wallMs), budgetMs)).toBe(limitMs);
  });

  it('is not limited where the clock can be advanced', () => {
    expect(timeLimitOf(null, null)).toBeNull();
  });

  it('ends with a code of its own, unless something failed', () => {
    const passed = { id: 'a', level: 'must', verdict: 'pass' } as const;
    expect(conclude([passed], 'time')).toMatchObject({
      exitCode: 7,
      verdict: expect.stringContaining('TIME ENDED FIRST'),
    });
    expect(conclude([{ ...passed, verdict: 'fail' }], 'time').exitCode).toBe(1);
  });
});

describe('why something was not decided', () => {
  const played = {
    target: target(70_000),
    scripts,
    leftOut: [],
    scenarios,
    events,
    profile: 'quick' as const,
    limitMs: 130_000,
  };

  it('is the end of the run, for what its scripts did not come to', () => {
    const why = tooLittleTime({ ...played, wasCut: true });
    expect(why('5/key-accepted-run')).toBe(
      'not reached in the time of the run, 2 min 10 s: more is given by --budget 5m',
    );
    expect(why('4.1/retention-kept')).toContain('not reached');
    expect(why('2.2/ttl-accepted')).toBeNull();
  });

  it('is the budget, for what it had no room for', () => {
    const leftOut = [
      {
        scenario: '4.1/second',
        missing: [],
        reason: 'no room in the budget of 25 s',
        forBudget: true as const,
      },
    ];
    const why = tooLittleTime({
      ...played,
      scripts: scripts.slice(0, 1),
      leftOut,
      limitMs: 25_000,
      wasCut: false,
    });
    // Its wait is longer than the profile allows, too: that is not why it was not played.
    expect(why('4.1/retention-gone')).toBe('no room in the budget of 25 s: more is given by --budget 1m');
    expect(why('2.2/ttl-accepted')).toBeNull();
    const other = tooLittleTime({ ...played, leftOut, wasCut: false });
    expect(other('4.1/retention-kept')).toBeNull();
  });

  it('is the wait that it takes, with the profile that has it', () => {
    const why = tooLittleTime({ ...played, wasCut: false });
    expect(why('4.1/retention-gone')).toBe(
      'it takes a wait of 1 min 30 s and more, where quick has 1 min 10 s: --profile standard',
    );
    expect(why('4.2/retention-gone')).toContain('--profile full');
    expect(why('5/key-accepted-run')).toBeNull();
    expect(
      tooLittleTime({ ...played, target: target(105_000), wasCut: false })('4.1/retention-gone'),
    ).toBeNull();
  });

  it('stands in the plan', () => {
    const lines = waitLines(target(70_000), 'quick', (id) => id.startsWith('4.'));
    expect(lines.find((line) => line.includes('--profile standard'))).toContain('4.1/retention-gone');
    expect(lines.find((line) => line.includes('--profile full'))).toContain('4.1/retention-with-wait-gone');
    expect(waitLines(target(31 * 60_000), 'full', () => true).join()).not.toContain('4.2/retention-gone');
  });
});

describe('a run that took longer than foreseen', () => {
  it('says which scripts did', () => {
    const told = whyLonger({ target: target(70_000), scripts, events }, 65_000, 130_000)!;
    expect(told).toContain('the run took 2 min 10 s where 1 min 5 s were foreseen');
    expect(told).toContain('4.1/second took 2 min 10 s, not ');
    expect(told).not.toContain('2.2/first');
  });

  it('says nothing of a little more', () => {
    expect(whyLonger({ target: target(70_000), scripts, events }, 65_000, 79_000)).toBeNull();
  });
});
