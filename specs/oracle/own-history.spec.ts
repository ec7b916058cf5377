/** What a job’s own history tells of a state that it cannot be in, and what the harness did beside it. */
import { describe, expect, test } from 'vitest';
import { failed, Told } from './told.js';

const FAR = { ttl: 604_800_000, executionTimeout: 604_800_000 };
const PLAN = [{ sleepMs: 4_000 }, { return: 1 }];

const shared = (): Told =>
  new Told(
    null,
    { capabilities: ['scripted-worker', 'webhook-reachable'], clock: 'real', graceMs: 1_000, earlyMs: 20 },
    false,
  );

describe('a record tells of a run as long as it had to be', () => {
  const waiting = (policy: object = FAR, plan: readonly object[] = PLAN): Told =>
    shared()
      .submitted(0, 'a', [...plan] as never, { ...FAR, ...policy })
      .seen(1_000, 'a', 'IN_QUEUE')
      .seen(4_900, 'a', 'IN_QUEUE');
  const ended = (shows: string, executionTime: number, told = waiting()): readonly string[] =>
    failed(told.seen(5_100, 'a', shows, { executionTime, output: 1, error: 'x' }).judged(9_000));

  test('that it waited a moment ago was not so', () => {
    expect(ended('COMPLETED', 4_010)).toEqual(['4.3/shows-current-state']);
    expect(ended('FAILED', 4_010, waiting({}, [{ sleepMs: 4_000 }, { fail: 'x' }]))).toEqual([
      '4.3/shows-current-state',
    ]);
    const limited = waiting({ executionTimeout: 5_000 }, [{ hang: true }]);
    expect(ended('TIMED_OUT', 5_004, limited)).toEqual(['4.3/shows-current-state']);
  });

  test('as the call of its webhook tells', () => {
    const url = 'http://harness.example/a';
    const told = shared()
      .submitted(0, 'a', PLAN, FAR, { webhook: url })
      .seen(4_900, 'a', 'IN_QUEUE')
      .webhook(5_000, url, 200, {
        id: 'a',
        status: 'COMPLETED',
        delayTime: 0,
        executionTime: 4_000,
        output: 1,
      })
      .seen(5_100, 'a', 'COMPLETED', { executionTime: 4_000, output: 1 });
    expect(failed(told.judged(9_000))).toEqual(['4.3/shows-current-state']);
  });

  test('and that it still runs, after the call of its webhook, is not so', () => {
    const url = 'http://harness.example/a';
    const called = (executionTime: number): readonly string[] =>
      failed(
        shared()
          .submitted(0, 'a', PLAN, FAR, { webhook: url })
          .seen(200, 'a', 'IN_PROGRESS')
          .webhook(4_100, url, 200, { id: 'a', status: 'COMPLETED', delayTime: 0, executionTime, output: 1 })
          .seen(6_000, 'a', 'IN_PROGRESS')
          .seen(7_500, 'a', 'COMPLETED', { executionTime: 4_000, output: 1 })
          .judged(9_000),
      );
    expect(called(4_000)).toEqual(['4.3/shows-current-state']);
    expect(called(1)).toEqual(['6/no-call-before-completion']);
  });

  test('any other run ended too early', () => {
    expect(ended('COMPLETED', 200)).toEqual(['3/not-completed-before-handler-ends']);
  });
});

describe('a job that is shown as running while it waits, as its record tells', () => {
  const told = (executionTime: number, delayTime: number): Told =>
    shared()
      .submitted(0, 'a', [{ sleepMs: 100 }, { return: 1 }], FAR)
      .seen(10, 'a', 'IN_PROGRESS', { delayTime: 0, executionTime: 0 })
      .seen(3_200, 'a', 'IN_PROGRESS', { delayTime: Math.min(3_190, delayTime), executionTime: 0 })
      .seen(3_400, 'a', 'COMPLETED', { delayTime, executionTime, output: 1 });

  test('is not shown as it is: neither of the times is wrong', () => {
    expect(failed(told(100, 3_290).judged(9_000))).toEqual(['4.3/shows-current-state']);
  });

  test('but where its record tells of no wait, it ended too late', () => {
    expect(failed(told(100, 0).judged(9_000))).toEqual(['3/success-completes-run']);
  });

  test('nor where it has run twice, and a look came just when the second run began', () => {
    const twice = shared()
      .submitted(0, 'a', [{ sleepMs: 100 }, { return: 1 }], FAR)
      .seen(10, 'a', 'IN_PROGRESS', { delayTime: 0, executionTime: 10 })
      .seen(3_200, 'a', 'IN_PROGRESS', { delayTime: 3_200, executionTime: 0 })
      .seen(3_400, 'a', 'COMPLETED', { delayTime: 3_200, executionTime: 100, output: 1 });
    expect(failed(twice.judged(9_000))).toEqual(['3/success-completes-run']);
  });

  test('nor where the time that it waited goes on while it runs', () => {
    const grows = shared()
      .submitted(0, 'a', [{ sleepMs: 100 }, { return: 1 }], FAR)
      .seen(10, 'a', 'IN_PROGRESS', { delayTime: 10, executionTime: 0 })
      .seen(3_200, 'a', 'IN_PROGRESS', { delayTime: 3_200, executionTime: 3_190 })
      .seen(3_400, 'a', 'COMPLETED', { delayTime: 3_290, executionTime: 100, output: 1 });
    expect(failed(grows.judged(9_000))).not.toContain('4.3/shows-current-state');
  });

  test('also where it was retried and waits again', () => {
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

test('a job that ran to its end when its executionTimeout was over was not stopped by it', () => {
  const told = (executionTime: number): readonly string[] =>
    failed(
      shared()
        .submitted(0, 'a', [{ sleepMs: 8_000 }, { return: 1 }], { ...FAR, executionTimeout: 5_000 })
        .seen(10, 'a', 'IN_PROGRESS')
        .seen(5_500, 'a', 'IN_PROGRESS')
        .seen(8_200, 'a', 'COMPLETED', { delayTime: 0, executionTime, output: 1 })
        .judged(12_000),
    );
  expect(told(8_000)).toEqual(['2.2/execution-timeout-stops-run']);
  expect(told(5_600)).toEqual(['3/not-completed-before-handler-ends']);
});

test('a job that ran to its end when its ttl was over was not deleted by it, also where its own call tells so', () => {
  const told = shared().call(
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
  expect(failed(told.judged(30_000))).toEqual(['2.2/ttl-removes-runsync']);
});

test('a job that is gone where it waited a moment ago was deleted while it waited', () => {
  const told = shared()
    .submitted(0, 'a', [{ sleepMs: 100 }, { return: 1 }], { ttl: 15_000 })
    .seen(9_000, 'a', 'IN_QUEUE')
    .seen(9_250, 'a', 'GONE')
    .seen(12_000, 'a', 'GONE');
  expect(failed(told.judged(30_000))).toEqual(['2.2/ttl-not-early-queued']);
});

test.each([400, 404, 409])('a job that is there was not deleted by a cancel that was answered %d', (code) => {
  const told = shared()
    .submitted(0, 'a', [{ sleepMs: 5_000 }, { return: 1 }], { ...FAR, ttl: 20_000 })
    .seen(6_000, 'a', 'COMPLETED', { delayTime: 0, executionTime: 5_000, output: 1 })
    .call(7_000, 'cancel', 'a', code, { error: 'x' })
    .seen(25_000, 'a', 'IN_PROGRESS');
  expect(failed(told.judged(40_000))).toEqual(['3/completed-stays']);
});

test('of two times in a record the one that is named is the one whose proof is told', () => {
  const told = shared()
    .submitted(0, 'a', [{ sleepMs: 5_000 }, { return: 1 }], FAR)
    .seen(50, 'a', 'IN_PROGRESS', { delayTime: 20, executionTime: 30 })
    .seen(5_200, 'a', 'COMPLETED', { delayTime: 9_000, executionTime: 5_000, output: 1 })
    .submitted(10_000, 'b', [{ sleepMs: 9_000 }, { return: 1 }], FAR)
    .seen(19_100, 'b', 'COMPLETED', { delayTime: 20, executionTime: 9_000, output: 1 });
  const { requirements } = told.judged(30_000);
  const [wrong, ...others] = requirements.filter(({ verdict }) => verdict === 'fail');
  expect([wrong!.id, others]).toEqual(['2.4/delay-time-measures-waiting', []]);
  expect(wrong!.failures[0]!.proof.join()).toContain('delayTime 9000 (read as ms)');
});

describe('a result that is gone after it was read once', () => {
  const told = (): Told =>
    shared()
      .submitted(0, 'a', [{ return: 1 }], FAR)
      .submitted(10, 'b', [{ return: 1 }], FAR)
      .seen(1_000, 'a', 'COMPLETED', { output: 1 });

  test('was taken away by the read', () => {
    expect(failed(told().seen(2_000, 'a', 'GONE').judged(9_000))).toEqual(['4.3/reading-does-not-consume']);
  });

  test('but not where another one was read again', () => {
    const again = told()
      .seen(1_100, 'b', 'COMPLETED', { output: 1 })
      .seen(1_900, 'b', 'COMPLETED', { output: 1 });
    expect(failed(again.seen(2_000, 'a', 'GONE').judged(9_000))).toEqual(['4.2/retention-kept']);
  });
});

test('a job that does what another was submitted for has not ended too early', () => {
  const told = shared()
    .submitted(0, 'a', [{ hang: true }], FAR)
    .submitted(0, 'b', [{ return: { of: 'b' } }], FAR)
    .submitted(0, 'c', [{ return: { of: 'c' } }], FAR)
    .seen(100, 'b', 'COMPLETED', { output: { of: 'c' } })
    .seen(100, 'c', 'COMPLETED', { output: { of: 'c' } })
    .seen(100, 'a', 'COMPLETED', { output: { done: true } });
  expect(failed(told.judged(9_000))).toEqual(['2.4/output-of-this-job']);
});

describe('a job that is gone, as all but one call are told', () => {
  const gone = (told: Told, atMs: number): Told =>
    told
      .seen(atMs, 'a', 'GONE')
      .call(atMs + 100, 'cancel', 'a', 200, { id: 'a', status: 'COMPLETED' })
      .call(atMs + 200, 'stream', 'a', 404, { error: 'x' });
  const completed = (policy: object): Told =>
    shared()
      .submitted(0, 'a', [{ return: 1 }], { ...FAR, ...policy })
      .seen(100, 'a', 'COMPLETED', { output: 1 });

  test('is gone: that call has to be answered 404', () => {
    const expired = gone(completed({ ttl: 10_000 }), 11_500).seen(12_000, 'a', 'GONE');
    expect(failed(expired.judged(20_000))).toEqual(['7/ttl-expired-cancel']);
    const kept = gone(completed({}), 1_802_000).seen(1_803_000, 'a', 'GONE');
    expect(failed(kept.judged(1_810_000))).toEqual(['7/result-expired-cancel']);
  });

  test('also where two looks before the call did not find it, and nothing follows', () => {
    const told = completed({ ttl: 10_000 }).seen(11_500, 'a', 'GONE').seen(11_600, 'a', 'GONE');
    told.call(11_700, 'cancel', 'a', 200, { id: 'a', status: 'COMPLETED' });
    expect(failed(told.judged(20_000))).toEqual(['7/ttl-expired-cancel']);
  });

  test('was only not found where it is found again', () => {
    const back = gone(completed({ ttl: 10_000 }), 9_500).seen(9_900, 'a', 'COMPLETED', { output: 1 });
    expect(failed(back.judged(20_000))).toEqual(['4.3/shows-current-state']);
  });
});

describe('a handler that ended with an error', () => {
  const fails = [{ sleepMs: 6_000 }, { fail: 'x' }];
  const ended = (shows: string): Told =>
    shared()
      .submitted(0, 'a', fails, { ...FAR, executionTimeout: 9_000 })
      .seen(3_000, 'a', 'IN_PROGRESS', { executionTime: 3_000 })
      .seen(6_100, 'a', shows, { executionTime: 6_002, error: 'x', output: 1 });

  test('is told of as a timeout: the record tells of the run that the handler needs', () => {
    expect(failed(ended('TIMED_OUT').judged(9_000))).toEqual(['3/handler-error-fails-run']);
  });

  test('is never seen as FAILED, though its webhook has told of an end', () => {
    const url = 'http://harness.example/a';
    for (const shows of ['TIMED_OUT', 'COMPLETED']) {
      const told = shared()
        .submitted(0, 'a', [{ fail: 'x' }], FAR, { webhook: url })
        .webhook(100, url, 200, { id: 'a', status: shows, error: 'x' })
        .seen(200, 'a', shows, { error: 'x' });
      expect(failed(told.judged(9_000))).toContain('3/handler-error-fails-run');
      expect(failed(told.judged(9_000))).not.toContain('3/failed-stays');
    }
  });
});

describe('a job that nobody cancelled is CANCELLED', () => {
  const cancelled = (leaves: readonly string[]): readonly string[] => {
    const told = shared()
      .submitted(0, 'a', [{ sleepMs: 9_000 }, { return: 1 }], FAR)
      .seen(10, 'a', 'IN_QUEUE')
      .by(1)
      .submitted(20, 'b', [{ hang: true }], FAR)
      .over(1_000, 1, leaves)
      .by(0)
      .seen(2_000, 'a', 'CANCELLED');
    return failed(told.judged(9_000));
  };

  test('by what the harness cancelled when another script was over', () => {
    expect(cancelled(['b'])).toEqual(['4.5/this-job-only']);
  });

  test('where it cancelled none, nothing but its own record is known to be wrong', () => {
    expect(cancelled([])).toEqual(['4.3/shows-current-state']);
  });
});
