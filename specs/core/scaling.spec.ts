/** The endpoint's own workers: how many there are, and when they come and go. */
import { describe, expect, test } from 'vitest';
import { rulesFor } from '../../src/core/rules.js';
import type { Scaling } from '../../src/core/workers/scaling-settings.js';
import { createTestBed, failure, fields, success } from './test-bed.js';
import type { JsonRecord, TestBed } from './test-bed.js';

const COLD_MS = 2_000;
const IDLE_MS = 5_000;
const DELAY_MS = 4_000;

const byDelay: Scaling = {
  min: 0,
  max: 3,
  coldStartMs: COLD_MS,
  idleTimeoutMs: IDLE_MS,
  scaler: { kind: 'queue-delay', delayMs: DELAY_MS },
};
const byCount = (jobsPerWorker: number): Scaling => ({
  ...byDelay,
  scaler: { kind: 'request-count', jobsPerWorker },
});

/** Edition `runpod` shows all six counts. */
function testBed(workers: Scaling, jobsPerWorker = 1): TestBed {
  return createTestBed({ edition: 'runpod', endpoints: [{ id: 'ep', workers, jobsPerWorker }] });
}
const LOW = { policy: { lowPriority: true } };

/** Workers as `/health` shows them: initializing, idle, running. */
function workers(w: TestBed): readonly unknown[] {
  const shown = fields(w.get('/health'))['workers'] as JsonRecord;
  expect(shown).toMatchObject({ ready: shown['idle'], throttled: 0, unhealthy: 0 });
  return [shown['initializing'], shown['idle'], shown['running']];
}
const states = (w: TestBed, jobs: readonly string[]) => jobs.map((job) => w.stateOf(job));
const many = (w: TestBed, count: number, more: JsonRecord = {}) =>
  Array.from({ length: count }, () => w.run(more));

describe('by queue delay', () => {
  test('a worker starts for a job that has waited for the delay, after a cold start, and stops after its idle timeout', () => {
    const w = testBed(byDelay);
    const job = w.run();
    w.advance(DELAY_MS - 1);
    expect(workers(w)).toEqual([0, 0, 0]);
    w.advance(1);
    expect(workers(w)).toEqual([1, 0, 0]);
    w.advance(COLD_MS - 1);
    expect(w.stateOf(job)).toBe('IN_QUEUE');
    w.advance(1);
    expect(workers(w)).toEqual([0, 0, 1]);
    expect(fields(w.status(job))).toMatchObject({ status: 'IN_PROGRESS', delayTime: DELAY_MS + COLD_MS });
    w.report(job, success());
    expect(workers(w)).toEqual([0, 1, 0]);
    w.advance(IDLE_MS - 1);
    expect(workers(w)).toEqual([0, 1, 0]);
    w.advance(1);
    expect(workers(w)).toEqual([0, 0, 0]);
  });

  test('each job that has waited for the delay starts one worker, up to the maximum', () => {
    const w = testBed(byDelay);
    const first = w.run();
    w.advance(1_000);
    many(w, 1);
    w.advance(3_000);
    expect(workers(w)).toEqual([1, 0, 0]);
    w.advance(1_000);
    expect(workers(w)).toEqual([2, 0, 0]);
    many(w, 5);
    w.advance(DELAY_MS);
    expect(workers(w)).toEqual([1, 0, 2]);
    w.advance(60_000);
    expect(workers(w)).toEqual([0, 0, 3]);
    expect(w.stateOf(first)).toBe('IN_PROGRESS');
  });

  test('a job that is deleted, cancelled or started in time starts no worker', () => {
    const w = testBed(byDelay);
    const cancelled = w.run();
    w.advance(DELAY_MS - 1);
    w.post(`/cancel/${cancelled}`);
    w.advance(1);
    expect(workers(w)).toEqual([0, 0, 0]);
    w.run();
    w.post('/purge-queue');
    w.advance(DELAY_MS);
    expect(workers(w)).toEqual([0, 0, 0]);
  });

  test('a job that comes while a worker is idle starts at once, and the idle timeout restarts', () => {
    const w = testBed(byDelay);
    w.report(wakened(w), success());
    w.advance(IDLE_MS - 1);
    const next = w.run();
    expect(w.stateOf(next)).toBe('IN_PROGRESS');
    w.advance(IDLE_MS);
    w.report(next, success());
    w.advance(IDLE_MS - 1);
    expect(workers(w)).toEqual([0, 1, 0]);
    w.advance(1);
    expect(workers(w)).toEqual([0, 0, 0]);
  });

  test('the wait of a retried job starts over', () => {
    const w = testBed({ ...byDelay, idleTimeoutMs: 1 });
    const job = wakened(w);
    w.report(job, failure());
    w.advance(1);
    w.post('/purge-queue');
    const again = w.run();
    w.advance(DELAY_MS + COLD_MS);
    w.report(again, failure());
    w.advance(1);
    w.post(`/retry/${again}`);
    w.advance(DELAY_MS - 1);
    expect(workers(w)).toEqual([0, 0, 0]);
    w.advance(1);
    expect(workers(w)).toEqual([1, 0, 0]);
  });
});

describe('a worker whose idle time is over', () => {
  const atOnce: Scaling = {
    ...byDelay,
    coldStartMs: 0,
    idleTimeoutMs: 0,
    scaler: { kind: 'queue-delay', delayMs: 0 },
  };
  const slow = (scaling: Scaling): TestBed =>
    createTestBed({
      rules: { ...rulesFor({}, 'runpod'), dispatchDelayMs: () => 2_500 },
      endpoints: [{ id: 'ep', workers: scaling }],
    });

  test.each([
    ['by queue delay', atOnce],
    ['by request count', { ...atOnce, scaler: { kind: 'request-count', jobsPerWorker: 1 } } as const],
  ])('stays for the job that it is about to be given, and goes after it, %s', (_by, scaling) => {
    const w = slow(scaling);
    const job = w.run();
    w.advance(2_499);
    expect(workers(w)).toEqual([0, 1, 0]);
    w.advance(1);
    expect(workers(w)).toEqual([0, 0, 1]);
    w.report(job, success());
    w.advance(0);
    expect(workers(w)).toEqual([0, 0, 0]);
  });

  test('stops within a second when the job that it stayed for is gone', () => {
    const w = slow(atOnce);
    const job = w.run();
    w.advance(100);
    w.post(`/cancel/${job}`);
    expect(workers(w)).toEqual([0, 1, 0]);
    w.advance(900);
    expect(workers(w)).toEqual([0, 0, 0]);
  });
});

/** A job that a cold worker has been started for, and runs. */
function wakened(w: TestBed): string {
  const job = w.run();
  w.advance(DELAY_MS + COLD_MS);
  expect(w.stateOf(job)).toBe('IN_PROGRESS');
  return job;
}

describe('by request count', () => {
  test.each([
    [1, 1, 1],
    [1, 2, 2],
    [1, 9, 3],
    [4, 4, 1],
    [4, 5, 2],
    [4, 8, 2],
    [4, 9, 3],
  ])('%i jobs a worker, %i jobs: %i workers', (value, jobs, expected) => {
    const w = testBed(byCount(value));
    many(w, jobs);
    expect(workers(w)).toEqual([expected, 0, 0]);
    w.advance(COLD_MS);
    expect(workers(w)).toEqual([0, 0, expected]);
  });

  test('jobs in progress count', () => {
    const w = testBed(byCount(2));
    many(w, 2);
    w.advance(COLD_MS);
    expect(workers(w)).toEqual([0, 0, 1]);
    many(w, 1);
    expect(workers(w)).toEqual([1, 0, 1]);
  });
});

describe('the minimum', () => {
  test('starts at once, after a cold start, and stays', () => {
    const w = testBed({ ...byDelay, min: 1 });
    expect(workers(w)).toEqual([1, 0, 0]);
    w.advance(COLD_MS);
    expect(workers(w)).toEqual([0, 1, 0]);
    many(w, 2);
    w.advance(DELAY_MS + COLD_MS);
    expect(workers(w)).toEqual([0, 0, 2]);
    for (const { job } of w.starts()) w.report(job, success());
    w.advance(1_000_000);
    expect(workers(w)).toEqual([0, 1, 0]);
  });

  test('a fixed number is changed at once; running jobs finish first', () => {
    const w = testBed(byDelay);
    w.workers(2);
    expect(workers(w)).toEqual([0, 2, 0]);
    const jobs = many(w, 2);
    w.workers(1);
    expect(workers(w)).toEqual([0, 0, 2]);
    w.report(jobs[0]!, success());
    expect(workers(w)).toEqual([0, 0, 1]);
    w.advance(1_000_000);
    w.report(jobs[1]!, success());
    expect(workers(w)).toEqual([0, 1, 0]);
  });
});

describe('lowPriority', () => {
  test.each([
    ['queue delay', byDelay],
    ['request count', byCount(1)],
  ])('by %s: such jobs start no worker, however many wait, however long', (_name, scaling) => {
    const w = testBed(scaling);
    const jobs = many(w, 10, LOW);
    w.advance(80_000_000);
    expect(workers(w)).toEqual([0, 0, 0]);
    expect(new Set(states(w, jobs))).toEqual(new Set(['IN_QUEUE']));
  });

  test.each([
    ['queue delay', byDelay],
    ['request count', byCount(1)],
  ])('by %s: such jobs run on workers that are there', (_name, scaling) => {
    const w = testBed(scaling);
    const high = w.run();
    w.advance(DELAY_MS + COLD_MS);
    const low = many(w, 2, LOW);
    w.advance(60_000);
    expect(states(w, [high, ...low])).toEqual(['IN_PROGRESS', 'IN_QUEUE', 'IN_QUEUE']);
    expect(workers(w)).toEqual([0, 0, 1]);
    w.report(high, success());
    w.report(low[0]!, success());
    w.report(low[1]!, success());
    const idleTaken = w.run(LOW);
    expect(w.stateOf(idleTaken)).toBe('IN_PROGRESS');
    expect(workers(w)).toEqual([0, 0, 1]);
  });

  test('with a minimum they are processed as any other', () => {
    const w = testBed({ ...byDelay, min: 1, coldStartMs: 0 });
    const jobs = many(w, 2, LOW);
    for (const job of jobs) w.report(job, success());
    expect(states(w, jobs)).toEqual(['COMPLETED', 'COMPLETED']);
  });
});

test('starts workers by the number of slots needed', () => {
  const w = testBed(byDelay, 2);
  many(w, 3);
  w.advance(DELAY_MS);
  expect(workers(w)).toEqual([2, 0, 0]);
});

test('a worker that dies on a scaled endpoint is replaced after a cold start', () => {
  const w = testBed(byDelay);
  const job = wakened(w);
  w.report(job, { kind: 'crash' });
  expect(workers(w)).toEqual([1, 0, 0]);
  expect(w.stateOf(job)).toBe('IN_QUEUE');
  w.advance(COLD_MS);
  expect(w.stateOf(job)).toBe('IN_PROGRESS');
});

test('workers.idle can count all workers that the endpoint may use', () => {
  const w = createTestBed({
    endpoints: [{ id: 'ep', workers: { ...byDelay, min: 1, coldStartMs: 0 } }],
    dialect: { '2.7/workers-idle-meaning': 'all' },
  });
  const shown = () => (fields(w.get('/health'))['workers'] as JsonRecord)['idle'];
  expect(shown()).toBe(3);
  w.run();
  expect(shown()).toBe(2);
});

test('a deleted endpoint leaves no timer behind', () => {
  const w = testBed({ ...byDelay, min: 1 }, 2);
  many(w, 5);
  w.advance(DELAY_MS);
  w.remove('ep');
  expect(w.nextMs()).toBeNull();
});
