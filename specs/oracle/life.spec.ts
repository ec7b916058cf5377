/** Each rule of a job's life: a history that keeps it, and one that breaks it and nothing else. */
import { describe, expect, test } from 'vitest';
import { failed, Told, verdictOf } from './told.js';

const work = (ms: number) => [{ sleepMs: ms }, { return: { ok: 1 } }];
const hang = [{ hang: true }];
const fail = [{ fail: 'x' }];
const out = { output: { ok: 1 } };
const FAR = { ttl: 604_800_000, executionTimeout: 604_800_000 };
const cancel = (t: Told, ms: number, id: string): Told =>
  t.call(ms, 'cancel', id, 200, { id, status: 'CANCELLED' });
const retry = (t: Told, ms: number, id: string): Told =>
  t.call(ms, 'retry', id, 200, { id, status: 'IN_QUEUE' });

type Story = (told: Told) => Told;

/** Requirement, workers, end of the script, the history that keeps it, the history that breaks it. */
const STORIES: readonly (readonly [string, number, Story, Story])[] = [
  [
    '2.2/ttl-removes-running',
    1,
    (t) =>
      t
        .submitted(0, 'a', hang, { ...FAR, ttl: 10_000 })
        .seen(1, 'a', 'IN_PROGRESS')
        .seen(10_200, 'a', 'GONE'),
    (t) =>
      t
        .submitted(0, 'a', hang, { ...FAR, ttl: 10_000 })
        .seen(1, 'a', 'IN_PROGRESS')
        .seen(10_200, 'a', 'IN_PROGRESS'),
  ],
  [
    '2.2/ttl-removes-queued',
    0,
    (t) => t.submitted(0, 'a', hang, { ttl: 10_000 }).seen(1, 'a', 'IN_QUEUE').seen(10_200, 'a', 'GONE'),
    (t) => t.submitted(0, 'a', hang, { ttl: 10_000 }).seen(1, 'a', 'IN_QUEUE').seen(10_200, 'a', 'IN_QUEUE'),
  ],
  [
    '2.2/ttl-not-early-queued',
    0,
    (t) => t.submitted(0, 'a', hang, { ttl: 10_000 }).seen(9_990, 'a', 'IN_QUEUE'),
    (t) => t.submitted(0, 'a', hang, { ttl: 10_000 }).seen(9_990, 'a', 'GONE'),
  ],
  [
    '2.2/execution-timeout-stops-run',
    1,
    (t) =>
      t
        .submitted(0, 'a', hang, { executionTimeout: 5_000 })
        .seen(1, 'a', 'IN_PROGRESS')
        .seen(5_300, 'a', 'TIMED_OUT', { executionTime: 5_000 }),
    (t) =>
      t
        .submitted(0, 'a', hang, { executionTimeout: 5_000 })
        .seen(1, 'a', 'IN_PROGRESS')
        .seen(5_300, 'a', 'IN_PROGRESS'),
  ],
  [
    '2.2/execution-timeout-not-early',
    1,
    (t) =>
      t
        .submitted(0, 'a', hang, { executionTimeout: 9_000 })
        .seen(1, 'a', 'IN_PROGRESS')
        .seen(8_900, 'a', 'IN_PROGRESS'),
    (t) =>
      t
        .submitted(0, 'a', hang, { executionTimeout: 9_000 })
        .seen(1, 'a', 'IN_PROGRESS')
        .seen(8_000, 'a', 'TIMED_OUT'),
  ],
  [
    '3/success-completes-run',
    1,
    (t) =>
      t
        .submitted(0, 'a', work(500))
        .seen(1, 'a', 'IN_PROGRESS')
        .seen(700, 'a', 'COMPLETED', { ...out, executionTime: 500 }),
    (t) => t.submitted(0, 'a', work(500)).seen(1, 'a', 'IN_PROGRESS').seen(900, 'a', 'IN_PROGRESS'),
  ],
  [
    '3/handler-error-fails-run',
    1,
    (t) => t.submitted(0, 'a', fail).seen(200, 'a', 'FAILED'),
    (t) => t.submitted(0, 'a', fail).seen(200, 'a', 'COMPLETED'),
  ],
  [
    '3/completed-stays',
    1,
    (t) => t.submitted(0, 'a', work(0)).seen(200, 'a', 'COMPLETED', out).seen(300, 'a', 'COMPLETED', out),
    (t) => t.submitted(0, 'a', work(0)).seen(200, 'a', 'COMPLETED', out).seen(300, 'a', 'IN_PROGRESS'),
  ],
  [
    '3/cancel-running',
    1,
    (t) =>
      cancel(t.submitted(0, 'a', hang).seen(1, 'a', 'IN_PROGRESS'), 300, 'a').seen(400, 'a', 'CANCELLED'),
    (t) =>
      cancel(t.submitted(0, 'a', hang).seen(1, 'a', 'IN_PROGRESS'), 300, 'a').seen(400, 'a', 'IN_PROGRESS'),
  ],
  [
    '3/cancelled-never-completes',
    1,
    (t) =>
      cancel(t.submitted(0, 'a', work(900)).seen(1, 'a', 'IN_PROGRESS'), 300, 'a').seen(
        2_400,
        'a',
        'CANCELLED',
      ),
    (t) =>
      cancel(t.submitted(0, 'a', work(900)).seen(1, 'a', 'IN_PROGRESS'), 300, 'a')
        .seen(310, 'a', 'CANCELLED')
        .seen(2_400, 'a', 'COMPLETED', out),
  ],
  [
    '3/retry-requeues-failed',
    1,
    (t) => retry(t.submitted(0, 'a', fail).seen(200, 'a', 'FAILED'), 300, 'a').seen(500, 'a', 'FAILED'),
    (t) => t.submitted(0, 'a', fail).seen(200, 'a', 'FAILED').call(300, 'retry', 'a', 400, { error: 'no' }),
  ],
  [
    '4.2/retention-gone',
    1,
    (t) => t.submitted(0, 'a', work(0)).seen(200, 'a', 'COMPLETED', out).seen(1_800_500, 'a', 'GONE'),
    (t) =>
      t.submitted(0, 'a', work(0)).seen(200, 'a', 'COMPLETED', out).seen(1_800_500, 'a', 'COMPLETED', out),
  ],
  [
    '4.2/retention-kept',
    1,
    (t) =>
      t.submitted(0, 'a', work(0)).seen(200, 'a', 'COMPLETED', out).seen(1_799_000, 'a', 'COMPLETED', out),
    (t) => t.submitted(0, 'a', work(0)).seen(200, 'a', 'COMPLETED', out).seen(1_700_000, 'a', 'GONE'),
  ],
  [
    '4.7/removes-all-waiting',
    0,
    (t) =>
      t
        .submitted(0, 'a', hang)
        .call(100, 'purge-queue', null, 200, { removed: 1, status: 'completed' })
        .seen(400, 'a', 'GONE'),
    (t) =>
      t
        .submitted(0, 'a', hang)
        .call(100, 'purge-queue', null, 200, { removed: 1, status: 'completed' })
        .seen(400, 'a', 'IN_QUEUE'),
  ],
  [
    '1/waits-when-no-worker-free',
    1,
    (t) =>
      t
        .submitted(0, 'a', hang)
        .seen(1, 'a', 'IN_PROGRESS')
        .submitted(2, 'b', hang)
        .seen(500, 'b', 'IN_QUEUE')
        .seen(900, 'a', 'IN_PROGRESS'),
    (t) =>
      t
        .submitted(0, 'a', hang)
        .seen(1, 'a', 'IN_PROGRESS')
        .submitted(2, 'b', hang)
        .seen(500, 'b', 'IN_PROGRESS')
        .seen(900, 'a', 'IN_PROGRESS'),
  ],
  [
    '1/free-worker-takes-job',
    1,
    (t) => t.submitted(0, 'a', hang).seen(500, 'a', 'IN_PROGRESS'),
    (t) => t.submitted(0, 'a', hang).seen(500, 'a', 'IN_QUEUE'),
  ],
  [
    '5/unauthorized-cancel-has-no-effect',
    1,
    (t) =>
      t
        .submitted(0, 'a', hang)
        .seen(1, 'a', 'IN_PROGRESS')
        .call(100, 'cancel', 'a', 401, null, { auth: 'wrong' })
        .seen(200, 'a', 'IN_PROGRESS'),
    (t) =>
      t
        .submitted(0, 'a', hang)
        .seen(1, 'a', 'IN_PROGRESS')
        .call(100, 'cancel', 'a', 401, null, { auth: 'wrong' })
        .seen(200, 'a', 'CANCELLED'),
  ],
  [
    '5/unauthorized-retry-has-no-effect',
    1,
    (t) =>
      t
        .submitted(0, 'a', fail)
        .seen(200, 'a', 'FAILED')
        .call(300, 'retry', 'a', 401, null, { auth: 'missing' })
        .seen(400, 'a', 'FAILED'),
    (t) =>
      t
        .submitted(0, 'a', fail)
        .seen(200, 'a', 'FAILED')
        .call(300, 'retry', 'a', 401, null, { auth: 'missing' })
        .seen(400, 'a', 'IN_QUEUE'),
  ],
  [
    '4.5/this-job-only',
    2,
    (t) =>
      cancel(
        t
          .submitted(0, 'a', hang)
          .submitted(0, 'b', hang)
          .seen(1, 'a', 'IN_PROGRESS')
          .seen(1, 'b', 'IN_PROGRESS'),
        300,
        'a',
      ).seen(400, 'b', 'IN_PROGRESS'),
    (t) =>
      cancel(
        t
          .submitted(0, 'a', hang)
          .submitted(0, 'b', hang)
          .seen(1, 'a', 'IN_PROGRESS')
          .seen(1, 'b', 'IN_PROGRESS'),
        300,
        'a',
      ).seen(400, 'b', 'CANCELLED'),
  ],
  [
    '2.2/ttl-this-job-only',
    2,
    (t) =>
      t
        .submitted(0, 'a', hang, { ...FAR, ttl: 10_000 })
        .submitted(0, 'b', hang, FAR)
        .seen(1, 'b', 'IN_PROGRESS')
        .seen(10_300, 'a', 'GONE')
        .seen(10_400, 'b', 'IN_PROGRESS'),
    (t) =>
      t
        .submitted(0, 'a', hang, { ...FAR, ttl: 10_000 })
        .submitted(0, 'b', hang, FAR)
        .seen(1, 'b', 'IN_PROGRESS')
        .seen(10_300, 'a', 'GONE')
        .seen(10_400, 'b', 'GONE'),
  ],
  [
    '7/result-expired-run-stream',
    1,
    (t) =>
      t
        .submitted(0, 'a', work(0))
        .seen(200, 'a', 'COMPLETED', out)
        .call(1_800_500, 'stream', 'a', 404, { error: 'gone' }),
    (t) =>
      t.submitted(0, 'a', work(0)).seen(200, 'a', 'COMPLETED', out).call(1_800_500, 'stream', 'a', 200, []),
  ],
];

describe.each(STORIES)('%s', (id, workers, kept, broken) => {
  const END = 2_000_000;

  test('kept: it passes, and nothing fails', () => {
    const findings = kept(new Told(workers)).judged(END);
    expect(failed(findings)).toEqual([]);
    expect(verdictOf(findings, id)).toBe('pass');
  });

  test('broken: it is blamed, with what was seen and a proof', () => {
    const findings = broken(new Told(workers)).judged(END);
    expect(failed(findings)).toEqual([id]);
    const failure = findings.requirements.find((one) => one.id === id)!.failures[0]!;
    expect(failure.actual).toMatch(/#\d+/);
    expect(failure.calls.length).toBeGreaterThan(0);
  });
});

describe('between certain and impossible nothing is decided', () => {
  test('within the grace after a ttl both answers are right', () => {
    for (const status of ['GONE', 'IN_QUEUE']) {
      const told = new Told(0).submitted(0, 'a', hang, { ttl: 10_000 }).seen(10_050, 'a', status);
      expect(failed(told.judged(20_000))).toEqual([]);
    }
  });

  test('the same look at an instant where it may still be refused a worker', () => {
    const told = new Told(1).submitted(0, 'a', hang).seen(60, 'a', 'IN_QUEUE').seen(80, 'a', 'IN_PROGRESS');
    expect(failed(told.judged(1_000))).toEqual([]);
  });

  test('what is not shown of a purged job may be told in three ways', () => {
    for (const status of ['GONE', 'CANCELLED', 'FAILED']) {
      const told = new Told(0)
        .submitted(0, 'a', hang)
        .call(100, 'purge-queue', null, 200, { removed: 1, status: 'completed' })
        .seen(400, 'a', status);
      expect(failed(told.judged(1_000))).toEqual([]);
    }
  });
});

describe('orders of calls that overlap', () => {
  test('a status that overlaps a cancel may show the job before or after it', () => {
    for (const status of ['IN_PROGRESS', 'CANCELLED']) {
      const told = new Told(1)
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
      expect(failed(told.judged(1_000))).toEqual([]);
    }
  });

  test('a status sent after the cancel was answered may not', () => {
    const told = new Told(1)
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
    expect(failed(told.judged(1_000))).toEqual(['3/cancel-running']);
  });
});

describe('lost replies', () => {
  test('a cancel without an answer may have taken effect, or not', () => {
    for (const status of ['IN_PROGRESS', 'CANCELLED']) {
      const told = new Told(1)
        .submitted(0, 'a', hang)
        .seen(1, 'a', 'IN_PROGRESS')
        .call(100, 'cancel', 'a', null, null, { receivedMs: 200 })
        .seen(300, 'a', status);
      expect(failed(told.judged(1_000))).toEqual([]);
    }
  });

  test('a submission without an answer may hold the worker', () => {
    const told = new Told(1)
      .call(0, 'run', null, null, null, { body: { input: { plan: hang } }, receivedMs: 100 })
      .submitted(200, 'a', hang)
      .seen(5_000, 'a', 'IN_QUEUE');
    expect(failed(told.judged(6_000))).toEqual([]);
  });
});
