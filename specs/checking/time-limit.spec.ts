/** A run takes no longer than its plan tells, or ends and says what it did not reach. */
import { describe, expect, it } from 'vitest';
import {
  budgetIn,
  longerWaits,
  timeLimitOf,
  whyLonger,
  whyNotReached,
} from '../../src/checking/plan/time-limit.js';
import { whyOtherCalls } from '../../src/checking/plan/other-calls.js';
import type { HistoryEvent } from '../../src/history/events.js';
import { conclude } from '../../src/report/conclusion.js';
import { REQUIREMENTS } from '../../src/spec/index.js';
import type { NamedScenario } from '../../src/scenario/index.js';
import type { DurationEstimate, HttpTarget } from '../../src/target/http/index.js';
import { scriptOf } from '../target-http/support.js';

const foreseen = (wallMs: number): DurationEstimate => ({ wallMs }) as DurationEstimate;
const target = (maxWaitMs: number, speed?: number): HttpTarget =>
  ({
    clock: 'real',
    capabilities: [],
    limits: { maxWaitMs },
    latency: { replyMs: 0, dispatchMs: 0, ...(speed === undefined ? {} : { speed }) },
  }) as unknown as HttpTarget;
const scripts = ['2.2/first', '4.1/second', '5/third'].map((scenario) =>
  scriptOf([{ do: 'health' }, { do: 'health', at: { waitMs: 3_000 } }], { scenario }),
);
const scenarios = [
  { name: '2.2/first', exercises: ['2.2/ttl-accepted'] },
  { name: '4.1/second', exercises: ['4.1/retention-kept', '4.1/retention-gone'] },
  { name: '5/third', exercises: ['5/key-accepted-run'] },
].map((one) => ({ ...one, onlyWith: {} })) as unknown as readonly NamedScenario[];

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
  const plan = { target: target(70_000), scripts, leftOut: [], limitMs: 130_000, estimate: null };
  const run = { plan, scenarios, events, stoppedByLimit: false, stoppedBecause: null };

  it('is the end of the run, where scripts had not ended', () => {
    const why = whyNotReached({ ...run, stoppedByLimit: true });
    expect(why('5/key-accepted-run')).toBe(
      "not reached within the run's 2 min 10 s: use --budget 5m or more",
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
    const why = whyNotReached({
      ...run,
      plan: { ...plan, scripts: scripts.slice(0, 1), leftOut, limitMs: 25_000 },
    });
    expect(why('4.1/retention-kept')).toBe('no room in the budget of 25 s: use --budget 1m or more');
    // Its wait is longer than the profile allows: no budget decides it.
    expect(budgetIn(why('4.1/retention-gone'))).toBeNull();
    const planned = { ...plan, scripts: scripts.slice(0, 1), leftOut, limitMs: 25_000, enoughMs: 400_000 };
    expect(budgetIn(whyNotReached({ ...run, plan: planned })('4.1/retention-kept'))).toBe('7m');
    expect(why('2.2/ttl-accepted')).toBeNull();
    const other = whyNotReached({ ...run, plan: { ...plan, leftOut } });
    expect(other('4.1/retention-kept')).toBeNull();
  });

  it('is the wait that it needs, with the profile that has it', () => {
    const why = whyNotReached(run);
    expect(why('4.1/retention-gone')).toBe(
      'needs a wait of 1 min 30 s or more; the longest wait of this run was 1 min 10 s: use --profile standard',
    );
    expect(why('4.2/retention-gone')).toContain('--profile full');
    expect(why('5/key-accepted-run')).toBeNull();
    const longer = { ...plan, target: target(105_000) };
    expect(whyNotReached({ ...run, plan: longer })('4.1/retention-gone')).toBeNull();
  });

  it('is a wait on the clock of the target, of which a profile has more where that runs faster', () => {
    const why = (speed: number) =>
      whyNotReached({ ...run, plan: { ...plan, target: target(70_000 * speed, speed) } });
    expect(why(10)('4.1/retention-gone')).toBeNull();
    expect(why(10)('4.2/retention-gone')).toContain(
      'the longest wait of this run was 11 min 40 s: use --profile full',
    );
    expect(longerWaits(target(70_000 * 30, 30), { only: ['4.2/retention-gone'] })).toEqual([]);
  });

  it('is part of the plan', () => {
    const ofSection4 = REQUIREMENTS.map(({ id }): string => id).filter((id) => id.startsWith('4.'));
    const [standard, full, ...more] = longerWaits(target(70_000), { only: ofSection4 });
    expect(more).toEqual([]);
    expect(standard).toMatchObject({ profile: 'standard' });
    expect(standard?.requirements).toContain('4.1/retention-gone');
    expect(full).toMatchObject({ profile: 'full' });
    expect(full?.requirements).toContain('4.1/retention-with-wait-gone');
    const longest = longerWaits(target(31 * 60_000), {}).flatMap(({ requirements }) => requirements);
    expect(longest).not.toContain('4.2/retention-gone');
  });
});

describe('a run that took longer than estimated', () => {
  const plan = {
    ...{ target: target(70_000), scripts, leftOut: [], limitMs: null },
    estimate: foreseen(65_000),
  };

  it('says which scripts did', () => {
    const told = whyLonger({ plan, events }, 130_000)!;
    expect(told).toContain('the run took 2 min 10 s, and was estimated at 1 min 5 s');
    expect(told).toContain('4.1/second took 2 min 10 s instead of ');
    expect(told).not.toContain('2.2/first');
  });

  it('says it in real time, where the clock of the target runs faster', () => {
    const fast = { ...plan, target: target(70_000, 10), estimate: foreseen(1_000) };
    expect(whyLonger({ plan: fast, events }, 60_000)).toContain('4.1/second took 13 s instead of ');
  });

  it('says nothing of a little more', () => {
    expect(whyLonger({ plan, events }, 79_000)).toBeNull();
  });
});

describe('a run that made other than the planned number of calls', () => {
  const call = (script: number): HistoryEvent => ({ kind: 'call', script }) as HistoryEvent;
  const planOf = (calls: number) => ({
    ...{ target: target(70_000), scripts, leftOut: [], limitMs: null },
    estimate: { calls } as DurationEstimate,
  });
  const polled = [...events, ...Array.from({ length: 500 }, () => call(1)), call(0), call(0)];

  it('says which scripts made more', () => {
    const told = whyOtherCalls({ plan: planOf(6), events: polled }, 502)!;
    expect(told).toContain('made 502 calls, not 6 as estimated: 1 script looked again and again');
    expect(told).toContain('4.1/second made 500, not 2');
    expect(told).not.toContain('2.2/first');
  });

  it('says that scripts did not come to an end, where it made fewer', () => {
    expect(whyOtherCalls({ plan: planOf(900), events: polled }, 502)).toContain(
      '2 scripts did not come to an end',
    );
  });

  it('says nothing within a quarter', () => {
    expect(whyOtherCalls({ plan: planOf(410), events: polled }, 502)).toBeNull();
    expect(whyOtherCalls({ plan: planOf(650), events: polled }, 502)).toBeNull();
  });
});
