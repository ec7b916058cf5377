/** How long answers took: the same figures in report.json, the terminal, Markdown and the page. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import type { CallEvent, HistoryEvent, RunEvent } from '../../src/history/events.js';
import { historyTotals, sumOfTotals } from '../../src/report/build.js';
import { mergeReports } from '../../src/report/compare/merge.js';
import { renderFormat } from '../../src/report/formats/index.js';
import { buildReport, type HistoryTotals, type Report } from '../../src/report/index.js';
import { renderTerminal } from '../../src/report/terminal/terminal.js';
import { CONTEXT, FINDINGS, HISTORY, madeUpReport } from './sample-report.js';

const CALL = HISTORY.find((event): event is CallEvent => event.kind === 'call')!;

/** An answer to `/status` after so many ms. */
const answered = (tookMs: number, more: Partial<CallEvent> = {}): CallEvent => ({
  ...{ ...CALL, op: 'status', sentMs: 1_000, receivedMs: 1_000 + tookMs },
  ...more,
});

/** The made-up run on a real clock, with these calls alone. */
const historyOf = (calls: readonly HistoryEvent[], more: Partial<RunEvent> = {}): readonly HistoryEvent[] => [
  { ...(HISTORY[0] as RunEvent), clock: 'real', ...more },
  HISTORY[1]!,
  ...calls,
];

const reportOn = (...[calls, more]: Parameters<typeof historyOf>): Report =>
  madeUpReport(FINDINGS, historyOf(calls, more));

/** 1 ms to 200 ms, each once, in no order. */
const TOOK = Array.from({ length: 200 }, (_, at) => ((at * 77) % 200) + 1);
const CALLS = TOOK.map((tookMs) => answered(tookMs));
const TIMES = { op: 'status', calls: 200, p50Ms: 100, p90Ms: 180, p99Ms: 198, maxMs: 200 };

describe('the answer times of a run', () => {
  it('are those of the answers that came, for each operation', () => {
    const lost = answered(0, { receivedMs: null, reply: null, lost: 'timeout' });
    const held = { fromTick: 0, untilTick: 1, overTick: 2, untilMs: 900, togetherMs: 900 };
    const health = answered(7, { op: 'health' });
    const report = reportOn([...CALLS, lost, answered(900, { held }), health, answered(5, { op: null })]);
    const all = { calls: 1, p50Ms: 7, p90Ms: 7, p99Ms: 7, maxMs: 7 };
    expect(report.answerTimes).toEqual([TIMES, { op: 'health', ...all }]);
  });

  it('are in real time, whatever the speed of the clock', () => {
    expect(reportOn(CALLS, { speed: 10 }).answerTimes).toEqual([
      { op: 'status', calls: 200, p50Ms: 10, p90Ms: 18, p99Ms: 20, maxMs: 20 },
    ]);
  });

  it('are said only where real time passed, and something was answered', () => {
    for (const clock of ['virtual', 'controlled'] as const)
      expect(reportOn(CALLS, { clock })).not.toHaveProperty('answerTimes');
    expect(reportOn([])).not.toHaveProperty('answerTimes');
  });

  it('do not depend on how a history is divided', () => {
    const ofAnother = { ...HISTORY[1]!, script: 7, isOfOtherPart: true } as HistoryEvent;
    const parts = [CALLS.slice(0, 30), [...CALLS.slice(30), ofAnother, answered(5_000, { script: 7 })]];
    const whole = parts
      .map((part) => historyTotals(historyOf(part)))
      .reduce((one: HistoryTotals, other) => sumOfTotals(one, other));
    const report = buildReport({
      ...{ findings: FINDINGS, history: historyOf(CALLS.slice(0, 1)), whole, url: null },
      ...{ runproof: '0.0.0', program: 'runproof', at: null, wallMs: 0, ending: 'finished' },
      scriptFiles: new Map(),
    });
    expect(report.answerTimes).toEqual([TIMES]);
  });

  it('are left out of a merged report, because percentiles cannot be joined', () => {
    const one = reportOn(CALLS);
    const merged = mergeReports([one, one], { scriptOf: () => null });
    expect(merged).not.toHaveProperty('answerTimes');
    expect(merged.totals.calls).toBe(400);
  });
});

describe('the answer times of a report', () => {
  const report = reportOn(CALLS);
  const terminal = (verbose: boolean): string =>
    renderTerminal(report, { ...CONTEXT, colour: false, verbose, titles: new Map(), quotes: new Map() });

  it('match the schema', () => {
    const schema = JSON.parse(readFileSync('schemas/report.schema.json', 'utf8')) as object;
    const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(schema);
    validate(JSON.parse(JSON.stringify(report)));
    expect(validate.errors).toBeNull();
  });

  it('are in the terminal with verbose', () => {
    expect(terminal(true)).toMatch(/\n {2}\/status +200 +100 ms +180 ms +198 ms +200 ms\n/);
    expect(terminal(false)).not.toContain('How long answers took');
  });

  it('are folded in Markdown', () => {
    expect(renderFormat('markdown', report, CONTEXT).content).toContain(
      [
        '<details><summary>How long answers took</summary>',
        '',
        '| Operation | Answers | p50 | p90 | p99 | max |',
        '|---|---:|---:|---:|---:|---:|',
        '| /status | 200 | 100 ms | 180 ms | 198 ms | 200 ms |',
        '',
        '</details>',
      ].join('\n'),
    );
    expect(renderFormat('markdown', madeUpReport(), CONTEXT).content).not.toContain('How long answers took');
  });
});
