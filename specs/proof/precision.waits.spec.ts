import { describe, expect, it } from 'vitest';
import { brokenBy, staleWords, unlisted, whySilent } from '../../proof/breaks/index.js';
import { fits, rowsOf } from '../../proof/breaks/list.js';
import type { FaultyServer } from '../../proof/trials/faulty-server.js';
import {
  isPrecise,
  precisionMarkdown,
  precisionRow,
  precisionScore,
  totalsOf,
  type PrecisionRow,
  type PrecisionTable,
} from '../../proof/precision/precision-table.js';
import type { FailedRequirement } from '../../proof/trials/fault-verdict.js';
import { tryPrecision, type PrecisionRun } from '../../proof/precision/precision-trial.js';

const failed = (id: string, times = 1, level: FailedRequirement['level'] = 'must'): FailedRequirement => {
  return { id, level, times, scenarios: ['4.3/somewhere'], actual: 'what was seen' };
};
const run = (more: Partial<PrecisionRun>): PrecisionRun => {
  const none = { failed: [], passed: [], leftOpen: null, alone: [], problem: null, scripts: 1, wallMs: 1 };
  return { server: 'naive', fault: 'status-ttl-ignored', seed: 1, ...none, ...more };
};
const broken = brokenBy('status-ttl-ignored');
const row = (more: Partial<PrecisionRun>): PrecisionRow =>
  precisionRow(run(more), 'status-ttl-ignored', broken, null);
const tableOf = (...rows: PrecisionRow[]): PrecisionTable => {
  const how = { schema: 'runproof-precision/1', mode: 'real', profile: 'quick', seed: 1 } as const;
  return { ...how, totals: totalsOf(rows), withoutFault: [], rows };
};

describe('the lists of what faults break', () => {
  it('name faults and requirements that there are, and leave no fault out', () => {
    expect(staleWords()).toEqual([]);
    expect(unlisted()).toEqual([]);
  });

  it('hold what each mutant says of itself', () => {
    expect([...brokenBy('ttl-spares-cancelled')]).toContain('2.2/ttl-removes-cancelled');
    expect(brokenBy('ttl-spares-cancelled').has('2.2/ttl-this-job-only')).toBe(false);
  });

  it('are tables with three columns, in which * stands for anything', () => {
    expect(rowsOf('# a title\n\na b | 1/c* | why')).toEqual([['a b', '1/c*', 'why']]);
    expect(() => rowsOf('a | b')).toThrow(/three columns: a \| b/);
    expect(['2.4/id-in-run', '2.4/id-in-runs/x', '2x4/id-in-run'].map(fits('2.4/id-*'))).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('a fault is named', () => {
  it('rightly, wrongly, by advice alone, not at all', () => {
    const right = failed('4.3/ttl-shortens-life', 3);
    const wrong = failed('2.2/ttl-this-job-only', 2);
    expect(row({ failed: [right, wrong] })).toMatchObject({
      naming: 'right',
      rightDecisions: 3,
      decisions: 5,
      wrong: [wrong],
    });
    expect(row({ failed: [wrong] })).toMatchObject({ naming: 'wrong', rightDecisions: 0, decisions: 2 });
    expect(row({ failed: [failed('4.3/ttl-shortens-life', 1, 'should')] })).toMatchObject({
      naming: 'advice',
      decisions: 0,
    });
    expect(row({ passed: ['4.3/ttl-shortens-life', '2.4/id-unique'] })).toMatchObject({
      naming: 'missed',
      passed: ['4.3/ttl-shortens-life'],
    });
    expect(row({ problem: 'the key is refused' }).naming).toBe('unchecked');
  });

  it('though what it breaks passes: a script alone shows it, the whole is explained by others', () => {
    const alone = [
      {
        id: '4.3/ttl-lengthens-life',
        scenario: 'a/b',
        named: [['2.2/ttl-this-job-only']],
        isTakenForKept: false,
      },
      { id: '4.3/ttl-lengthens-life', scenario: 'c/d', named: [[]], isTakenForKept: true },
      { id: '4/operation-status', scenario: 'a/b', named: [[]], isTakenForKept: true },
    ];
    const passed = ['4.3/ttl-lengthens-life', '4/operation-status'];
    const over = row({ alone, passed });
    expect(over.passedOver).toEqual([alone[0]]);
    expect(isPrecise(tableOf(over))).toBe(false);
  });

  it('but not where each call that shows it shows something else that is broken', () => {
    const id = '4.3/ttl-lengthens-life';
    const over = (isTakenForKept: boolean, ...named: readonly (readonly string[])[]): number =>
      row({ alone: [{ id, scenario: 'a/b', named, isTakenForKept }], passed: [id] }).passedOver.length;
    expect(over(true, ['4.3/ttl-shortens-life'], ['2.4/id-unique', '4.3/ttl-shortens-life'])).toBe(0);
    expect(over(true, ['4.3/ttl-shortens-life'], [])).toBe(1);
    expect(over(false, [])).toBe(0);
    expect(over(false, ['2.4/id-unique'])).toBe(1);
  });
});

it('is precise from 99 of 100 on, and where no fault is named by others alone', () => {
  const mostly = row({ failed: [failed('4.3/ttl-shortens-life', 99), failed('2.2/ttl-this-job-only')] });
  const wrong = row({ failed: [failed('2.2/ttl-this-job-only')] });
  expect(isPrecise(tableOf(mostly))).toBe(true);
  expect(isPrecise(tableOf(mostly, mostly, wrong))).toBe(false);
  expect(isPrecise({ ...tableOf(mostly), withoutFault: ['2.4/id-in-run'] })).toBe(false);
  expect(precisionScore(tableOf(mostly, wrong))).toMatch(
    /^98\.02 % of failing decisions name what is broken \(99 of 101\) of 2 faults in real time on one shared endpoint, profile quick: 1 named by a must, 0 by a should, 1 only by what they do not break/,
  );
  expect(precisionMarkdown(tableOf(mostly))).toContain(
    '| naive `status-ttl-ignored` | right | 99 of 100 | `4.3/ttl-shortens-life` | `2.2/ttl-this-job-only` × 1 (4.3/somewhere) | – | – |',
  );
  expect(precisionMarkdown(tableOf(mostly, wrong))).toContain(
    '| `2.2/ttl-this-job-only` | 2 | `status-ttl-ignored` `status-ttl-ignored` |',
  );
});

/** Faults with the scenarios that show them; `npm run proofs` tries them all with the whole suite. */
const TRIED: readonly (readonly [server: FaultyServer, fault: string, scenarios: readonly string[]])[] = [
  ['naive', 'status-ttl-ignored', ['4.3/ttl-shortens-a-life', '4.3/ttl-lengthens-a-life']],
  ['naive', 'ttl-ignored-when-failed', ['2.2/ttl-removes-a-failed-job', '2.2/ttl-of-one-job-only']],
  ['naive', 'run-retention-from-start', ['4.2/retention-counts-from-completion', '4.2/retention-ends']],
  ['naive', 'retry-loses-input', ['4.6/retry-keeps-the-input', '3/retry-a-failed-job']],
  ['mutant', 'purge-kills-running', ['4.7/purge-removes-the-waiting-jobs', '4.7/purge-with-any-worker']],
  ['mutant', 'retry-status-kept', ['3/retry-a-failed-job', '4.6/any-worker-retry']],
];

it.each(TRIED)('%s %s is named by what it breaks and by nothing else', async (server, fault, scenarios) => {
  const how = {
    kind: 'precision',
    mode: 'control',
    profile: 'quick',
    seed: 3,
    playOnly: false,
  } as const;
  const tried = precisionRow(
    await tryPrecision({ ...how, server, fault, selection: { scenarios, history: null } }),
    fault,
    brokenBy(fault),
    whySilent(fault),
  );
  expect(tried).toMatchObject({ naming: 'right', wrong: [], passedOver: [] });
});
