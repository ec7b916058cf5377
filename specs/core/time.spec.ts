/** Sections 2.2, 4.1 to 4.3, 6: what happens when time passes. */
import { describe, expect, test } from 'vitest';
import { createTestBed, failure, fields, success } from './test-bed.js';

const MINUTE_MS = 60_000;

describe('4.1: wait', () => {
  test('4.1/wait-answers-on-completion: at the same instant', () => {
    const w = createTestBed();
    const call = w.runsync('/runsync', { input: { a: 1 } });
    w.advance(1_234);
    expect(w.lateReply(call)).toBeNull();
    w.report(w.starts()[0]!.job, success('done'));
    expect(w.lateReply(call)).toMatchObject({
      atMs: 1_234,
      reply: { status: 200, body: { status: 'COMPLETED', output: 'done', executionTime: 1_234 } },
    });
  });

  test.each([
    [{}, 90_000],
    [{ wait: '1000' }, 1_000],
    [{ wait: '300000' }, 300_000],
  ])('%j is over after %i ms; the job goes on', (query, waitMs) => {
    const w = createTestBed();
    const call = w.runsync('/runsync', { input: { a: 1 } }, { query });
    w.advance(waitMs - 1);
    expect(w.lateReply(call)).toBeNull();
    w.advance(1);
    expect(w.lateReply(call)).toMatchObject({
      atMs: waitMs,
      reply: { status: 200, body: { status: 'IN_PROGRESS' } },
    });
    const { job } = w.starts()[0]!;
    w.report(job, success());
    expect(w.stateOf(job)).toBe('COMPLETED');
  });

  test('a waiting call is answered when its job is cancelled, purged, deleted, or its endpoint emptied', () => {
    const w = createTestBed();
    const blocker = w.run();
    const ask = (policy = {}) => w.runsync('/runsync', { input: { a: 1 }, policy });
    const [cancelled, deleted] = [ask(), ask({ ttl: 10_000 })];
    w.post(`/cancel/${blocker}`);
    w.post(`/cancel/${w.starts().at(-1)!.job}`);
    expect(w.lateReply(cancelled)).toMatchObject({ reply: { status: 200, body: { status: 'CANCELLED' } } });
    w.advance(10_000);
    expect(w.lateReply(deleted)).toMatchObject({ atMs: 10_000, reply: { status: 404 } });
    w.run();
    const purged = ask();
    w.post('/purge-queue');
    expect(w.lateReply(purged)).toMatchObject({ reply: { status: 404 } });
    const [emptied, gone] = [ask(), w.runsync('/runsync', { input: { a: 1 } })];
    w.hangUp(gone);
    w.create('ep', 1);
    expect(w.lateReply(emptied)).toMatchObject({ reply: { status: 404 } });
    expect(w.lateReply(gone)).toBeNull();
  });
});

describe('retention', () => {
  test.each([
    ['/run', 30 * MINUTE_MS],
    ['/runsync', MINUTE_MS],
  ])('of %s is %i ms after the end, however often it is read', (op, keptMs) => {
    const w = createTestBed();
    if (op === '/run') w.run();
    else w.runsync(op, { input: { a: 1 } });
    const { job } = w.starts()[0]!;
    w.advance(20_000);
    w.report(job, success(1));
    for (let i = 0; i < 10; i++) {
      w.advance(keptMs / 10 - 1);
      expect(w.stateOf(job)).toBe('COMPLETED');
    }
    w.advance(9);
    expect(w.stateOf(job)).toBe('COMPLETED');
    w.advance(1);
    expect(w.stateOf(job)).toBe(404);
    expect(w.nextMs()).toBeNull();
  });
});

describe('2.2: ttl', () => {
  test('2.2/ttl-seven-days-two-queued: a job that waited 2 days has 5 left', () => {
    const day = 86_400_000;
    const policy = { ttl: 7 * day, executionTimeout: 7 * day };
    const w = createTestBed();
    const blocker = w.run({ policy });
    const job = w.run({ policy });
    w.advance(2 * day);
    w.post(`/cancel/${blocker}`);
    w.advance(5 * day - 1);
    expect(w.stateOf(job)).toBe('IN_PROGRESS');
    w.advance(1);
    expect(w.stateOf(job)).toBe(404);
  });

  test('a retry does not restart the ttl', () => {
    const w = createTestBed();
    const job = w.run({ policy: { ttl: 20_000 } });
    w.advance(15_000);
    w.report(job, failure());
    w.post(`/retry/${job}`);
    w.advance(5_000);
    expect(w.stateOf(job)).toBe(404);
    expect(w.post(`/retry/${job}`).status).toBe(404);
  });

  test('4.3: /status?ttl= counts from submission, also below the minimum', () => {
    const w = createTestBed();
    const [short, over] = [w.run(), w.run()];
    w.advance(4_000);
    expect(w.status(short, { ttl: '6000' }).status).toBe(200);
    expect(w.status(over, { ttl: '3000' }).status).toBe(404);
    w.advance(1_999);
    expect(w.stateOf(short)).toBe('IN_PROGRESS');
    w.advance(1);
    expect(w.stateOf(short)).toBe(404);
  });
});

describe('6: webhooks', () => {
  const webhook = 'http://hook.test/a/b?c=d';

  test('6/three-attempts: 10 s after the end of each failed attempt, then none', () => {
    const w = createTestBed();
    const job = w.run({ webhook });
    w.advance(500);
    expect(w.webhooks()).toEqual([]);
    w.report(job, success('x'));
    for (const [attempt, status] of [500, null, 404].entries()) {
      const call = w.webhooks().at(-1)!;
      expect(call).toMatchObject({ url: webhook, attempt: attempt + 1, body: w.status(job).body });
      w.advance(700);
      w.webhookEnded(call.delivery, status);
      w.advance(9_999);
      expect(w.webhooks()).toHaveLength(attempt + 1);
      w.advance(1);
    }
    w.advance(MINUTE_MS);
    expect(w.webhooks()).toHaveLength(3);
    expect(w.stateOf(job)).toBe('COMPLETED');
  });

  test('6/stops-after-200, and an emptied endpoint drops due calls', () => {
    const w = createTestBed();
    const [good, bad] = [w.run({ webhook }), w.run({ webhook })];
    w.report(good, success());
    w.webhookEnded(w.webhooks()[0]!.delivery, 200);
    w.report(bad, success());
    const { delivery } = w.webhooks()[1]!;
    w.webhookEnded(delivery, 500);
    w.create('ep', 1);
    expect(w.effects.at(-1)!.effect).toEqual({ kind: 'drop-webhook', delivery });
    w.advance(MINUTE_MS);
    expect(w.webhooks()).toHaveLength(2);
  });
});

test('every timer fires at its own instant, however late the next apply is', () => {
  const w = createTestBed();
  const job = w.run({ policy: { executionTimeout: 5_000 } });
  const next = w.run();
  w.nowMs = 60_000;
  w.get('/health');
  w.report(next, success());
  expect(fields(w.status(job))).toMatchObject({ status: 'TIMED_OUT', executionTime: 5_000 });
  expect(fields(w.status(next))).toMatchObject({
    status: 'COMPLETED',
    delayTime: 5_000,
    executionTime: 55_000,
  });
});

test('set-workers: running jobs finish first', () => {
  const w = createTestBed({ workers: 3 });
  const jobs = [w.run(), w.run(), w.run(), w.run()];
  w.workers(1);
  expect(fields(w.get('/health'))['workers']).toEqual({ idle: 0, running: 3 });
  for (const job of jobs.slice(0, 2)) w.report(job, success());
  expect(w.stateOf(jobs[3]!)).toBe('IN_QUEUE');
  w.report(jobs[2]!, success());
  expect(w.stateOf(jobs[3]!)).toBe('IN_PROGRESS');
  expect(fields(w.get('/health'))['workers']).toEqual({ idle: 0, running: 1 });
});
