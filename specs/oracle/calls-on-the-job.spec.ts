/** What a call on a job proves of what it did: its answer alone proves nothing, and what is seen of the job afterwards may. */
import { describe, expect, test } from 'vitest';
import { failed, TraceBuilder, verdictOf } from './support/trace-builder.js';

const hang = [{ hang: true }];
const FAR = { ttl: 604_800_000, executionTimeout: 604_800_000 };
const once = { planOnRetry: [{ sleepMs: 2_000 }, { return: 1 }] };
const fails = (trace: TraceBuilder, ms: number, id: string, more = {}): TraceBuilder =>
  trace.call(
    ms,
    'run',
    null,
    200,
    { id, status: 'IN_QUEUE' },
    { body: { input: { plan: [{ fail: 'x' }], ...more } } },
  );
const retry = (trace: TraceBuilder, ms: number, id: string): TraceBuilder =>
  trace.call(ms, 'retry', id, 200, { id, status: 'IN_QUEUE' });
const refused = (trace: TraceBuilder, ms: number, op: 'cancel' | 'retry', id: string): TraceBuilder =>
  trace.call(ms, op, id, 400, { error: 'no' });

const of = (delayTime: number, executionTime: number) => ({ delayTime, executionTime, error: 'x' });

describe('a /retry that was answered with success', () => {
  const again = (more: { readonly [name: string]: number | string }) =>
    retry(fails(new TraceBuilder(), 0, 'a').seen(200, 'a', 'FAILED', of(7, 3)), 300, 'a').seen(
      500,
      'a',
      'FAILED',
      more,
    );

  test('proves nothing if the job is observed FAILED with the same times and error as before', () => {
    expect(verdictOf(again(of(7, 3)).judged(1_000), '3/retry-requeues-failed')).toBe('inconclusive');
    expect(failed(again(of(7, 3)).judged(1_000))).toEqual([]);
  });

  test('requeued the job if a second failure differs from the first', () => {
    for (const more of [of(8, 3), of(7, 4), { ...of(7, 3), error: 'y' }])
      expect(verdictOf(again(more).judged(1_000), '3/retry-requeues-failed')).toBe('pass');
  });

  test('and if it is observed waiting or running', () => {
    for (const observed of ['IN_QUEUE', 'IN_PROGRESS']) {
      const trace = retry(fails(new TraceBuilder(), 0, 'a').seen(200, 'a', 'FAILED', of(7, 3)), 300, 'a');
      expect(verdictOf(trace.seen(300, 'a', observed).judged(1_000), '3/retry-requeues-failed')).toBe('pass');
    }
  });

  test('alone does not show that a job can be retried again', () => {
    const trace = retry(again(of(7, 3)), 600, 'a');
    expect(verdictOf(trace.judged(1_000), '4.6/failed-again-can-be-retried')).not.toBe('pass');
    const seen = trace.seen(600, 'a', 'IN_PROGRESS');
    expect(verdictOf(seen.judged(1_000), '4.6/failed-again-can-be-retried')).toBe('pass');
  });

  test('did not requeue a job that is FAILED as before when its second run cannot have ended', () => {
    const trace = retry(fails(new TraceBuilder(), 0, 'a', once).seen(200, 'a', 'FAILED', of(7, 3)), 300, 'a');
    expect(failed(trace.seen(300, 'a', 'FAILED', of(7, 3)).judged(1_000))).toEqual([
      '3/retry-requeues-failed',
    ]);
    // For a moment or for ever.
    expect(failed(trace.seen(9_000, 'a', 'FAILED', of(7, 3)).judged(10_000))).toEqual([
      '3/retry-requeues-failed',
    ]);
    expect(failed(trace.seen(11_000, 'a', 'IN_PROGRESS').judged(12_000))).toEqual([
      '3/retry-requeues-failed',
    ]);
  });

  test('is not the violation if the job is FAILED as before and exists beyond its ttl', () => {
    const trace = new TraceBuilder()
      .submitted(0, 'a', [{ fail: 'x' }], { ttl: 10_000 })
      .seen(50, 'a', 'FAILED');
    retry(trace, 100, 'a').seen(150, 'a', 'FAILED').seen(20_000, 'a', 'FAILED');
    expect(failed(trace.judged(21_000))).toEqual(['2.2/ttl-removes-retried']);
  });

  test('whose old state is still reported after a timeout, although the job runs', () => {
    const trace = new TraceBuilder()
      .submitted(0, 'a', hang, { executionTimeout: 5_000 })
      .seen(5_050, 'a', 'TIMED_OUT', { executionTime: 5_000 });
    retry(trace, 6_000, 'a').seen(6_000, 'a', 'TIMED_OUT', { executionTime: 5_000 });
    expect(failed(trace.seen(7_000, 'a', 'IN_PROGRESS').judged(8_000))).toEqual([
      '3/retry-requeues-timed-out',
    ]);
  });
});

describe('a call that was refused', () => {
  test('is wrong if later reads show the job in a state in which it must not be refused', () => {
    const queued = new TraceBuilder()
      .submitted(0, 'first', hang, FAR)
      .submitted(0, 'a', [{ sleepMs: 300 }, { return: 1 }]);
    refused(queued.seen(10, 'first', 'IN_PROGRESS'), 20, 'cancel', 'a').seen(30, 'a', 'IN_QUEUE');
    expect(failed(queued.judged(1_000))).toEqual(['3/cancel-queued']);
    const failedOnce = fails(new TraceBuilder(), 0, 'a', once).seen(200, 'a', 'FAILED', of(7, 3));
    refused(failedOnce, 60_000, 'retry', 'a').seen(60_001, 'a', 'FAILED', of(7, 3));
    expect(failed(failedOnce.judged(70_000))).toEqual(['3/retry-requeues-failed']);
  });

  test('is wrong, and nothing before it, if there are no later reads', () => {
    const trace = new TraceBuilder().submitted(0, 'a', [{ sleepMs: 5_000 }, { return: 1 }]);
    expect(failed(refused(trace, 300, 'cancel', 'a').judged(1_000))).toEqual(['3/cancel-running']);
  });

  test.each([
    ['succeeds', { return: 1 }],
    ['fails', { fail: 'x' }],
  ])('is wrong, once or twice, where a job that %s at once runs on', (_, end) => {
    for (const times of [1, 2]) {
      const trace = new TraceBuilder().submitted(0, 'a', [end]).seen(5, 'a', 'IN_PROGRESS');
      for (let at = 10; at < 10 + times; at += 1) trace.call(at, 'cancel', 'a', 404, { detail: 'Not Found' });
      expect(failed(trace.seen(20, 'a', 'IN_PROGRESS').judged(1_000))).toEqual(['3/cancel-running']);
    }
  });

  test('is right if the job should have ended by then but continues', () => {
    const trace = new TraceBuilder()
      .submitted(0, 'a', [{ sleepMs: 1_000 }, { fail: 'x' }])
      .seen(10, 'a', 'IN_PROGRESS');
    refused(trace, 60_000, 'retry', 'a').seen(60_001, 'a', 'IN_PROGRESS');
    expect(failed(trace.judged(70_000))).toEqual(['3/handler-error-fails-run']);
  });
});

describe('a cancelled job', () => {
  const cancelled = (trace: TraceBuilder, ms: number, id: string): TraceBuilder =>
    trace.call(ms, 'cancel', id, 200, { id, status: 'CANCELLED' });

  test('that is FAILED and was never observed CANCELLED was not cancelled', () => {
    const trace = new TraceBuilder().submitted(0, 'first', hang, FAR).submitted(0, 'a', hang, FAR);
    cancelled(trace.seen(10, 'first', 'IN_PROGRESS').seen(10, 'a', 'IN_QUEUE'), 20, 'a').seen(
      30,
      'a',
      'FAILED',
    );
    expect(failed(trace.judged(1_000))).toEqual(['3/cancel-queued']);
  });

  test('whose cancel is answered with FAILED was not cancelled', () => {
    const trace = new TraceBuilder().submitted(0, 'a', hang, FAR).seen(10, 'a', 'IN_PROGRESS');
    trace.call(20, 'cancel', 'a', 200, { id: 'a', status: 'FAILED' }).seen(30, 'a', 'FAILED');
    expect(failed(trace.judged(1_000))).toEqual(['3/cancel-running']);
    const unseen = new TraceBuilder().submitted(0, 'a', [{ sleepMs: 500 }, { return: 1 }], FAR);
    unseen.call(20, 'cancel', 'a', 200, { id: 'a', status: 'FAILED' });
    expect(failed(unseen.judged(1_000))).toEqual(['3/cancel-queued']);
  });

  test('that still runs was not cancelled, whatever was refused since', () => {
    const trace = new TraceBuilder().submitted(0, 'a', hang, FAR).seen(10, 'a', 'IN_PROGRESS');
    refused(cancelled(trace, 20, 'a'), 30, 'retry', 'a').seen(40, 'a', 'IN_PROGRESS');
    expect(failed(trace.judged(1_000))).toEqual(['3/cancel-running']);
  });

  test('that changes its state after it was observed CANCELLED was not stopped by another job’s timer', () => {
    const trace = new TraceBuilder(2).submitted(0, 'other', hang, { ...FAR, executionTimeout: 5_000 });
    cancelled(trace.submitted(0, 'a', hang, FAR).seen(10, 'a', 'IN_PROGRESS'), 20, 'a');
    trace.seen(30, 'a', 'CANCELLED').seen(5_100, 'other', 'TIMED_OUT', { executionTime: 5_000 });
    expect(failed(trace.seen(9_000, 'a', 'TIMED_OUT').judged(10_000))).toEqual([
      '3/cancelled-never-completes',
    ]);
  });
});

describe('a job that is COMPLETED after it was CANCELLED', () => {
  const work = [{ sleepMs: 900 }, { return: 1 }];
  const cancelled = (workers: number | null): TraceBuilder =>
    new TraceBuilder(workers)
      .submitted(0, 'a', work, FAR)
      .seen(10, 'a', 'IN_QUEUE')
      .call(20, 'cancel', 'a', 200, { id: 'a', status: 'CANCELLED' }, { receivedMs: 400 })
      .seen(500, 'a', 'CANCELLED');

  test('did not stay so, where it may have begun while it was cancelled', () => {
    expect(failed(cancelled(null).seen(1_500, 'a', 'COMPLETED').judged(5_000))).toEqual([
      '3/cancelled-stays',
    ]);
  });

  test('was started though cancelled, where all workers were busy', () => {
    const trace = new TraceBuilder(1).submitted(0, 'other', hang, FAR).seen(5, 'other', 'IN_PROGRESS');
    trace.submitted(6, 'a', work, FAR).call(20, 'cancel', 'a', 200, { id: 'a', status: 'CANCELLED' });
    trace.seen(500, 'a', 'CANCELLED').call(600, 'cancel', 'other', 200, { id: 'other', status: 'CANCELLED' });
    expect(failed(trace.seen(1_600, 'a', 'COMPLETED').judged(5_000))).toEqual(['3/cancelled-never-starts']);
  });
});

describe('an end that is reported as another one', () => {
  test("the handler's error as a timeout, long before any", () => {
    const trace = fails(new TraceBuilder(), 0, 'a').seen(50, 'a', 'TIMED_OUT');
    expect(failed(trace.judged(1_000))).toEqual(['3/handler-error-fails-run']);
  });

  test('the end of its lifespan as a failure', () => {
    for (const observed of ['FAILED', 'TIMED_OUT']) {
      const trace = new TraceBuilder()
        .submitted(0, 'a', hang, { ...FAR, ttl: 10_000 })
        .seen(10, 'a', 'IN_PROGRESS');
      expect(failed(trace.seen(10_050, 'a', observed).judged(11_000))).toEqual(['2.2/ttl-removes-running']);
    }
    const queued = new TraceBuilder()
      .submitted(0, 'first', hang, FAR)
      .submitted(0, 'a', hang, { ...FAR, ttl: 10_000 });
    queued.seen(10, 'first', 'IN_PROGRESS').seen(10, 'a', 'IN_QUEUE').seen(10_050, 'a', 'FAILED');
    expect(failed(queued.judged(11_000))).toEqual(['2.2/ttl-removes-queued']);
  });

  test('a run of the required length, for a job just reported as waiting', () => {
    const trace = new TraceBuilder(null)
      .submitted(0, 'a', [{ sleepMs: 3_000 }, { return: 1 }])
      .seen(2_800, 'a', 'IN_QUEUE');
    const short = { output: 1, delayTime: 100, executionTime: 200 };
    expect(
      failed(trace.seen(3_200, 'a', 'COMPLETED', { ...short, executionTime: 3_000 }).judged(4_000)),
    ).toEqual(['4.3/shows-current-state']);
    const cut = new TraceBuilder(null)
      .submitted(0, 'a', [{ sleepMs: 3_000 }, { return: 1 }])
      .seen(2_800, 'a', 'IN_QUEUE');
    expect(failed(cut.seen(3_200, 'a', 'COMPLETED', short).judged(4_000))).toEqual([
      '3/not-completed-before-handler-ends',
    ]);
  });

  test('the end of the wait as a cancel that was never made', () => {
    const trace = new TraceBuilder().call(
      0,
      'runsync',
      null,
      200,
      { id: 'a', status: 'CANCELLED' },
      { body: { input: { plan: hang } }, query: { wait: '5000' }, receivedMs: 5_000 },
    );
    expect(failed(trace.judged(6_000))).toEqual(['4.1/wait-leaves-job-alive']);
  });

  test('a crashed worker whose job never ends, whatever its next run would do', () => {
    const plan = [{ sleepMs: 1_000 }, { crash: true }];
    const trace = new TraceBuilder().call(
      0,
      'run',
      null,
      200,
      { id: 'a', status: 'IN_QUEUE' },
      { body: { input: { plan, planOnRetry: [{ return: 1 }] } } },
    );
    // However late it is noticed, no run lasts longer than the executionTimeout: here, the default.
    for (let ms = 10; ms < 600_000; ms += 30_000) trace.seen(ms, 'a', 'IN_PROGRESS');
    expect(failed(trace.judged(595_000))).toEqual([]);
    for (const ms of [610_000, 640_000]) trace.seen(ms, 'a', 'IN_PROGRESS');
    expect(failed(trace.judged(641_000))).toEqual(['3/worker-crash-fails']);
  });
});

describe('after a violation', () => {
  test('times are not measured by reads that may be wrong', () => {
    const trace = new TraceBuilder().submitted(0, 'a', [{ sleepMs: 1_000 }, { return: 1 }], FAR);
    for (let ms = 10; ms < 6_000; ms += 500) trace.seen(ms, 'a', 'IN_PROGRESS');
    trace.seen(6_100, 'a', 'COMPLETED', { output: 1, executionTime: 1_000 });
    expect(failed(trace.judged(7_000))).toEqual(['3/success-completes-run']);
  });

  test('later reads that show the same wrong state prove no more', () => {
    const trace = new TraceBuilder().submitted(0, 'a', [{ sleepMs: 5_000 }, { return: 1 }], FAR);
    trace.seen(10, 'a', 'IN_PROGRESS').seen(1_000, 'a', 'IN_QUEUE').seen(2_000, 'a', 'IN_PROGRESS');
    trace.seen(4_000, 'a', 'IN_QUEUE').seen(4_500, 'a', 'IN_PROGRESS');
    trace.seen(5_050, 'a', 'COMPLETED', { output: 1, executionTime: 5_000 });
    expect(failed(trace.judged(6_000))).toEqual(['3/no-return-to-queue']);
  });

  test('a second result is attributed to the retry that must have no effect, not to the read', () => {
    const trace = new TraceBuilder().call(
      0,
      'run',
      null,
      200,
      { id: 'a', status: 'IN_QUEUE' },
      { body: { input: { plan: [{ return: 1 }], planOnRetry: [{ return: 2 }] } } },
    );
    retry(trace.seen(50, 'a', 'COMPLETED', { output: 1 }), 100, 'a').seen(100, 'a', 'IN_PROGRESS');
    expect(failed(trace.seen(200, 'a', 'COMPLETED', { output: 2 }).judged(1_000))).not.toContain(
      '4.3/reading-does-not-consume',
    );
  });
});

test('a job that waits for a worker whose job was cancelled, if cancelled jobs provably continue', () => {
  const trace = new TraceBuilder().submitted(0, 'a', hang, FAR).submitted(0, 'next', hang, FAR);
  trace.seen(10, 'a', 'IN_PROGRESS').call(20, 'cancel', 'a', 200, { id: 'a', status: 'CANCELLED' });
  trace.seen(30, 'a', 'CANCELLED').seen(70_000, 'next', 'IN_QUEUE').seen(71_000, 'next', 'IN_QUEUE');
  expect(failed(trace.judged(72_000))).toContain('1/freed-worker-takes-waiting-job');
  expect(failed(trace.seen(72_000, 'a', 'COMPLETED', { output: 1 }).judged(73_000))).not.toContain(
    '1/freed-worker-takes-waiting-job',
  );
});
