/** Sections 2.2, 4.1 to 4.3, 6: what happens when time passes. */
import { describe, expect, test } from 'vitest';
import { createWorld, failure, fields, success } from './test-bed.js';

const MINUTE_MS = 60_000;

describe('4.1: wait', () => {
  test('4.1/wait-answers-on-completion: at the very instant', () => {
    const w = createWorld();
    const call = w.ask('/runsync', { input: { a: 1 } });
    w.pass(1_234);
    expect(w.late(call)).toBeNull();
    w.report(w.starts()[0]!.job, success('done'));
    expect(w.late(call)).toMatchObject({
      atMs: 1_234,
      reply: { status: 200, body: { status: 'COMPLETED', output: 'done', executionTime: 1_234 } },
    });
  });

  test.each([
    [{}, 90_000],
    [{ wait: '1000' }, 1_000],
    [{ wait: '300000' }, 300_000],
  ])('%j is over after %i ms; the job goes on', (query, waitMs) => {
    const w = createWorld();
    const call = w.ask('/runsync', { input: { a: 1 } }, { query });
    w.pass(waitMs - 1);
    expect(w.late(call)).toBeNull();
    w.pass(1);
    expect(w.late(call)).toMatchObject({
      atMs: waitMs,
      reply: { status: 200, body: { status: 'IN_PROGRESS' } },
    });
    const { job } = w.starts()[0]!;
    w.report(job, success());
    expect(w.stateOf(job)).toBe('COMPLETED');
  });

  test('a waiting call is told when its job is cancelled, purged, deleted, or its endpoint emptied', () => {
    const w = createWorld();
    const blocker = w.run();
    const ask = (policy = {}) => w.ask('/runsync', { input: { a: 1 }, policy });
    const [cancelled, deleted] = [ask(), ask({ ttl: 10_000 })];
    w.post(`/cancel/${blocker}`);
    w.post(`/cancel/${w.starts().at(-1)!.job}`);
    expect(w.late(cancelled)).toMatchObject({ reply: { status: 200, body: { status: 'CANCELLED' } } });
    w.pass(10_000);
    expect(w.late(deleted)).toMatchObject({ atMs: 10_000, reply: { status: 404 } });
    w.run();
    const purged = ask();
    w.post('/purge-queue');
    expect(w.late(purged)).toMatchObject({ reply: { status: 404 } });
    const [emptied, gone] = [ask(), w.ask('/runsync', { input: { a: 1 } })];
    w.hangUp(gone);
    w.create('ep', 1);
    expect(w.late(emptied)).toMatchObject({ reply: { status: 404 } });
    expect(w.late(gone)).toBeNull();
  });
});

describe('retention', () => {
  test.each([
    ['/run', 30 * MINUTE_MS],
    ['/runsync', MINUTE_MS],
  ])('of %s is %i ms after the end, however often it is read', (op, keptMs) => {
    const w = createWorld();
    if (op === '/run') w.run();
    else w.ask(op, { input: { a: 1 } });
    const { job } = w.starts()[0]!;
    w.pass(20_000);
    w.report(job, success(1));
    for (let i = 0; i < 10; i++) {
      w.pass(keptMs / 10 - 1);
      expect(w.stateOf(job)).toBe('COMPLETED');
    }
    w.pass(9);
    expect(w.stateOf(job)).toBe('COMPLETED');
    w.pass(1);
    expect(w.stateOf(job)).toBe(404);
    expect(w.nextMs()).toBeNull();
  });
});

describe('2.2: ttl', () => {
  test('2.2/ttl-seven-days-two-queued: what waited 2 days has 5 left', () => {
    const day = 86_400_000;
    const policy = { ttl: 7 * day, executionTimeout: 7 * day };
    const w = createWorld();
    const blocker = w.run({ policy });
    const job = w.run({ policy });
    w.pass(2 * day);
    w.post(`/cancel/${blocker}`);
    w.pass(5 * day - 1);
    expect(w.stateOf(job)).toBe('IN_PROGRESS');
    w.pass(1);
    expect(w.stateOf(job)).toBe(404);
  });

  test('a ttl goes on through a retry', () => {
    const w = createWorld();
    const job = w.run({ policy: { ttl: 20_000 } });
    w.pass(15_000);
    w.report(job, failure());
    w.post(`/retry/${job}`);
    w.pass(5_000);
    expect(w.stateOf(job)).toBe(404);
    expect(w.post(`/retry/${job}`).status).toBe(404);
  });

  test('4.3: /status?ttl= counts from submission, also below the minimum', () => {
    const w = createWorld();
    const [short, over] = [w.run(), w.run()];
    w.pass(4_000);
    expect(w.status(short, { ttl: '6000' }).status).toBe(200);
    expect(w.status(over, { ttl: '3000' }).status).toBe(404);
    w.pass(1_999);
    expect(w.stateOf(short)).toBe('IN_PROGRESS');
    w.pass(1);
    expect(w.stateOf(short)).toBe(404);
  });
});

describe('6: webhooks', () => {
  const webhook = 'http://hook.test/a/b?c=d';

  test('6/three-attempts: 10 s after the end of each failed one, then no more', () => {
    const w = createWorld();
    const job = w.run({ webhook });
    w.pass(500);
    expect(w.webhooks()).toEqual([]);
    w.report(job, success('x'));
    for (const [attempt, status] of [500, null, 404].entries()) {
      const call = w.webhooks().at(-1)!;
      expect(call).toMatchObject({ url: webhook, attempt: attempt + 1, body: w.status(job).body });
      w.pass(700);
      w.webhookEnded(call.delivery, status);
      w.pass(9_999);
      expect(w.webhooks()).toHaveLength(attempt + 1);
      w.pass(1);
    }
    w.pass(MINUTE_MS);
    expect(w.webhooks()).toHaveLength(3);
    expect(w.stateOf(job)).toBe('COMPLETED');
  });

  test('6/stops-after-200, and an emptied endpoint drops what is due', () => {
    const w = createWorld();
    const [good, bad] = [w.run({ webhook }), w.run({ webhook })];
    w.report(good, success());
    w.webhookEnded(w.webhooks()[0]!.delivery, 200);
    w.report(bad, success());
    const { delivery } = w.webhooks()[1]!;
    w.webhookEnded(delivery, 500);
    w.create('ep', 1);
    expect(w.effects.at(-1)!.effect).toEqual({ kind: 'drop-webhook', delivery });
    w.pass(MINUTE_MS);
    expect(w.webhooks()).toHaveLength(2);
  });
});

test('every deadline is handled at its own instant, however late the service is asked', () => {
  const w = createWorld();
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
  const w = createWorld({ workers: 3 });
  const jobs = [w.run(), w.run(), w.run(), w.run()];
  w.workers(1);
  expect(fields(w.get('/health'))['workers']).toEqual({ idle: 0, running: 3 });
  for (const job of jobs.slice(0, 2)) w.report(job, success());
  expect(w.stateOf(jobs[3]!)).toBe('IN_QUEUE');
  w.report(jobs[2]!, success());
  expect(w.stateOf(jobs[3]!)).toBe('IN_PROGRESS');
  expect(fields(w.get('/health'))['workers']).toEqual({ idle: 0, running: 1 });
});
