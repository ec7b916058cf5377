/** When a worker is free again, whose job was deleted or went back to the queue. */
import { describe, expect, test } from 'vitest';
import { failed, TraceBuilder } from './trace-builder.js';

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
});
