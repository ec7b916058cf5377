/** When a worker is free again, whose job was deleted or went back to the queue. */
import { describe, expect, test } from 'vitest';
import { failed, TraceBuilder } from '../support/trace-builder.js';

const hang = [{ hang: true }];
const FAR = { ttl: 604_800_000, executionTimeout: 604_800_000 };

const retry = (trace: TraceBuilder, ms: number, id: string): TraceBuilder =>
  trace.call(ms, 'retry', id, 200, { id, status: 'IN_QUEUE' });

describe('with one worker', () => {
  const onRetry = (trace: TraceBuilder): TraceBuilder =>
    trace.call(
      0,
      'run',
      null,
      200,
      { id: 'a', status: 'IN_QUEUE' },
      { body: { input: { plan: [{ fail: 'once' }], planOnRetry: hang }, policy: { ...FAR, ttl: 10_000 } } },
    );

  test('a retried job that its ttl has deleted holds the worker no longer', () => {
    const trace = retry(onRetry(new TraceBuilder(1)).seen(10, 'a', 'FAILED'), 20, 'a')
      .seen(30, 'a', 'IN_PROGRESS')
      .submitted(40, 'b', [{ return: 1 }], FAR)
      .seen(10_200, 'a', 'GONE')
      .seen(60_000, 'b', 'IN_QUEUE');
    const broken = (findings: ReturnType<TraceBuilder['judged']>): readonly string[] =>
      failed(findings).filter((id) => id.startsWith('1/'));
    expect(broken(trace.judged(61_000))).toEqual([]);
    expect(broken(trace.seen(75_000, 'b', 'IN_QUEUE').judged(76_000))).toEqual([
      '1/freed-worker-takes-waiting-job',
    ]);
  });

  test('a job that is run too early may have taken the worker of one that went back to the queue', () => {
    const early = (trace: TraceBuilder, from: number, first: string, then: string): TraceBuilder =>
      trace
        .submitted(from, first, hang, FAR)
        .seen(from + 10, first, 'IN_PROGRESS')
        .submitted(from + 20, then, hang, FAR)
        .seen(from + 60_000, then, 'IN_PROGRESS');
    expect(failed(early(new TraceBuilder(1), 0, 'a', 'b').judged(61_000))).toEqual([
      '1/waits-when-no-worker-free',
    ]);
    const back = early(new TraceBuilder(1), 0, 'a', 'b').seen(60_010, 'a', 'IN_QUEUE');
    expect(failed(back.judged(61_000))).toEqual(['3/no-return-to-queue']);
  });

  const takes = (ms: number): readonly { readonly [step: string]: number }[] => [
    { sleepMs: ms },
    { return: 1 },
  ];
  const waits = (trace: TraceBuilder, untilMs: number): readonly string[] =>
    failed(trace.submitted(900, 'c', takes(3_000), FAR).seen(untilMs, 'c', 'IN_QUEUE').judged(200_000));

  test.each([
    ['its ttl', { ...FAR, ttl: 10_000 }, 3_000],
    ['its executionTimeout', { ...FAR, executionTimeout: 5_000 }, 6_000],
  ])('a job that nobody read may have been stopped by %s, which costs its worker', (_, policy, ms) => {
    const first = (): TraceBuilder =>
      new TraceBuilder(1).submitted(0, 'a', takes(8_000), FAR).submitted(500, 'b', takes(ms), policy);
    expect(waits(first(), 60_000)).toEqual([]);
    expect(waits(first(), 80_000)).toEqual(['1/freed-worker-takes-waiting-job']);
  });

  test('a job that was retried holds the worker for no longer than its run', () => {
    const fails = [{ sleepMs: 3_000 }, { fail: 'x' }];
    const again = (): TraceBuilder =>
      retry(new TraceBuilder(1).submitted(0, 'a', fails, FAR).seen(3_200, 'a', 'FAILED'), 3_300, 'a');
    const waited = (untilMs: number): readonly string[] =>
      failed(again().submitted(3_400, 'c', takes(3_000), FAR).seen(untilMs, 'c', 'IN_QUEUE').judged(200_000));
    expect(waited(6_000)).toEqual([]);
    expect(waited(80_000)).toEqual(['1/freed-worker-takes-waiting-job']);
  });

  test('a worker that has taken another job since its own was stopped is back', () => {
    const cancelled = (): TraceBuilder =>
      new TraceBuilder(1)
        .submitted(0, 'a', hang, FAR)
        .seen(10, 'a', 'IN_PROGRESS')
        .submitted(20, 'b', [{ sleepMs: 3_000 }, { fail: 'x' }], FAR)
        .call(30, 'cancel', 'a', 200, { id: 'a', status: 'CANCELLED' });
    const then = (trace: TraceBuilder, ms: number): readonly string[] =>
      failed(
        trace
          .submitted(3_200, 'c', takes(100), FAR)
          .seen(3_200 + ms, 'c', 'IN_QUEUE')
          .judged(200_000),
      );
    expect(then(cancelled(), 50_000)).toEqual([]);
    const back = (): TraceBuilder => cancelled().seen(40, 'b', 'IN_PROGRESS').seen(3_100, 'b', 'FAILED');
    expect(then(back(), 100)).toEqual([]);
    expect(then(back(), 8_000)).toEqual(['1/free-worker-takes-job']);
  });
});
