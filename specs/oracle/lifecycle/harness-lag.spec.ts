/** A harness that was held up excuses what was due just then, and nothing else. */
import { describe, expect, it } from 'vitest';
import type { HistoryEvent } from '../../../src/history/events.js';
import { judge } from '../../../src/oracle/index.js';
import { HarnessLags } from '../../../src/oracle/observed/tolerance.js';
import { failed, TraceBuilder, verdictOf } from '../support/trace-builder.js';

const FIELD = { clock: 'real', graceMs: 2_000, earlyMs: 20 } as const;
const ended = { status: 'COMPLETED', output: 1, delayTime: 0, executionTime: 100 } as const;

const hangs = (ttl: number): TraceBuilder =>
  new TraceBuilder(1, FIELD).submitted(0, 'a', [{ hang: true }], { ttl, executionTimeout: 600_000 });

/** As histories of old tell it: how late, and not when. */
function untimed(trace: TraceBuilder, endMs: number): readonly HistoryEvent[] {
  return trace.history(endMs).map((event): HistoryEvent => {
    if (event.kind !== 'script-end') return event;
    const { harnessLags: _, ...rest } = event;
    return rest;
  });
}

describe('a job that its ttl should have removed, seen 5 s after it', () => {
  const late = (): TraceBuilder => hangs(45_000).seen(50_000, 'a', 'IN_PROGRESS').seen(210_000, 'a', 'GONE');

  it.each<[string, (trace: TraceBuilder) => TraceBuilder, boolean]>([
    ['in time all along', (trace) => trace, true],
    ['held up for 4 s, 150 s later', (trace) => trace.heldUp(200_000, 204_000), true],
    ['held up for 4 s, 20 s earlier', (trace) => trace.heldUp(20_000, 24_000), true],
    ['held up for 4 s when it was due', (trace) => trace.heldUp(45_000, 49_000), false],
    ['held up again and again around it', (trace) => held(trace, 43_000, 44_200, 46_000, 47_900), false],
  ])('is a breach, unless the harness was held up just then: %s', (_, lagging, broken) => {
    expect(failed(lagging(late()).judged(220_000)).includes('2.2/ttl-removes-running')).toBe(broken);
  });

  it('is excused by a lag of an old history, which does not tell when', () => {
    const trace = late().heldUp(200_000, 204_000);
    expect(failed(judge(untimed(trace, 220_000)))).toEqual([]);
    expect(failed(trace.judged(220_000))).toContain('2.2/ttl-removes-running');
  });
});

function held(trace: TraceBuilder, ...edges: readonly number[]): TraceBuilder {
  for (let at = 0; at + 1 < edges.length; at += 2) trace.heldUp(edges[at]!, edges[at + 1]!);
  return trace;
}

describe('a look that decides nothing', () => {
  const retained = (): TraceBuilder =>
    new TraceBuilder(1, FIELD).call(
      0,
      'runsync',
      null,
      200,
      { id: 'a', ...ended },
      {
        receivedMs: 120,
        body: { input: { plan: [{ sleepMs: 100 }, { return: 1 }] } },
      },
    );

  it.each([
    ['in the time that a lag allows', [92_500, 99_000]],
    ['within the grace', [91_000, 99_000]],
    ['before the wait would be over', [60_500, 99_000]],
  ])('leaves the next to decide: %s', (_, looks) => {
    const trace = retained().heldUp(85_000, 86_300);
    for (const atMs of looks) trace.seen(atMs, 'a', 'GONE');
    const findings = trace.judged(120_000);
    expect(failed(findings)).toEqual([]);
    expect(verdictOf(findings, '4.1/retention-gone')).toBe('pass');
    expect(verdictOf(findings, '7/result-expired-status')).toBe('pass');
  });

  it('does not decide within the lag', () => {
    const findings = retained().heldUp(90_000, 91_300).seen(92_500, 'a', 'GONE').judged(120_000);
    expect(verdictOf(findings, '4.1/retention-gone')).not.toBe('pass');
  });

  it('is not counted among calls that are never answered with success', () => {
    const trace = retained();
    for (const atMs of [95_000, 96_000, 97_000]) trace.seen(atMs, 'a', 'GONE');
    expect(failed(trace.judged(120_000))).toEqual([]);
  });
});

describe('pauses between attempts at a webhook', () => {
  const attempts = (firstMs: number, sinceMs?: number): TraceBuilder =>
    new TraceBuilder(1, FIELD)
      .submitted(0, 'a', [{ return: 1 }], undefined, { webhook: 'http://h/1' })
      .seen(500, 'a', 'COMPLETED', { output: 1 })
      .webhook(firstMs, 'http://h/1', 500, {}, sinceMs)
      .webhook(10_400, 'http://h/1', 200);

  it('are too short where the first is known to have come late', () => {
    expect(failed(attempts(3_000).judged(40_000))).toContain('6/pause-not-shorter');
  });

  it('may be long enough where the first was read late', () => {
    expect(failed(attempts(3_000, 300).heldUp(250, 2_950).judged(40_000))).toEqual([]);
  });
});

describe('lags', () => {
  const lags = new HarnessLags([
    { fromMs: 50_000, toMs: 51_000, lostMs: 900 },
    { fromMs: 10_000, toMs: 11_000, lostMs: 600 },
    { fromMs: 12_000, toMs: 13_000, lostMs: 300 },
    { fromMs: 12_000, toMs: 12_500, lostMs: 200 },
  ]);

  it.each([
    [0, 9_999, 0],
    [9_000, 10_000, 600],
    [12_000, 12_000, 900],
    [20_500, 20_500, 900],
    [22_500, 22_500, 300],
    [23_500, 23_500, 0],
    [40_000, 55_000, 900],
    [-Infinity, Infinity, 900],
  ])('around %d to %d', (fromMs, byMs, expected) => {
    expect(lags.worstBetween(fromMs, byMs)).toBe(expected);
  });

  it('count from another instant', () => {
    expect(lags.withOrigin(10_000).worstBetween(0, 0)).toBe(600);
  });
});

describe('a lag widens a bound by itself, and no more', () => {
  type Case = readonly [string, (lateMs: number) => TraceBuilder, string, number];
  const cases: readonly Case[] = [
    [
      'a job still running after its executionTimeout',
      (lateMs) =>
        new TraceBuilder(1, FIELD)
          .submitted(0, 'a', [{ hang: true }], { executionTimeout: 20_000 })
          .seen(200, 'a', 'IN_PROGRESS')
          .seen(20_200 + lateMs, 'a', 'IN_PROGRESS'),
      '2.2/execution-timeout-stops-run',
      20_000,
    ],
    [
      'a job that its ttl should have removed',
      (lateMs) => hangs(20_000).seen(20_000 + lateMs, 'a', 'IN_PROGRESS'),
      '2.2/ttl-removes-running',
      20_000,
    ],
    [
      'a call of /runsync answered after its wait',
      (lateMs) =>
        new TraceBuilder(1, FIELD).call(
          0,
          'runsync',
          null,
          200,
          { id: 'a', status: 'IN_PROGRESS' },
          {
            body: { input: { plan: [{ hang: true }] } },
            query: { wait: '20000' },
            receivedMs: 23_000 + lateMs,
          },
        ),
      '4.1/wait-answers-when-elapsed',
      20_000,
    ],
    [
      'a webhook that is not called again',
      (lateMs) =>
        new TraceBuilder(1, FIELD)
          .submitted(0, 'a', [{ return: 1 }], undefined, { webhook: 'http://h/1' })
          .seen(200, 'a', 'COMPLETED', { output: 1 })
          .webhook(10_000, 'http://h/1', 500)
          .call(25_000 + lateMs, 'health', null, 200, { jobs: NO_JOBS, workers: { idle: 1, running: 0 } }),
      '6/retries-after-error-status',
      20_000,
    ],
    [
      'a webhook that is called again much later',
      (lateMs) =>
        new TraceBuilder(1, FIELD)
          .submitted(0, 'a', [{ return: 1 }], undefined, { webhook: 'http://h/1' })
          .seen(200, 'a', 'COMPLETED', { output: 1 })
          .webhook(10_000, 'http://h/1', 500)
          .webhook(23_000 + lateMs, 'http://h/1', 200),
      '6/pause-not-longer',
      20_000,
    ],
  ];

  it.each(cases)('%s', (_, late, id, dueMs) => {
    const isFailed = (trace: TraceBuilder): boolean => failed(trace.judged(60_000)).includes(id);
    const lagging = (trace: TraceBuilder): TraceBuilder => called(trace).heldUp(dueMs - 1_000, dueMs + 700);
    expect(isFailed(late(1_900)), 'within the grace').toBe(false);
    expect(isFailed(late(2_200)), 'beyond the grace').toBe(true);
    expect(isFailed(lagging(late(3_600))), 'within grace and lag').toBe(false);
    expect(isFailed(lagging(late(3_900))), 'beyond both').toBe(true);
  });

  it('is told, and how many musts it left open', () => {
    const findings = hangs(20_000).seen(23_000, 'a', 'IN_PROGRESS').heldUp(19_000, 20_700).judged(24_000);
    const found = findings.requirements.find((one) => one.id === '2.2/ttl-removes-running');
    expect(found).toMatchObject({ verdict: 'inconclusive', reason: expect.stringContaining('ran late') });
    expect(findings.warnings.join()).toMatch(
      /Runproof itself ran late, by up to 1\.7 s: \S+ required rules? stays? undecided/,
    );
  });
});

const NO_JOBS = { completed: 0, failed: 0, inProgress: 0, inQueue: 0, retried: 0 };

/** The harness was held up during every call. */
function called(trace: TraceBuilder): TraceBuilder {
  for (const [at, event] of trace.events.entries())
    if (event.kind === 'call' && event.receivedMs !== event.sentMs)
      trace.events[at] = { ...event, harnessLagMs: 1_700 };
  return trace;
}
