import { describe, expect, it } from 'vitest';
import type { Findings } from '../../../src/oracle/index.js';
import { TraceBuilder } from '../support/trace-builder.js';

const HANG = [{ hang: true }];
const purged = { removed: 1, status: 'completed' };
const seen = ({ transitions = [] }: Findings): readonly string[] =>
  transitions.map(
    ({ from, to, times, shortestMs, longestMs }) => `${from} ${to} ${times} ${shortestMs} ${longestMs}`,
  );

describe('the transitions that jobs certainly made', () => {
  it('include those that no read saw, and bound the time before each', () => {
    const trace = new TraceBuilder(1).submitted(0, 'a', [{ sleepMs: 5_000 }, { return: 1 }]);
    expect(seen(trace.seen(5_000, 'a', 'COMPLETED', { executionTime: 5_000 }).judged(6_000))).toEqual([
      'IN_QUEUE IN_PROGRESS 1 0 0',
      'IN_PROGRESS COMPLETED 1 5000 5000',
    ]);
  });

  it('are counted over all jobs, with the shortest and the longest time', () => {
    const trace = new TraceBuilder(2)
      .submitted(0, 'a', HANG, { ttl: 10_000 })
      .submitted(0, 'b', HANG, { ttl: 20_000 })
      .seen(1, 'a', 'IN_PROGRESS')
      .seen(1, 'b', 'IN_PROGRESS')
      .seen(10_050, 'a', 'GONE')
      .seen(19_000, 'b', 'IN_PROGRESS')
      .seen(20_050, 'b', 'GONE');
    expect(seen(trace.judged(30_000))).toContain('IN_PROGRESS GONE 2 10050 18999');
  });

  it('are not guessed: a job that was waiting may have run before it was deleted', () => {
    const trace = new TraceBuilder(null)
      .submitted(0, 'a', [{ sleepMs: 1_000 }], { ttl: 10_000 })
      .seen(0, 'a', 'IN_QUEUE')
      .seen(60_000, 'a', 'GONE');
    expect(seen(trace.judged(70_000))).toEqual([]);
  });

  it('tell a purge, a cancellation and a retry apart', () => {
    const trace = new TraceBuilder(1)
      .submitted(0, 'a', [{ fail: 'no' }])
      .seen(10, 'a', 'FAILED')
      .call(20, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' })
      .seen(30, 'a', 'FAILED')
      .submitted(40, 'b', HANG)
      .seen(50, 'b', 'IN_PROGRESS')
      .submitted(60, 'c', HANG)
      .seen(60, 'c', 'IN_QUEUE')
      .call(70, 'purge-queue', null, 200, purged)
      .call(80, 'cancel', 'b', 200, { id: 'b', status: 'CANCELLED' })
      .seen(90, 'b', 'CANCELLED')
      .seen(95, 'b', 'GONE');
    const found = seen(trace.judged(100)).map((line) => line.split(' ').slice(0, 3).join(' '));
    expect(found).toEqual([
      'IN_QUEUE IN_PROGRESS 3',
      'IN_QUEUE PURGED 1',
      'IN_PROGRESS FAILED 2',
      'IN_PROGRESS CANCELLED 1',
      'FAILED IN_QUEUE 1',
      'CANCELLED GONE 1',
    ]);
  });

  it('leave out jobs that violate the document', () => {
    const trace = new TraceBuilder(1)
      .submitted(0, 'a', HANG, { ttl: 10_000 })
      .seen(1, 'a', 'IN_PROGRESS')
      .seen(11_000, 'a', 'IN_PROGRESS');
    expect(seen(trace.judged(12_000))).toEqual([]);
  });
});
