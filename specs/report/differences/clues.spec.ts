/** What leads from a failure to its cause: what broken cases share, numbers, times of the job, and the nearest kept case. */
import { describe, expect, it } from 'vitest';
import type { HistoryEvent } from '../../../src/history/events.js';
import { decisionsOn, followJobs, judge } from '../../../src/oracle/index.js';
import { clueLines, cluesTo, type Clues } from '../../../src/report/differences/index.js';
import { htmlPages } from '../../../src/report/html/index.js';
import { TraceBuilder } from '../../oracle/support/trace-builder.js';
import { CONTEXT, madeUpReport } from '../sample-report.js';

const HANG = [{ hang: true }];
const TTL = { ttl: 10_000 };

const DONE = [{ return: 1 }];

/** A ttl that deletes completed jobs in time, and running ones not at all. */
const sparesRunning = (): readonly HistoryEvent[] =>
  new TraceBuilder(4)
    .submitted(0, 'a', HANG, TTL)
    .submitted(0, 'b', HANG, TTL)
    .seen(5_000, 'a', 'IN_PROGRESS')
    .seen(5_000, 'b', 'IN_PROGRESS')
    .by(1)
    .submitted(5_000, 'c', DONE, TTL)
    .submitted(5_000, 'd', DONE, TTL)
    .seen(9_000, 'c', 'COMPLETED', { output: 1 })
    .seen(9_000, 'd', 'COMPLETED', { output: 1 })
    .by(0)
    .seen(15_500, 'a', 'IN_PROGRESS')
    .seen(15_500, 'b', 'IN_PROGRESS')
    .by(1)
    .call(15_600, 'status', 'c', 404, {})
    .call(15_600, 'status', 'd', 404, {})
    .history(60_000);

/** A ttl that counts from the start, after 30 s in the queue. */
const lateByQueue = (): readonly HistoryEvent[] =>
  new TraceBuilder(1)
    .submitted(0, 'first', HANG, { ttl: 604_800_000 })
    .seen(50, 'first', 'IN_PROGRESS')
    .submitted(60, 'a', HANG, { ttl: 60_000 })
    .seen(29_990, 'a', 'IN_QUEUE')
    .call(30_000, 'cancel', 'first', 200, { id: 'first', status: 'CANCELLED' })
    .seen(30_100, 'a', 'IN_PROGRESS')
    .seen(89_900, 'a', 'IN_PROGRESS')
    .call(90_050, 'status', 'a', 404, {})
    .history(120_000);
const FROM_START = '2.2/ttl-starts-at-submission';

function found(history: readonly HistoryEvent[], id: string): Clues {
  const failing = madeUpReport(judge(history), history).requirements.filter((one) => one.id === id);
  expect(failing[0]?.verdict).toBe('fail');
  return cluesTo(failing, history, decisionsOn(history, [id])).get(id)!;
}

describe('the clues to a failure', () => {
  it('say what the broken cases share that the kept ones lack', () => {
    const clues = found(sparesRunning(), '2.2/ttl-removes-running');
    expect(clueLines(clues)).toEqual([
      'broken in all 2 cases with last state seen: IN_PROGRESS; kept in all 2 others',
    ]);
    expect(clues.differs).toMatchObject({
      ...{ broken: 2, kept: 2, rules: ['2.2/ttl-removes-running', '2.2/ttl-removes-completed'] },
      facts: [{ name: 'last state seen', tells: 1 }, { name: "worker's plan" }],
    });
  });

  it('are none where a rule was decided but once', () => {
    expect(clueLines(found(lateByQueue(), FROM_START)).join()).not.toContain('broken');
  });

  it('say what a lateness is as long as, and give it in numbers', () => {
    const { reading, numbers } = found(lateByQueue(), FROM_START);
    expect(reading).toBe('29.84 s to 29.99 s too late: as long as the job had waited in the queue');
    expect(numbers).toEqual({
      expected: 'at 1 min 0.16 s at the latest',
      seen: 'at 1 min 29.9 s at the earliest',
      difference: 'at least 29.74 s too late',
    });
  });

  it('name the nearest case in which the rule held', () => {
    const history = sparesRunning();
    const clues = found(history, '2.2/ttl-removes-running');
    expect(clues.differs?.nearest).toMatchObject({
      ...{ requirement: '2.2/ttl-removes-completed', script: 1 },
      instead: ['last state seen: COMPLETED, not IN_PROGRESS', "worker's plan: return, not hang"],
    });
  });

  it('stand on both pages, with the two scripts side by side and the bodies of each step', () => {
    const history = sparesRunning();
    const [report, page] = htmlPages(madeUpReport(judge(history), history), {
      ...{ ...CONTEXT, history },
      followed: (scripts) => followJobs(history, scripts),
      decided: (wanted) => decisionsOn(history, wanted),
    });
    const line = 'Broken in all 2 cases with last state seen: IN_PROGRESS; kept in all 2 others.';
    expect(report!.content).toContain(`<p class="clue">${line}</p>`);
    expect(page!.content).toContain(`<p class="clue">${line}</p>`);
    expect(page!.content).toContain('<dt>Difference</dt><dd><b>at least 5.4 s too late</b></dd>');
    expect(page!.content).toMatch(/<h4>Broken<\/h4>.*<h4>Kept: script 1<\/h4>.*show reports\/x script:1/su);
    expect(page!.content).toContain(
      String.raw`{\"input\":{\"plan\":[{\"hang\":true}]},\"policy\":{\"ttl\":10000}}`,
    );
  });

  it('count each decision of the findings', () => {
    const history = sparesRunning();
    const { requirements } = judge(history);
    const decisions = decisionsOn(
      history,
      requirements.map(({ id }) => id),
    );
    for (const { id, decided, failed } of requirements) {
      const own = decisions.get(id)!.filter(({ requirement }) => requirement === id);
      expect([id, own.length, own.filter(({ isKept }) => !isKept).length]).toEqual([id, decided, failed]);
    }
  });
});
