/** A run that nobody asked for, what it is laid to, and which of two times a record tells wrongly. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/history/events.js';
import { failed, Told } from './told.js';

const hang = [{ hang: true }];
const FAR = { ttl: 604_800_000, executionTimeout: 604_800_000 };

const planned = (told: Told, atMs: number, id: string, plan: Json, planOnRetry: Json): Told =>
  told.call(atMs, 'run', null, 200, { id, status: 'IN_QUEUE' }, { body: { input: { plan, planOnRetry } } });
const retry = (told: Told, atMs: number, code: number, id = 'a'): Told =>
  told.call(atMs, 'retry', id, code, code === 200 ? { id, status: 'IN_QUEUE' } : { error: 'no' });

const ONCE = [{ sleepMs: 3_000 }, { return: 'only run' }];
const TWICE = [{ sleepMs: 300 }, { return: 'ran twice' }];

describe('a job that was retried while it ran, and tells of a second run', () => {
  const retried = (code: number): Told => {
    const told = planned(new Told(), 0, 'a', ONCE, TWICE).seen(0, 'a', 'IN_PROGRESS');
    return retry(told, 1_500, code).seen(1_500, 'a', 'IN_PROGRESS');
  };

  test('before the first can have ended', () => {
    const told = retried(200).seen(2_400, 'a', 'COMPLETED', { output: 'ran twice', executionTime: 300 });
    told.seen(6_000, 'a', 'COMPLETED', { output: 'only run', executionTime: 300 });
    expect(failed(told.judged(7_000))).toEqual(['4.6/no-effect-in-progress']);
  });

  test('after the first, though the retry was refused', () => {
    const told = retried(400).seen(3_500, 'a', 'COMPLETED', { output: 'ran twice', executionTime: 300 });
    expect(failed(told.judged(7_000))).toEqual(['4.6/no-effect-in-progress']);
  });

  test('as a job does that nobody retried: it is not the retry’s doing', () => {
    const told = planned(retried(400), 0, 'b', ONCE, TWICE);
    told.seen(3_500, 'b', 'COMPLETED', { output: 'ran twice', executionTime: 300 });
    told.seen(3_500, 'a', 'COMPLETED', { output: 'ran twice', executionTime: 300 });
    expect(failed(told.judged(7_000))).not.toContain('4.6/no-effect-in-progress');
    expect(failed(told.judged(7_000))).toContain('1/job-processed-once');
  });
});

test('a job that goes on for too long after two retries at the same time has been requeued by both', () => {
  const told = planned(new Told(), 0, 'a', [{ fail: 'x' }], [{ sleepMs: 6_000 }, { return: 'again' }]);
  told.seen(0, 'a', 'FAILED');
  const reply = { id: 'a', status: 'IN_QUEUE' };
  told.call(10, 'retry', 'a', 200, reply, { ticks: [10, 13] });
  told.call(10, 'retry', 'a', 200, reply, { ticks: [11, 12] });
  told.seen(20, 'a', 'IN_PROGRESS').seen(6_500, 'a', 'IN_PROGRESS').seen(12_500, 'a', 'COMPLETED', {
    output: 'again',
    executionTime: 6_000,
  });
  expect(failed(told.judged(13_000))).toEqual(['4.6/retries-at-once-requeue-once']);
});

describe('a record that tells of a success', () => {
  test('and gets its output later was told too soon, and no reader has changed it', () => {
    const told = planned(new Told(), 0, 'a', [{ sleepMs: 3_000 }, { return: 'done' }], []);
    told.seen(100, 'a', 'COMPLETED').seen(4_000, 'a', 'COMPLETED', { output: 'done' });
    expect(failed(told.judged(5_000))).toEqual([
      '2.4/output-in-status',
      '3/not-completed-before-handler-ends',
    ]);
  });

  test('before its handler can have failed is too soon, whatever the handler does then', () => {
    const told = planned(new Told(), 0, 'a', [{ sleepMs: 3_000 }, { fail: 'x' }], []);
    told.seen(100, 'a', 'COMPLETED');
    expect(failed(told.judged(5_000))).toEqual(['3/not-completed-before-handler-ends']);
  });
});

test('an output that is too large for some services is a success of the handler', () => {
  const told = planned(new Told(), 0, 'a', [{ returnBytes: 5_000_000 }], []);
  told.seen(0, 'a', 'IN_PROGRESS').seen(1_000, 'a', 'IN_PROGRESS').seen(2_000, 'a', 'IN_PROGRESS');
  expect(failed(told.judged(3_000))).toEqual(['3/success-completes-run']);
});

describe('of two times', () => {
  /** A job that waited for an hour and ran for 8 s, after one that did not wait. */
  const waited = (delayTime: number, executionTime: number): Told => {
    const told = new Told(1).submitted(0, 'first', [{ sleepMs: 5_000 }, { return: 1 }], FAR);
    told.seen(0, 'first', 'IN_PROGRESS');
    told.seen(5_000, 'first', 'COMPLETED', { output: 1, delayTime: 0, executionTime: 5_000 });
    told.submitted(10_000, 'hog', hang, FAR).seen(10_000, 'hog', 'IN_PROGRESS');
    told.submitted(10_000, 'a', [{ sleepMs: 8_000 }, { return: 1 }], FAR).seen(3_610_000, 'a', 'IN_QUEUE');
    told.call(3_610_000, 'cancel', 'hog', 200, { id: 'hog', status: 'CANCELLED' });
    told.seen(3_610_000, 'a', 'IN_PROGRESS').seen(3_618_000, 'a', 'IN_PROGRESS');
    return told.seen(3_618_000, 'a', 'COMPLETED', { output: 1, delayTime, executionTime });
  };

  test('the one is wrong that alone explains the record', () => {
    expect(failed(waited(3_600_000, 8_000).judged(3_620_000))).toEqual([]);
    expect(failed(waited(3_600_000, 3_608_000).judged(3_620_000))).toEqual([
      '2.4/execution-time-measures-run',
    ]);
    expect(failed(waited(3_608_000, 8_000).judged(3_620_000))).toEqual(['2.4/delay-time-measures-waiting']);
  });
});

test('a run told as longer than its handler needs is one, where others are seen to be that long', () => {
  const body = { input: { plan: [{ return: 1 }] } };
  const record = { id: 'a', status: 'COMPLETED', output: 1, delayTime: 0, executionTime: 60_000 };
  const told = new Told().call(0, 'runsync', null, 200, record, { body, receivedMs: 60_000 });
  expect(failed(told.judged(70_000))).toContain('2.4/execution-time-measures-run');
  const waiting = { body, query: { wait: '1000' }, receivedMs: 61_000 };
  told.call(60_000, 'runsync', null, 200, { id: 'b', status: 'IN_PROGRESS' }, waiting);
  told.seen(65_000, 'b', 'IN_PROGRESS');
  expect(failed(told.judged(70_000))).toContain('3/success-completes-runsync');
  expect(failed(told.judged(70_000))).not.toContain('2.4/execution-time-measures-run');
});

test('a job that was CANCELLED by its call alone, and is COMPLETED before it can have run, was not cancelled', () => {
  const told = new Told(1).submitted(0, 'hog', hang, FAR).seen(0, 'hog', 'IN_PROGRESS');
  told.submitted(0, 'a', [{ sleepMs: 3_000 }, { return: 1 }]);
  told.call(10, 'cancel', 'a', 200, { id: 'a', status: 'CANCELLED' }).seen(20, 'a', 'COMPLETED');
  expect(failed(told.judged(1_000))).toEqual(['3/cancel-queued']);
});
