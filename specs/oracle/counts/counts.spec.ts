/** What /health and /purge-queue say of how many jobs there are. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/history/events.js';
import { failed, TraceBuilder, verdictOf } from '../support/trace-builder.js';

const hang = [{ hang: true }];
const at = (inQueue: number, inProgress: number, completed = 0, failures = 0): Json => ({
  jobs: { completed, failed: failures, inProgress, inQueue, retried: 0 },
  workers: { idle: 1 - Math.min(1, inProgress), running: Math.min(1, inProgress) },
});
const health = (trace: TraceBuilder, ms: number, record: Json): TraceBuilder =>
  trace.call(ms, 'health', null, 200, record);
const purge = (trace: TraceBuilder, ms: number, removed: number): TraceBuilder =>
  trace.call(ms, 'purge-queue', null, 200, { removed, status: 'completed' });

describe('counts', () => {
  const busy = (): TraceBuilder =>
    new TraceBuilder(1).submitted(0, 'a', hang).seen(1, 'a', 'IN_PROGRESS').submitted(2, 'b', hang);

  test.each([
    ['as they are', at(1, 1), []],
    ['one too many in the queue', at(2, 1), ['4.8/counts-in-queue']],
    ['one too few in the queue', at(0, 1), ['4.8/counts-in-queue']],
    ['one too many running', { ...(at(1, 2) as object) }, ['4.8/counts-in-progress']],
    ['something completed', at(1, 1, 1), ['4.8/completed-counts-nothing-else']],
    ['something failed', at(1, 1, 0, 1), ['4.8/failed-not-completed']],
  ] as const)('%s', (_, record, ids) => {
    const trace = health(busy(), 500, record).seen(600, 'b', 'IN_QUEUE').seen(600, 'a', 'IN_PROGRESS');
    expect(failed(trace.judged(1_000))).toEqual(ids);
  });

  test.each([
    ['as they are, right after something changed', 2_050, at(1, 1), []],
    ['outdated within the tolerance', 2_050, at(0, 1), []],
    [
      'as they never were',
      2_050,
      { ...(at(1, 1) as object), jobs: at(0, 0)!['jobs' as never] },
      ['4.8/counts-in-progress'],
    ],
    ['outdated beyond the tolerance', 3_000, at(0, 1), ['4.8/counts-in-queue']],
  ] as const)('figures %s', (_, ms, record, ids) => {
    const trace = new TraceBuilder(1)
      .submitted(0, 'a', hang)
      .seen(1, 'a', 'IN_PROGRESS')
      .seen(1_990, 'a', 'IN_PROGRESS')
      .submitted(2_000, 'b', hang);
    const judged = health(trace, ms, record)
      .seen(4_000, 'b', 'IN_QUEUE')
      .seen(4_000, 'a', 'IN_PROGRESS')
      .judged(5_000);
    expect(failed(judged)).toEqual(ids);
  });

  test('a completed job counts for at least a minute, and need not count longer', () => {
    const trace = (ms: number): TraceBuilder =>
      health(
        new TraceBuilder(1)
          .submitted(0, 'a', [{ return: 1 }])
          .seen(300, 'a', 'COMPLETED', { output: 1, delayTime: 0, executionTime: 0 }),
        ms,
        at(0, 0),
      ).seen(200_000, 'a', 'COMPLETED', { output: 1, delayTime: 0, executionTime: 0 });
    expect(failed(trace(30_000).judged(300_000))).toEqual(['4.8/counts-completed']);
    expect(failed(trace(120_000).judged(300_000))).toEqual([]);
  });

  test('a counted refused submission is one that created a job', () => {
    const refuse = (trace: TraceBuilder): TraceBuilder =>
      trace.call(
        100,
        'run',
        null,
        401,
        { error: 'key' },
        { auth: 'missing', body: { input: { plan: hang } } },
      );
    const kept = health(refuse(new TraceBuilder(0)), 500, {
      jobs: { completed: 0, failed: 0, inProgress: 0, inQueue: 0, retried: 0 },
      workers: { idle: 0, running: 0 },
    });
    expect(verdictOf(kept.judged(1_000), '5/unauthorized-submission-creates-nothing-run')).toBe('pass');
    const broken = health(refuse(new TraceBuilder(0)), 500, {
      jobs: { completed: 0, failed: 0, inProgress: 0, inQueue: 1, retried: 0 },
      workers: { idle: 0, running: 0 },
    });
    expect(failed(broken.judged(1_000))).toEqual(['5/unauthorized-submission-creates-nothing-run']);
  });

  test('`removed` counts the waiting jobs', () => {
    expect(
      failed(purge(busy(), 500, 1).seen(600, 'b', 'GONE').seen(600, 'a', 'IN_PROGRESS').judged(1_000)),
    ).toEqual([]);
    expect(
      failed(purge(busy(), 500, 2).seen(600, 'b', 'GONE').seen(600, 'a', 'IN_PROGRESS').judged(1_000)),
    ).toEqual(['2.6/removed-counts-queued']);
  });

  test('a submission with a lost reply may or may not be counted', () => {
    for (const waiting of [0, 1]) {
      const trace = new TraceBuilder(0).call(0, 'run', null, null, null, {
        body: { input: { plan: hang } },
        receivedMs: 50,
      });
      const record = {
        jobs: { completed: 0, failed: 0, inProgress: 0, inQueue: waiting, retried: 0 },
        workers: { idle: 0, running: 0 },
      };
      expect(failed(health(trace, 500, record).judged(1_000))).toEqual([]);
    }
  });
});
