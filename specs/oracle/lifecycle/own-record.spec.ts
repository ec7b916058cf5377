/** What a record tells of its own run, and what other jobs of the run show, where a job's life cannot be. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/history/events.js';
import { failed, TraceBuilder } from '../support/trace-builder.js';

const FAR = { ttl: 604_800_000, executionTimeout: 604_800_000 };

const shared = (): TraceBuilder =>
  new TraceBuilder(
    null,
    { capabilities: ['scripted-worker', 'webhook-reachable'], clock: 'real', graceMs: 1_000, earlyMs: 20 },
    false,
  );

describe('a job reported as running while its record shows that it waits', () => {
  const trace = (executionTime: number, delayTime: number): TraceBuilder =>
    shared()
      .submitted(0, 'a', [{ sleepMs: 100 }, { return: 1 }], FAR)
      .seen(10, 'a', 'IN_PROGRESS', { delayTime: 0, executionTime: 0 })
      .seen(3_200, 'a', 'IN_PROGRESS', { delayTime: Math.min(3_190, delayTime), executionTime: 0 })
      .seen(3_400, 'a', 'COMPLETED', { delayTime, executionTime, output: 1 });

  test('is reported in the wrong state: neither time is wrong', () => {
    expect(failed(trace(100, 3_290).judged(9_000))).toEqual(['4.3/shows-current-state']);
  });

  test('but ended too late if its record reports no wait', () => {
    expect(failed(trace(100, 0).judged(9_000))).toEqual(['3/success-completes-run']);
  });

  test('but not if it ran twice and a read coincided with the start of the second run', () => {
    const twice = shared()
      .submitted(0, 'a', [{ sleepMs: 100 }, { return: 1 }], FAR)
      .seen(10, 'a', 'IN_PROGRESS', { delayTime: 0, executionTime: 10 })
      .seen(3_200, 'a', 'IN_PROGRESS', { delayTime: 3_200, executionTime: 0 })
      .seen(3_400, 'a', 'COMPLETED', { delayTime: 3_200, executionTime: 100, output: 1 });
    expect(failed(twice.judged(9_000))).toEqual(['3/success-completes-run']);
  });

  test('nor if the reported waiting time grows while it runs', () => {
    const grows = shared()
      .submitted(0, 'a', [{ sleepMs: 100 }, { return: 1 }], FAR)
      .seen(10, 'a', 'IN_PROGRESS', { delayTime: 10, executionTime: 0 })
      .seen(3_200, 'a', 'IN_PROGRESS', { delayTime: 3_200, executionTime: 3_190 })
      .seen(3_400, 'a', 'COMPLETED', { delayTime: 3_290, executionTime: 100, output: 1 });
    expect(failed(grows.judged(9_000))).not.toContain('4.3/shows-current-state');
  });

  test('also if it was retried and waits again', () => {
    const again = shared()
      .submitted(0, 'a', [{ fail: 'x' }], FAR)
      .seen(100, 'a', 'FAILED', { error: 'x' })
      .call(1_000, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' })
      .seen(1_010, 'a', 'IN_PROGRESS', { delayTime: 10, executionTime: 0 })
      .seen(3_000, 'a', 'IN_PROGRESS', { delayTime: 1_990, executionTime: 0 })
      .seen(3_100, 'a', 'FAILED', { delayTime: 2_050, executionTime: 5, error: 'x' });
    expect(failed(again.judged(9_000))).toEqual(['4.3/shows-current-state']);
  });
});

test('a job that ran to its end after its executionTimeout was not stopped by it', () => {
  const trace = (executionTime: number): readonly string[] =>
    failed(
      shared()
        .submitted(0, 'a', [{ sleepMs: 8_000 }, { return: 1 }], { ...FAR, executionTimeout: 5_000 })
        .seen(10, 'a', 'IN_PROGRESS')
        .seen(5_500, 'a', 'IN_PROGRESS')
        .seen(8_200, 'a', 'COMPLETED', { delayTime: 0, executionTime, output: 1 })
        .judged(12_000),
    );
  expect(trace(8_000)).toEqual(['2.2/execution-timeout-stops-run']);
  expect(trace(5_600)).toEqual(['3/not-completed-before-handler-ends']);
});

test('a job that ran to its end after its ttl was not deleted by it, even if its own call reports that', () => {
  const trace = shared().call(
    0,
    'runsync',
    null,
    200,
    { id: 'a', status: 'FAILED', delayTime: 0, executionTime: 15_000 },
    {
      query: { wait: '60000' },
      body: { input: { plan: [{ sleepMs: 15_000 }, { fail: 'x' }] }, policy: { ttl: 11_000 } },
      receivedMs: 15_050,
    },
  );
  expect(failed(trace.judged(30_000))).toEqual(['2.2/ttl-removes-runsync']);
});

test('a deleted job that was just waiting was deleted while it waited', () => {
  const trace = shared()
    .submitted(0, 'a', [{ sleepMs: 100 }, { return: 1 }], { ttl: 15_000 })
    .seen(9_000, 'a', 'IN_QUEUE')
    .seen(9_250, 'a', 'GONE')
    .seen(12_000, 'a', 'GONE');
  expect(failed(trace.judged(30_000))).toEqual(['2.2/ttl-not-early-queued']);
});

test.each([400, 404, 409])('a job that still exists was not deleted by a cancel answered %d', (code) => {
  const trace = shared()
    .submitted(0, 'a', [{ sleepMs: 5_000 }, { return: 1 }], { ...FAR, ttl: 20_000 })
    .seen(6_000, 'a', 'COMPLETED', { delayTime: 0, executionTime: 5_000, output: 1 })
    .call(7_000, 'cancel', 'a', code, { error: 'x' })
    .seen(25_000, 'a', 'IN_PROGRESS');
  expect(failed(trace.judged(40_000))).toEqual(['3/completed-stays']);
});

test('of two times in a record, the proof is that of the one that is named', () => {
  const trace = shared()
    .submitted(0, 'a', [{ sleepMs: 5_000 }, { return: 1 }], FAR)
    .seen(50, 'a', 'IN_PROGRESS', { delayTime: 20, executionTime: 30 })
    .seen(5_200, 'a', 'COMPLETED', { delayTime: 9_000, executionTime: 5_000, output: 1 })
    .submitted(10_000, 'b', [{ sleepMs: 9_000 }, { return: 1 }], FAR)
    .seen(19_100, 'b', 'COMPLETED', { delayTime: 20, executionTime: 9_000, output: 1 });
  const { requirements } = trace.judged(30_000);
  const [wrong, ...others] = requirements.filter(({ verdict }) => verdict === 'fail');
  expect([wrong!.id, others]).toEqual(['2.4/delay-time-measures-waiting', []]);
  expect(wrong!.failures[0]!.proof.join()).toContain('delayTime 9000 (read as ms)');
});

test('if results are not kept, deleted failed jobs are not attributed to outside events', () => {
  const trace = shared()
    .submitted(0, 'a', [{ return: 1 }], FAR)
    .submitted(10, 'd', [{ sleepMs: 60_000 }, { return: 1 }], FAR)
    .submitted(20, 'e', [{ fail: 'x' }], FAR)
    .submitted(30, 'b', [{ fail: 'x' }], FAR)
    .submitted(40, 'c', [{ fail: 'x' }], FAR)
    .seen(200, 'a', 'COMPLETED', { output: 1 })
    .seen(300, 'e', 'FAILED', { error: 'x' })
    .seen(1_000, 'a', 'COMPLETED', { output: 1 })
    .seen(1_500, 'a', 'GONE')
    .seen(2_000, 'b', 'FAILED', { error: 'x' })
    .seen(2_010, 'c', 'FAILED', { error: 'x' })
    .call(2_500, 'cancel', 'd', 200, { id: 'd', status: 'CANCELLED' })
    .seen(3_000, 'b', 'GONE')
    .seen(3_010, 'c', 'GONE')
    .seen(4_000, 'e', 'FAILED', { error: 'x' });
  expect(failed(trace.judged(9_000))).toEqual(['3/failed-stays', '4.2/retention-kept']);
});

describe('a result that is deleted after one read', () => {
  const trace = (): TraceBuilder =>
    shared()
      .submitted(0, 'a', [{ return: 1 }], FAR)
      .submitted(10, 'b', [{ return: 1 }], FAR)
      .seen(1_000, 'a', 'COMPLETED', { output: 1 });

  test('was deleted by the read', () => {
    expect(failed(trace().seen(2_000, 'a', 'GONE').judged(9_000))).toEqual(['4.3/reading-does-not-consume']);
  });

  test('but not if another one was read again', () => {
    const again = trace()
      .seen(1_100, 'b', 'COMPLETED', { output: 1 })
      .seen(1_900, 'b', 'COMPLETED', { output: 1 });
    expect(failed(again.seen(2_000, 'a', 'GONE').judged(9_000))).toEqual(['4.2/retention-kept']);
  });
});

describe('a worker that could not follow its plan is not the service', () => {
  const OWN = "the scripted worker itself failed: FileNotFoundError(2, 'memory')";
  const shows = (record: { readonly [name: string]: Json }): readonly string[] =>
    failed(
      shared()
        .call(
          0,
          'runsync',
          null,
          200,
          { id: 'a', status: 'FAILED', delayTime: 1, executionTime: 5, ...record },
          {
            body: { input: { plan: [{ stream: 1 }, { return: 1 }] } },
            receivedMs: 20,
          },
        )
        .seen(500, 'a', 'FAILED', { executionTime: 5, delayTime: 1, ...record })
        .judged(9_000),
    );

  test.each<{ readonly [name: string]: Json }>([
    { error: OWN },
    { error: { message: OWN } },
    { output: { error: OWN } },
    { error: 'no incremental results here: RUNPOD_WEBHOOK_POST_STREAM is not set' },
  ])('as the answer to /runsync says: %j', (record) => {
    expect(shows(record)).toEqual([]);
  });

  test('another error is', () => {
    expect(shows({ error: 'x' })).toEqual(['3/success-completes-runsync']);
  });
});

test('a worker whose host accepts no incremental results fails the job, and reporting that is correct', () => {
  const trace = (error: string): readonly string[] =>
    failed(
      shared()
        .submitted(0, 'a', [{ stream: 1 }, { return: 1 }], FAR)
        .seen(500, 'a', 'FAILED', { executionTime: 5, error })
        .judged(9_000),
    );
  expect(trace('no incremental results here: RUNPOD_WEBHOOK_POST_STREAM is not set')).toEqual([]);
  expect(trace('x')).toEqual(['3/success-completes-run']);
});
