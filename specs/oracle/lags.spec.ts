/** A harness that was held up excuses what was due just then, and nothing else. */
import { describe, expect, it } from 'vitest';
import type { HistoryEvent } from '../../src/history/events.js';
import { judge } from '../../src/oracle/index.js';
import { HarnessLags } from '../../src/oracle/observed/tolerance.js';
import { failed, TraceBuilder, verdictOf } from './trace-builder.js';

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
