/** Each rule of a job's life: a history that keeps it, and one that breaks it and nothing else. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/history/events.js';
import { STORIES } from '../support/lifecycle-histories.js';
import { failed, TraceBuilder, verdictOf } from '../support/trace-builder.js';

const hang = [{ hang: true }];

describe.each(STORIES)('%s', (id, workers, kept, broken) => {
  const END = 2_000_000;

  test('kept: it passes, and nothing fails', () => {
    const findings = kept(new TraceBuilder(workers)).judged(END);
    expect(failed(findings)).toEqual([]);
    expect(verdictOf(findings, id)).toBe('pass');
  });

  test('broken: it is blamed, with what was seen and a proof', () => {
    const findings = broken(new TraceBuilder(workers)).judged(END);
    expect(failed(findings)).toEqual([id]);
    const failure = findings.requirements.find((one) => one.id === id)!.failures[0]!;
    expect(failure.actual).toMatch(/#\d+/);
    expect(failure.calls.length).toBeGreaterThan(0);
  });
});

describe('between certain and impossible nothing is decided', () => {
  test('within the grace after a ttl both answers are right', () => {
    for (const status of ['GONE', 'IN_QUEUE']) {
      const trace = new TraceBuilder(0).submitted(0, 'a', hang, { ttl: 10_000 }).seen(10_050, 'a', status);
      expect(failed(trace.judged(20_000))).toEqual([]);
    }
  });

  test('the same look at an instant where it may still be refused a worker', () => {
    const trace = new TraceBuilder(1)
      .submitted(0, 'a', hang)
      .seen(60, 'a', 'IN_QUEUE')
      .seen(80, 'a', 'IN_PROGRESS');
    expect(failed(trace.judged(1_000))).toEqual([]);
  });

  test('what is not shown of a purged job may be told in three ways', () => {
    for (const status of ['GONE', 'CANCELLED', 'FAILED']) {
      const trace = new TraceBuilder(0)
        .submitted(0, 'a', hang)
        .call(100, 'purge-queue', null, 200, { removed: 1, status: 'completed' })
        .seen(400, 'a', status);
      expect(failed(trace.judged(1_000))).toEqual([]);
    }
  });
});

describe('a job whose worker dies may be given to another one, unseen', () => {
  const dying = (ms: number) => [{ sleepMs: ms }, { crash: true }];
  const submitted = (trace: TraceBuilder, planOnRetry: Json): TraceBuilder =>
    trace.call(
      0,
      'run',
      null,
      200,
      { id: 'a', status: 'IN_QUEUE' },
      {
        body: { input: { plan: dying(20_000), planOnRetry } },
      },
    );

  test('it waits in the queue before and after, and its second run is shorter', () => {
    const trace = submitted(new TraceBuilder(null), [{ return: 1 }])
      .seen(1_000, 'a', 'IN_QUEUE')
      .seen(90_000, 'a', 'IN_QUEUE')
      .seen(95_000, 'a', 'COMPLETED', { output: 1 });
    expect(failed(trace.judged(100_000))).toEqual([]);
  });

  test('it is first seen in its second run, and ends as that run says', () => {
    const trace = submitted(new TraceBuilder(null), [{ sleepMs: 5_000 }, { return: 1 }])
      .seen(24_900, 'a', 'IN_PROGRESS')
      .seen(25_100, 'a', 'COMPLETED', { output: 1 });
    expect(failed(trace.judged(100_000))).toEqual([]);
  });

  test('it waits for its second run when the queue is purged', () => {
    const trace = submitted(new TraceBuilder(null), [{ return: 1 }])
      .seen(1_000, 'a', 'IN_PROGRESS')
      .call(25_000, 'purge-queue', null, 200, { removed: 1, status: 'completed' })
      .seen(30_000, 'a', 'GONE');
    expect(failed(trace.judged(100_000))).toEqual([]);
  });

  test('but not before its first run is over', () => {
    const trace = submitted(new TraceBuilder(null), [{ return: 1 }])
      .seen(1_000, 'a', 'IN_QUEUE')
      .seen(19_000, 'a', 'COMPLETED', { output: 1 });
    expect(failed(trace.judged(100_000))).not.toEqual([]);
  });
});

describe('a job whose worker dies each time', () => {
  const queued = (looks: number): TraceBuilder =>
    Array.from({ length: looks }, (_, n) => 250 * n).reduce(
      (trace, ms) => trace.seen(ms, 'a', 'IN_QUEUE'),
      new TraceBuilder(1).submitted(0, 'a', [{ sleepMs: 100 }, { crash: true }]),
    );

  test.each([1, 240])('is not queued for good, never seen running at %i looks', (looks) => {
    expect(failed(queued(looks).seen(4_600_000, 'a', 'IN_QUEUE').judged(5_000_000))).toEqual([
      '3/worker-crash-fails',
    ]);
    expect(failed(queued(looks).seen(3_000_000, 'a', 'IN_QUEUE').judged(5_000_000))).toEqual([]);
  });
});

describe('orders of calls that overlap', () => {
  test('a status that overlaps a cancel may show the job before or after it', () => {
    for (const status of ['IN_PROGRESS', 'CANCELLED']) {
      const trace = new TraceBuilder(1)
        .submitted(0, 'a', hang)
        .seen(1, 'a', 'IN_PROGRESS')
        .call(
          100,
          'status',
          'a',
          200,
          { id: 'a', status, delayTime: 0, executionTime: 0 },
          { ticks: [10, 13] },
        )
        .call(100, 'cancel', 'a', 200, { id: 'a', status: 'CANCELLED' }, { ticks: [11, 14] });
      expect(failed(trace.judged(1_000))).toEqual([]);
    }
  });

  test('a status sent after the cancel was answered may not', () => {
    const trace = new TraceBuilder(1)
      .submitted(0, 'a', hang)
      .seen(1, 'a', 'IN_PROGRESS')
      .call(100, 'cancel', 'a', 200, { id: 'a', status: 'CANCELLED' }, { ticks: [10, 11] })
      .call(
        100,
        'status',
        'a',
        200,
        { id: 'a', status: 'IN_PROGRESS', delayTime: 0, executionTime: 0 },
        { ticks: [12, 13] },
      );
    expect(failed(trace.judged(1_000))).toEqual(['3/cancel-running']);
  });
});

describe('lost replies', () => {
  test('a cancel without an answer may have taken effect, or not', () => {
    for (const status of ['IN_PROGRESS', 'CANCELLED']) {
      const trace = new TraceBuilder(1)
        .submitted(0, 'a', hang)
        .seen(1, 'a', 'IN_PROGRESS')
        .call(100, 'cancel', 'a', null, null, { receivedMs: 200 })
        .seen(300, 'a', status);
      expect(failed(trace.judged(1_000))).toEqual([]);
    }
  });

  test('a submission without an answer may hold the worker', () => {
    const trace = new TraceBuilder(1)
      .call(0, 'run', null, null, null, { body: { input: { plan: hang } }, receivedMs: 100 })
      .submitted(200, 'a', hang)
      .seen(5_000, 'a', 'IN_QUEUE');
    expect(failed(trace.judged(6_000))).toEqual([]);
  });
});

test("the record's own error is told with its status, in a bounded number of characters", () => {
  const error = `handler said: ${'no '.repeat(200)}`;
  const trace = new TraceBuilder(1).submitted(0, 'a', [{ return: 1 }]).seen(200, 'a', 'FAILED', { error });
  const [failure] = trace
    .judged(1_000)
    .requirements.find(({ id }) => id === '3/success-completes-run')!.failures;
  expect(failure!.actual).toContain('was answered with 200 FAILED, error "handler said: no no');
  expect(failure!.actual.length).toBeLessThan(400);
});
