/** A service whose time runs faster: what networks and machines need takes longer on its clock, what the document says does not. */
import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../../src/history/events.js';
import { HarnessLags, onItsClock } from '../../../src/oracle/observed/tolerance.js';
import { failed, TraceBuilder } from '../support/trace-builder.js';

const at = (speed: number | undefined, graceMs = 2_000): Partial<RunEvent> => ({
  ...{ clock: 'real', graceMs, earlyMs: 50 },
  ...(speed === undefined ? {} : { speed }),
});
const runAt = (speed: number): RunEvent => new TraceBuilder(1, { speed }).history(0)[0] as RunEvent;
const QUEUED = { id: 'a', status: 'IN_QUEUE' } as const;
const body = { input: { plan: [{ sleepMs: 100 }, { return: 1 }] } };

describe('an answer of /run that took 8 s on the clock of the service', () => {
  it.each([
    [undefined, true],
    [1, true],
    [0.5, true],
    [60, false],
  ])('is too late at speed %s: %s', (speed, isLate) => {
    const trace = new TraceBuilder(1, at(speed)).call(0, 'run', 'a', 200, QUEUED, {
      receivedMs: 8_000,
      body,
    });
    expect(failed(trace.judged(20_000)).includes('4.2/returns-at-once')).toBe(isLate);
  });
});

describe('a ttl of 10 minutes', () => {
  const seenAt = (ms: number, speed: number) =>
    new TraceBuilder(1, at(speed))
      .submitted(0, 'a', [{ hang: true }], { ttl: 600_000, executionTimeout: 3_600_000 })
      .seen(ms, 'a', 'IN_PROGRESS')
      .judged(800_000);

  it.each([1, 60, 1_000])('ends on the clock of the service at speed %d', (speed) => {
    expect(failed(seenAt(601_000, speed))).toEqual([]);
    expect(failed(seenAt(605_000, speed))).toEqual(['2.2/ttl-removes-running']);
  });
});

it('real times are never shorter on a slow clock', () => {
  expect([0.1, 1, 60].map((speed) => onItsClock(runAt(speed), 2_000))).toEqual([2_000, 2_000, 120_000]);
});

it('what was held up a real moment before may still be behind', () => {
  const lags = [{ fromMs: 0, toMs: 1_000, lostMs: 1_000 }];
  expect(new HarnessLags(lags).worstBetween(60_000, 60_000)).toBe(0);
  expect(HarnessLags.of(runAt(60), lags).worstBetween(60_000, 60_000)).toBe(1_000);
  const moved = HarnessLags.of(runAt(60), lags).withOrigin(500);
  expect(moved.worstBetween(60_000, 60_000)).toBe(1_000);
});

it.each([
  [1, false],
  [60, true],
])('at speed %d a purge without an answer may take effect 70 s after it was given up: %s', (speed, may) => {
  const trace = new TraceBuilder(0, at(speed))
    .lost(0, 'purge-queue', null, 'timeout', 100)
    .submitted(70_000, 'a', [{ return: 1 }])
    .seen(70_100, 'a', 'GONE');
  expect(failed(trace.judged(80_000)).length === 0).toBe(may);
});

it.each([
  [1, 3_300, false],
  [60, 3_300, true],
  [60, 9_100, false],
])(
  'at speed %d a target that answers again at %d, after a connection was lost, lives on: %s',
  (speed, atMs, lives) => {
    const trace = new TraceBuilder(1, at(speed), false)
      .submitted(0, 'a', [{ return: 1 }], undefined, { webhook: 'http://h/1' })
      .seen(100, 'a', 'COMPLETED', { output: 1 })
      .webhook(300, 'http://h/1', 500)
      .lost(2_500, 'runsync', null, 'reset', 3_000)
      .alive(atMs)
      .alive(900_000);
    expect(failed(trace.judged(900_000)).includes('6/retries-after-error-status')).toBe(lives);
  },
);
