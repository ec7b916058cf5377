/** Silence is a verdict, too: of each fault that breaks a must something is said, or `proof/breaks/silent.ts` says why not. */
import { describe, expect, it } from 'vitest';
import { brokenBy, whySilent, type Excuse } from '../../proof/breaks/index.js';
import { SILENT } from '../../proof/breaks/silent.js';
import type { PrecisionWish } from '../../proof/precision.js';
import {
  isPrecise,
  precisionRow,
  totalsOf,
  type PrecisionRow,
} from '../../proof/precision/precision-table.js';
import { taskOf, triedIn, type Tried } from '../../proof/precision/precision-tasks.js';
import { tryPrecision, type PrecisionRun } from '../../proof/precision/precision-trial.js';
import { drawnByCommit } from '../support/whole.js';

const FAULT = 'status-ttl-ignored';
const LISTED: Excuse = { why: 'elsewhere: in real time', isListed: true };
const UNLISTED: Excuse = { why: 'it breaks no must', isListed: false };

function silenceOf(more: Partial<PrecisionRun>, excuse: Excuse | null): PrecisionRow {
  const none = { failed: [], passed: [], leftOpen: [], alone: [], problem: null, scripts: 1, wallMs: 1 };
  return precisionRow(
    { server: 'naive', fault: FAULT, seed: 1, ...none, ...more },
    FAULT,
    brokenBy(FAULT),
    excuse,
  );
}

describe('of a fault', () => {
  const must = { id: '4.3/ttl-shortens-life', level: 'must', times: 1, scenarios: [], actual: '' } as const;
  const rows: readonly (readonly [string, Partial<PrecisionRun>, Excuse | null, PrecisionRow['silence']])[] =
    [
      ['a must fails', { failed: [must] }, null, 'loud'],
      ['a must is left open unexplained', { leftOpen: [must.id] }, null, 'loud'],
      ['nothing can be checked', { problem: 'the key is refused' }, null, 'loud'],
      ['nothing is said, and no reason is listed', {}, null, 'silent'],
      ['advice is given where a must is broken', { failed: [{ ...must, level: 'should' }] }, null, 'silent'],
      ['nothing is said, for a listed reason', {}, LISTED, 'excused'],
      ['nothing is said, for no must is broken', {}, UNLISTED, 'excused'],
      ['something is said, though a reason is listed', { leftOpen: [must.id] }, LISTED, 'stale'],
      ['something is said, though no must is broken', { failed: [must] }, UNLISTED, 'loud'],
    ];
  it.each(rows)('%s', (_, run, excuse, silence) => {
    expect(silenceOf(run, excuse).silence).toBe(silence);
  });

  it('neither silence without a reason nor a reason without silence is good under test control', () => {
    const isGood = (row: PrecisionRow, mode: 'control' | 'real'): boolean =>
      isPrecise({
        ...{ schema: 'runproof-precision/1', mode, profile: null, seed: 1, withoutFault: [] },
        totals: totalsOf([row]),
        rows: [row],
      });
    const [silent, stale] = [silenceOf({}, null), silenceOf({ failed: [must] }, LISTED)];
    expect([silent, stale].map((row) => isGood(row, 'control'))).toEqual([false, false]);
    expect(isGood(silenceOf({}, LISTED), 'control')).toBe(true);
    // What shows only when time can be moved.
    expect([silent, stale].map((row) => isGood(row, 'real'))).toEqual([true, true]);
  });
});

it('has one of three kinds of reasons, which say more than the kind', () => {
  for (const [, kind, why] of SILENT.rows) {
    expect(['unobservable', 'elsewhere', 'unreached']).toContain(kind);
    expect(why.length).toBeGreaterThan(20);
  }
  const excused = SILENT.rows.flatMap(([faults]) => faults.split(' '));
  expect(excused.filter((fault, nth) => excused.indexOf(fault) !== nth)).toEqual([]);
});

describe('in real time on a shared endpoint', () => {
  const QUICK_MS = 70_000;

  it.each([
    [
      'purge-removes-every-other',
      'each must that it breaks needs an endpoint that nobody else uses (--dedicated)',
    ],
    ['input-empty-array-as-object', null],
    ['cancel-answers-five-seconds-later', null],
  ])('%s: %s', (fault, why) => {
    expect(whySilent(fault, QUICK_MS)?.why ?? null).toBe(why);
    expect(whySilent(fault)).toBeNull();
  });

  it('waits that are too long for the profile are a reason, too', () => {
    const fault = 'execution-timeout-default-one-hour';
    expect(whySilent(fault, QUICK_MS)?.why).toMatch('waits of more than 70000 ms');
  });

  it('the scenario for shared endpoints shows an empty array that is taken for an object', async () => {
    const run = await tryPrecision({
      ...{ kind: 'precision', server: 'naive', fault: 'input-empty-array-as-object', mode: 'control' },
      ...{ profile: 'quick', seed: 1, playOnly: false },
      selection: { scenarios: ['2.1/input-is-an-object-on-a-shared-endpoint'], history: null },
    });
    expect(run.failed.map(({ id }) => id)).toEqual([
      '2.1/input-array-refused-run',
      '2.1/input-array-refused-runsync',
    ]);
  });
});

/** One in so many is what the commit draws. `npm run proofs` and `WHOLE=1` try them all. */
const SHARES = 200;

describe('a sample of the faults', () => {
  const how: PrecisionWish = {
    mode: 'control',
    profile: 'quick',
    servers: ['naive', 'mutant'],
    bursts: false,
    focus: true,
    atOnce: null,
  };
  const all = triedIn(how).filter(({ fault, section }) => fault !== null && section !== '8');
  const drawn = (['naive', 'mutant'] as const).flatMap((server): readonly Tried[] => {
    const some = all.filter((one) => one.server === server);
    return drawnByCommit(some, SHARES);
  });

  it.each(drawn.map((one) => [one.server, one.fault!, one] as const))(
    '%s %s: something is said, or it is listed why not',
    { timeout: 240_000 },
    async (_, fault, one) => {
      const run = await tryPrecision(taskOf(one, { seed: 1, precision: how }, () => null));
      expect(['loud', 'excused']).toContain(
        precisionRow(run, fault, brokenBy(fault), whySilent(fault)).silence,
      );
    },
  );
});
