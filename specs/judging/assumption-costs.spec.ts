/** What is assumed of recorded traffic has a price: the musts that stronger assumptions decide, by judging again. */
import { describe, expect, test } from 'vitest';
import { weighed, type Weighed } from '../../src/judging/assumption-costs.js';
import type { Capture } from '../../src/history/capture.js';
import type { HistoryEvent } from '../../src/history/events.js';
import { judge, type Findings } from '../../src/oracle/index.js';
import { runHeader } from '../support/run-header.js';
import { TraceBuilder } from '../oracle/support/trace-builder.js';

const OPEN: Capture = { others: true, complete: true };
const STRONG: Capture = { others: false, complete: true, crashes: false };

function told(capture: Capture): TraceBuilder {
  const header = runHeader({ target: { kind: 'http', name: 'recorded' }, capabilities: [] });
  return new TraceBuilder(null, { ...header, clock: 'real', earlyMs: 50, capture }, false);
}

const TIMES = { delayTime: 50, executionTime: 19_000 };

/** A job that ends, and stays as it is. */
const plain = (capture: Capture): readonly HistoryEvent[] =>
  told(capture)
    .submitted(0, 'a', [], { ttl: 60_000, executionTimeout: 30_000 })
    .seen(100, 'a', 'IN_PROGRESS')
    .seen(9_000, 'a', 'IN_PROGRESS')
    .seen(20_000, 'a', 'COMPLETED', TIMES)
    .seen(30_000, 'a', 'COMPLETED', TIMES)
    .history(100_000);

/** Recorded clients did not ask for the second attempt. */
const retriedByNobody = (capture: Capture): readonly HistoryEvent[] =>
  told(capture)
    .submitted(0, 'a', [], { ttl: 86_400_000, executionTimeout: 60_000 })
    .seen(5_000, 'a', 'FAILED')
    .seen(20_000, 'a', 'IN_PROGRESS')
    .history(100_000);

const weigh = (events: readonly HistoryEvent[], isWhole = true): Weighed | null =>
  weighed(events, judge(events), {}, {}, isWhole);

const decidedIn = ({ requirements }: Findings): readonly string[] =>
  requirements.flatMap(({ id, level, verdict }) =>
    level === 'must' && (verdict === 'pass' || verdict === 'fail') ? [id] : [],
  );

const gained = (history: (capture: Capture) => readonly HistoryEvent[], weak: Capture, strong: Capture) => {
  const before = decidedIn(judge(history(weak)));
  return decidedIn(judge(history(strong))).filter((id) => !before.includes(id));
};

describe('what recorded traffic is assumed to be', () => {
  test('costs what a stronger assumption decides, each by itself and all together', () => {
    const { assumptions, findings } = weigh(plain(OPEN))!;
    const closed = gained(plain, OPEN, { ...OPEN, others: false });
    const sure = gained(plain, OPEN, { ...OPEN, crashes: false });
    const all = gained(plain, OPEN, STRONG);
    expect(closed.length).toBeGreaterThan(0);
    expect(all.length).toBeGreaterThan(closed.length);
    expect(assumptions).toEqual({
      calls: 5,
      costs: [
        { assumed: ['others'], instead: '--world closed', musts: closed.length, failed: 0 },
        { assumed: ['crashes'], instead: '--crashes no', musts: sure.length, failed: 0 },
        {
          ...{ assumed: ['others', 'crashes'], instead: '--world closed --crashes no' },
          ...{ musts: all.length, failed: 0 },
        },
      ],
    });
    const reasonOf = (id: string): string | null =>
      findings.requirements.find((one) => one.id === id)!.reason;
    for (const id of closed)
      expect(reasonOf(id)).toBe(
        'not shown, because other clients may use the endpoint: --world closed would decide it',
      );
    for (const id of all.filter((one) => !closed.includes(one) && !sure.includes(one)))
      expect(reasonOf(id)).toMatch(/: --world closed --crashes no would decide it$/u);
    const told = findings.requirements.filter(({ reason }) => reason?.includes('would decide it'));
    expect(told.map(({ id }) => id).toSorted()).toEqual(
      [...new Set([...closed, ...sure, ...all])].toSorted(),
    );
    expect(new Set(told.map(({ verdict }) => verdict))).toEqual(new Set(['inconclusive']));
    expect(decidedIn(findings)).toEqual(decidedIn(judge(plain(OPEN))));
  });

  test('costs nothing where nothing weak is assumed, nor where no traffic was recorded', () => {
    expect(weigh(plain(STRONG))).toBeNull();
    expect(weigh(new TraceBuilder().submitted(0, 'a', []).history(1_000))).toBeNull();
  });

  test('may cost nothing by itself: a closed world decides no more where calls are missing', () => {
    const { assumptions } = weigh(plain({ others: true, complete: false, crashes: false }))!;
    expect(assumptions.costs.map(({ assumed, musts }) => [assumed.join(), musts! > 0])).toEqual([
      ['others', false],
      ['missing-calls', false],
      ['others,missing-calls', true],
    ]);
  });

  test('names no option where the recording itself lacks calls', () => {
    const { assumptions } = weigh(plain({ others: false, complete: false, crashes: false }), false)!;
    const musts = gained(plain, { ...STRONG, complete: false }, STRONG).length;
    expect(musts).toBeGreaterThan(0);
    expect(assumptions.costs).toEqual([{ assumed: ['missing-calls'], instead: null, musts, failed: 0 }]);
  });

  test('counts apart what would fail', () => {
    const { costs } = weigh(retriedByNobody({ ...OPEN, crashes: false }))!.assumptions;
    expect(costs[0]!.failed).toBeGreaterThan(0);
    expect(costs[0]!.musts).toBeGreaterThanOrEqual(costs[0]!.failed);
  });

  test('counts only what was asked for', () => {
    const [id] = gained(plain, OPEN, { ...OPEN, others: false });
    const events = plain(OPEN);
    const { assumptions, findings } = weighed(events, judge(events), {}, { only: [id!] }, true)!;
    expect(assumptions.costs.map(({ musts }) => musts)).toEqual([1, 0, 1]);
    expect(findings.requirements.filter(({ reason }) => reason?.includes('would decide it')).length).toBe(1);
  });
});
