/** Requirement, workers, the history that keeps it, and the one that breaks it and nothing else. */
import type { TraceBuilder } from './trace-builder.js';

const work = (ms: number) => [{ sleepMs: ms }, { return: { ok: 1 } }];
const hang = [{ hang: true }];
const fail = [{ fail: 'x' }];
const out = { output: { ok: 1 } };
const FAR = { ttl: 604_800_000, executionTimeout: 604_800_000 };
const cancel = (t: TraceBuilder, ms: number, id: string): TraceBuilder =>
  t.call(ms, 'cancel', id, 200, { id, status: 'CANCELLED' });
const retry = (t: TraceBuilder, ms: number, id: string): TraceBuilder =>
  t.call(ms, 'retry', id, 200, { id, status: 'IN_QUEUE' });

type Story = (trace: TraceBuilder) => TraceBuilder;

export const STORIES: readonly (readonly [string, number, Story, Story])[] = [
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
    (t) => t.submitted(0, 'a', work(100)).seen(300, 'a', 'COMPLETED', out),
    (t) => t.submitted(0, 'a', work(100)).seen(300, 'a', 'FAILED', { executionTime: 100 }),
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
    (t) =>
      retry(t.submitted(0, 'a', fail).seen(200, 'a', 'FAILED'), 300, 'a')
        .seen(300, 'a', 'IN_PROGRESS')
        .seen(500, 'a', 'FAILED'),
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
