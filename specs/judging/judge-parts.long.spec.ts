/** A history that is judged in parts gets the report that it gets as a whole. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import {
  judgeHistory,
  type JudgeHistoryOptions,
  type JudgedHistory,
} from '../../src/features/judge/judge-history.js';
import type { HistoryEvent } from '../../src/history/events.js';
import type { Baseline } from '../../src/report/index.js';
import { Traffic } from '../../src/traffic/reading/read-traffic.js';
import { Parts } from '../../src/traffic/index.js';
import { runHeader } from '../support/run-header.js';

const folder = mkdtempSync(join(tmpdir(), 'runproof-parts-'));
afterAll(() => rmSync(folder, { recursive: true }));

const BASE = 'https://api.example.com/v2/abc';
const RUN = {
  ...runHeader({ target: { kind: 'http', name: BASE }, capabilities: [] }),
  ...{ clock: 'real' as const, graceMs: 2_000, earlyMs: 50, capture: { others: true, complete: true } },
};

/** Every third job says after its end that it waits again; the first of them is read most often. */
function lines(jobs: number): string {
  const told = Array.from({ length: jobs }, (_, nth) => {
    const id = `job-${nth}`;
    const last = nth % 3 === 1 ? 'IN_QUEUE' : 'COMPLETED';
    const more = nth === 1 ? ['IN_QUEUE', 'IN_QUEUE'] : [];
    return ['run', 'IN_QUEUE', ...more, 'COMPLETED', last].map((what, index) => ({
      method: index === 0 ? 'POST' : 'GET',
      url: `${BASE}/${index === 0 ? 'run' : `status/${id}`}`,
      ...(index === 0 && { requestBody: { input: { nth } } }),
      start: 1_800_000_000_000 + nth * 200_000_000 + index * 1_000,
      ms: 10,
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: { id, status: index === 0 ? 'IN_QUEUE' : what, delayTime: 5 },
    }));
  });
  return told
    .flat()
    .map((line) => JSON.stringify(line))
    .join('\n');
}

const judgedIn = (callsMax: number, options: JudgeHistoryOptions = {}, jobs = 30): Promise<JudgedHistory> => {
  const traffic = new Traffic([{ name: 'calls.ndjson', pieces: () => [Buffer.from(lines(jobs))] }]);
  const parts = (onEvent: (event: HistoryEvent) => void): Iterable<readonly HistoryEvent[]> => {
    const events = [...traffic.events(RUN)];
    for (const event of events) onEvent(event);
    return new Parts(RUN, callsMax).of(events);
  };
  return judgeHistory({ run: RUN, parts, notes: ['one note'], isWhole: true }, options);
};

describe('judged in parts', () => {
  test('has the verdicts, failures and readings of the whole', async () => {
    const whole = await judgedIn(10_000);
    const parts = await judgedIn(8);
    const of = ({ report }: JudgedHistory): unknown => ({
      ...{ exitCode: report.exitCode, verdict: report.verdict, totals: report.totals },
      verdicts: report.requirements.map(({ id, verdict, failed }) => ({ id, verdict, failed })),
      ...{ questions: report.openQuestions, warnings: report.warnings },
    });
    expect(whole.report.exitCode).toBe(1);
    expect(of(parts)).toEqual(of(whole));
  });

  test('counts what is assumed in the first part only', async () => {
    const whole = await judgedIn(10_000);
    const parts = await judgedIn(8);
    expect(whole.report.assumptions).toMatchObject({ calls: 122, costs: [{ assumed: ['others'] }, {}, {}] });
    expect(parts.report.assumptions).toMatchObject({ calls: 10, costs: [{ assumed: ['others'] }, {}, {}] });
    expect(parts.report.totals.calls).toBe(122);
    expect(parts.report.assumptions!.costs.some(({ musts }) => musts! > 0)).toBe(true);
  });

  test('counts it in the first thousand calls of a large part, whole jobs only', async () => {
    const { report } = await judgedIn(1_200, {}, 400);
    expect(report.assumptions).toMatchObject({ calls: 1_002, costs: [{ assumed: ['others'] }, {}, {}] });
    expect(report.totals.calls).toBe(1_602);
  });

  test('writes one history, in which the failures have their calls, and a page that shows them', async () => {
    const out = join(folder, 'report');
    const { report, smallest } = await judgedIn(8, { out });
    const written = readFileSync(join(out, 'history.ndjson'), 'utf8').trimEnd().split('\n');
    const calls = written
      .map((line) => JSON.parse(line) as HistoryEvent)
      .flatMap((event) => (event.kind === 'call' ? [event.call] : []));
    expect(new Set(calls).size).toBe(122);
    const failed = report.requirements.find(({ verdict }) => verdict === 'fail')!;
    expect(failed.failures.length).toBe(10);
    for (const one of failed.failures) expect(calls).toEqual(expect.arrayContaining([...one.calls]));
    expect(smallest?.operations.length).toBeGreaterThan(0);
    const shown = readFileSync(join(out, 'report.html'), 'utf8');
    expect(shown).toContain(`job-1`);
    // Where the simplest is in a later part than the first, its calls are shown as well.
    const first = report.requirements.flatMap(({ failures }) => failures.slice(0, 1));
    for (const one of first)
      expect(one).toMatchObject({ curl: expect.any(String), steps: expect.any(Array) });
    expect(existsSync(join(out, 'report.json'))).toBe(true);
  });

  test('knows a failure that the baseline lists, and writes new ones down once', async () => {
    const updates: Baseline[] = [];
    const failing = (await judgedIn(8)).report.requirements.filter(
      ({ verdict, level }) => verdict === 'fail' && level === 'must',
    );
    const baseline: Baseline = {
      schema: 'runproof-baseline/1',
      known: failing.map(({ id }) => ({ requirement: id, reason: 'known' })),
    };
    expect((await judgedIn(8, { baseline, minDecided: { count: 1 } })).report.exitCode).toBe(0);
    const empty: Baseline = { schema: 'runproof-baseline/1', known: [] };
    const updated = await judgedIn(8, {
      baseline: empty,
      minDecided: { count: 1 },
      onBaseline: (one) => updates.push(one),
    });
    expect(updates.map(({ known }) => known.map(({ requirement }) => requirement))).toEqual([
      failing.map(({ id }) => id),
    ]);
    expect(updated.report.exitCode).toBe(0);
  });
});
