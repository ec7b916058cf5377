/** A job that overruns its executionTimeout may be CANCELLED: the move out of IN_PROGRESS that it makes then is not shown (3). */
import { describe, expect, test } from 'vitest';
import { failed, TraceBuilder, verdictOf } from '../support/trace-builder.js';

const hang = [{ hang: true }];
const POLICY = { executionTimeout: 5_000, ttl: 604_800_000 };
const refused = (trace: TraceBuilder, atMs: number, code = 409): TraceBuilder =>
  trace.call(atMs, 'retry', 'a', code, { error: 'neither FAILED nor TIMED_OUT' });
const running = (): TraceBuilder =>
  new TraceBuilder().submitted(0, 'a', hang, POLICY).seen(1, 'a', 'IN_PROGRESS');
const overrun = (): TraceBuilder => running().seen(5_300, 'a', 'CANCELLED');

describe('a job that overran', () => {
  test.each([
    ['is CANCELLED', overrun()],
    ['stays so when its retry is refused', refused(overrun(), 5_400).seen(9_000, 'a', 'CANCELLED')],
    ['is not found, as one that was cancelled', overrun().seen(5_400, 'a', 'GONE')],
    [
      'is not found, as one that was cancelled, before anybody has seen that',
      running().seen(5_300, 'a', 'GONE'),
    ],
    ['is not retried, before anybody has seen it', refused(running(), 5_300).seen(5_400, 'a', 'CANCELLED')],
    ['is not retried, and nobody looks', refused(running(), 5_300)],
    ['is not retried, as it is not found', refused(running(), 5_300, 404).seen(5_400, 'a', 'GONE')],
    [
      'can be cancelled no more, and is not found, but its record is there',
      running()
        .seen(5_300, 'a', 'GONE')
        .call(5_400, 'cancel', 'a', 200, { id: 'a', status: 'CANCELLED' })
        .seen(5_500, 'a', 'GONE'),
    ],
  ])('%s', (_, trace) => {
    expect(failed(trace.judged(20_000))).toEqual([]);
  });

  test('shows in which state it is then, that its time holds, and nothing of a cancellation', () => {
    const findings = refused(overrun(), 5_400).seen(9_000, 'a', 'CANCELLED').judged(20_000);
    const state = findings.openQuestions.find(({ id }) => id === '3/timed-out-state');
    expect(state?.readings).toEqual(['CANCELLED']);
    expect(verdictOf(findings, '2.2/execution-timeout-stops-run')).toBe('pass');
    for (const id of ['3/cancel-running', '3/cancelled-never-completes', '3/retry-requeues-timed-out'])
      expect(verdictOf(findings, id)).not.toBe('pass');
  });
});

test('a stream that holds nothing any more is right where its time has cancelled the job', () => {
  const chunks = [{ stream: 1 }, { hang: true }];
  const streams = new TraceBuilder().submitted(0, 'a', chunks, POLICY).seen(1, 'a', 'IN_PROGRESS');
  const read = (trace: TraceBuilder, atMs: number): TraceBuilder => trace.call(atMs, 'stream', 'a', 200, []);
  expect(failed(read(streams.seen(5_300, 'a', 'CANCELLED'), 5_400).judged(20_000))).toEqual([]);
});

test('but not while it runs', () => {
  const trace = new TraceBuilder()
    .submitted(0, 'a', [{ stream: 1 }, { hang: true }], POLICY)
    .seen(1, 'a', 'IN_PROGRESS')
    .call(4_000, 'stream', 'a', 200, [])
    .seen(5_300, 'a', 'CANCELLED');
  expect(failed(trace.judged(20_000))).toEqual(['4.4/chunks-while-running']);
});

describe('but is wrong', () => {
  test.each([
    ['where its time was not over', running().seen(4_000, 'a', 'CANCELLED'), '4.3/shows-current-state'],
    ['where it ran on', running().seen(5_300, 'a', 'IN_PROGRESS'), '2.2/execution-timeout-stops-run'],
    [
      'where it was TIMED_OUT before',
      running().seen(5_300, 'a', 'TIMED_OUT').seen(5_400, 'a', 'CANCELLED'),
      '3/timed-out-stays',
    ],
    ['where it runs afterwards', overrun().seen(5_400, 'a', 'IN_PROGRESS'), '3/cancelled-stays'],
    [
      'to refuse the retry of what was shown as TIMED_OUT',
      refused(running().seen(5_300, 'a', 'TIMED_OUT'), 5_400),
      '3/retry-requeues-timed-out',
    ],
    [
      'to refuse the retry of what is shown as TIMED_OUT afterwards',
      refused(running(), 5_300).seen(5_400, 'a', 'TIMED_OUT'),
      '3/retry-requeues-timed-out',
    ],
    [
      'to forget what was shown as TIMED_OUT',
      running().seen(5_300, 'a', 'TIMED_OUT').seen(5_400, 'a', 'GONE'),
      '3/timed-out-stays',
    ],
  ])('%s', (_, trace, id) => {
    expect(failed(trace.judged(20_000))).toEqual([id]);
  });
});

describe('a timeout is told as one of TIMED_OUT and FAILED', () => {
  const told = (...statuses: readonly string[]): readonly string[] => {
    const trace = running();
    for (const [nth, status] of statuses.entries()) trace.seen(5_300 + 100 * nth, 'a', status);
    return failed(trace.judged(20_000));
  };

  test.each([[['FAILED', 'FAILED']], [['TIMED_OUT', 'TIMED_OUT']]])('%j is right', (statuses) => {
    expect(told(...statuses)).toEqual([]);
  });

  test.each([[['FAILED', 'TIMED_OUT']], [['TIMED_OUT', 'FAILED', 'TIMED_OUT']]])(
    '%j is wrong',
    (statuses) => {
      expect(told(...statuses)).toEqual(['3/timed-out-stays']);
    },
  );

  test('each time that it has been retried', () => {
    const trace = running().seen(5_300, 'a', 'FAILED');
    trace.call(5_400, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' }).seen(10_700, 'a', 'TIMED_OUT');
    expect(failed(trace.judged(20_000))).toEqual([]);
  });
});

describe('a job that never ends by itself, cancelled while it ran', () => {
  const ID = '3/cancelled-never-completes';
  const cancelledAt = (ms: number, trace = running()): TraceBuilder =>
    trace.call(ms, 'cancel', 'a', 200, { id: 'a', status: 'CANCELLED' });

  test('never became anything else where its executionTimeout would have ended it by now', () => {
    expect(verdictOf(cancelledAt(2_500).seen(6_200, 'a', 'CANCELLED').judged(20_000), ID)).toBe('pass');
  });

  test('and became something else where it is not CANCELLED then', () => {
    expect(failed(cancelledAt(2_500).seen(6_200, 'a', 'FAILED').judged(20_000))).toEqual([ID]);
  });

  test.each([
    ['it may be still to come', cancelledAt(2_500).seen(4_900, 'a', 'CANCELLED')],
    ['its executionTimeout had ended it before', cancelledAt(5_300).seen(12_000, 'a', 'CANCELLED')],
    [
      'it may not have run',
      cancelledAt(2_500, new TraceBuilder(null).submitted(0, 'a', hang, POLICY)).seen(
        8_000,
        'a',
        'CANCELLED',
      ),
    ],
    [
      'the cancel was refused for its rate',
      running().call(2_500, 'cancel', 'a', 429, { error: 'too many' }).seen(6_200, 'a', 'CANCELLED'),
    ],
  ])('which is not known where %s', (_, trace) => {
    expect(verdictOf(trace.judged(20_000), ID)).not.toBe('pass');
  });
});
