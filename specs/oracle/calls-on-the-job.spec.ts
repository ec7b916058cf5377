/** What a call on a job proves of what it did: its answer alone proves nothing, and what is seen of the job afterwards may. */
import { describe, expect, test } from 'vitest';
import { failed, Told, verdictOf } from './told.js';

const hang = [{ hang: true }];
const FAR = { ttl: 604_800_000, executionTimeout: 604_800_000 };
const once = { planOnRetry: [{ sleepMs: 2_000 }, { return: 1 }] };
const fails = (told: Told, ms: number, id: string, more = {}): Told =>
  told.call(
    ms,
    'run',
    null,
    200,
    { id, status: 'IN_QUEUE' },
    { body: { input: { plan: [{ fail: 'x' }], ...more } } },
  );
const retry = (told: Told, ms: number, id: string): Told =>
  told.call(ms, 'retry', id, 200, { id, status: 'IN_QUEUE' });
const refused = (told: Told, ms: number, op: 'cancel' | 'retry', id: string): Told =>
  told.call(ms, op, id, 400, { error: 'no' });

const of = (delayTime: number, executionTime: number) => ({ delayTime, executionTime, error: 'x' });

describe('a /retry that was answered with success', () => {
  const again = (more: { readonly [name: string]: number | string }) =>
    retry(fails(new Told(), 0, 'a').seen(200, 'a', 'FAILED', of(7, 3)), 300, 'a').seen(
      500,
      'a',
      'FAILED',
      more,
    );

  test('proves nothing where the job is seen FAILED with the very times and error of before', () => {
    expect(verdictOf(again(of(7, 3)).judged(1_000), '3/retry-requeues-failed')).toBe('inconclusive');
    expect(failed(again(of(7, 3)).judged(1_000))).toEqual([]);
  });

  test('has requeued it where a second failure differs from the first', () => {
    for (const more of [of(8, 3), of(7, 4), { ...of(7, 3), error: 'y' }])
      expect(verdictOf(again(more).judged(1_000), '3/retry-requeues-failed')).toBe('pass');
  });

  test('and where it is seen to wait or to run', () => {
    for (const shows of ['IN_QUEUE', 'IN_PROGRESS']) {
      const told = retry(fails(new Told(), 0, 'a').seen(200, 'a', 'FAILED', of(7, 3)), 300, 'a');
      expect(verdictOf(told.seen(300, 'a', shows).judged(1_000), '3/retry-requeues-failed')).toBe('pass');
    }
  });

  test('alone is no word of a job that can be retried again', () => {
    const told = retry(again(of(7, 3)), 600, 'a');
    expect(verdictOf(told.judged(1_000), '4.6/failed-again-can-be-retried')).not.toBe('pass');
    const seen = told.seen(600, 'a', 'IN_PROGRESS');
    expect(verdictOf(seen.judged(1_000), '4.6/failed-again-can-be-retried')).toBe('pass');
  });

  test('has not requeued a job that is FAILED as before, where its second run cannot be over', () => {
    const told = retry(fails(new Told(), 0, 'a', once).seen(200, 'a', 'FAILED', of(7, 3)), 300, 'a');
    expect(failed(told.seen(300, 'a', 'FAILED', of(7, 3)).judged(1_000))).toEqual([
      '3/retry-requeues-failed',
    ]);
    // For a moment or for ever.
    expect(failed(told.seen(9_000, 'a', 'FAILED', of(7, 3)).judged(10_000))).toEqual([
      '3/retry-requeues-failed',
    ]);
    expect(failed(told.seen(11_000, 'a', 'IN_PROGRESS').judged(12_000))).toEqual(['3/retry-requeues-failed']);
  });

  test('whose old state is still shown, although the job runs, after a timeout', () => {
    const told = new Told()
      .submitted(0, 'a', hang, { executionTimeout: 5_000 })
      .seen(5_050, 'a', 'TIMED_OUT', { executionTime: 5_000 });
    retry(told, 6_000, 'a').seen(6_000, 'a', 'TIMED_OUT', { executionTime: 5_000 });
    expect(failed(told.seen(7_000, 'a', 'IN_PROGRESS').judged(8_000))).toEqual([
      '3/retry-requeues-timed-out',
    ]);
  });
});

describe('a call that was refused', () => {
  test('is wrong where the job is seen afterwards as it may not be refused', () => {
    const queued = new Told()
      .submitted(0, 'first', hang, FAR)
      .submitted(0, 'a', [{ sleepMs: 300 }, { return: 1 }]);
    refused(queued.seen(10, 'first', 'IN_PROGRESS'), 20, 'cancel', 'a').seen(30, 'a', 'IN_QUEUE');
    expect(failed(queued.judged(1_000))).toEqual(['3/cancel-queued']);
    const failedOnce = fails(new Told(), 0, 'a', once).seen(200, 'a', 'FAILED', of(7, 3));
    refused(failedOnce, 60_000, 'retry', 'a').seen(60_001, 'a', 'FAILED', of(7, 3));
    expect(failed(failedOnce.judged(70_000))).toEqual(['3/retry-requeues-failed']);
  });

  test('is wrong, and nothing before it, where nobody looked afterwards', () => {
    const told = new Told().submitted(0, 'a', [{ sleepMs: 5_000 }, { return: 1 }]);
    expect(failed(refused(told, 300, 'cancel', 'a').judged(1_000))).toEqual(['3/cancel-running']);
  });

  test('is right where the job should have ended by then, and goes on', () => {
    const told = new Told()
      .submitted(0, 'a', [{ sleepMs: 1_000 }, { fail: 'x' }])
      .seen(10, 'a', 'IN_PROGRESS');
    refused(told, 60_000, 'retry', 'a').seen(60_001, 'a', 'IN_PROGRESS');
    expect(failed(told.judged(70_000))).toEqual(['3/handler-error-fails-run']);
  });
});
