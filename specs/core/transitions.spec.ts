/** Section 3, row by row. */
import { describe, expect, test } from 'vitest';
import { createTestBed, failure, fields, idOf, success } from './test-bed.js';

describe('3: transitions', () => {
  test('a submission waits in the queue, starts at once when a worker is free, and completes', () => {
    const w = createTestBed();
    const reply = w.post('/run', { input: { n: 1 } });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ id: idOf(reply), status: 'IN_QUEUE' });
    const job = idOf(reply);
    expect(w.stateOf(job)).toBe('IN_PROGRESS');
    expect(w.startOf(job)).toMatchObject({ input: { n: 1 }, s3Config: null, ranBefore: false });
    w.advance(250);
    w.report(job, success({ ok: true }));
    w.advance(40);
    expect(w.status(job).body).toEqual({
      id: job,
      status: 'COMPLETED',
      output: { ok: true },
      delayTime: 0,
      executionTime: 250,
    });
  });

  test('the oldest waiting job starts next', () => {
    const w = createTestBed();
    const [a, b, c] = [w.run(), w.run(), w.run()];
    expect([a, b, c].map((job) => w.stateOf(job))).toEqual(['IN_PROGRESS', 'IN_QUEUE', 'IN_QUEUE']);
    w.advance(100);
    w.report(a, success());
    expect([a, b, c].map((job) => w.stateOf(job))).toEqual(['COMPLETED', 'IN_PROGRESS', 'IN_QUEUE']);
    expect(fields(w.status(b))['delayTime']).toBe(100);
  });

  test('a handler error and a dead worker end in FAILED; the dead worker is replaced', () => {
    const w = createTestBed();
    const [a, b, c] = [w.run(), w.run(), w.run()];
    w.report(a, failure('no such model'));
    w.report(b, { kind: 'crash' });
    expect([a, b, c].map((job) => w.stateOf(job))).toEqual(['FAILED', 'FAILED', 'IN_PROGRESS']);
    expect(w.startOf(c)!.worker).not.toBe(w.startOf(b)!.worker);
    expect(fields(w.get('/health'))['workers']).toEqual({ idle: 0, running: 1 });
  });

  test('cancel takes a waiting job from the queue and stops a running one', () => {
    const w = createTestBed();
    const [running, waiting, next] = [w.run(), w.run(), w.run()];
    expect(w.post(`/cancel/${waiting}`).body).toEqual({ id: waiting, status: 'CANCELLED' });
    expect(w.post(`/cancel/${running}`).body).toEqual({ id: running, status: 'CANCELLED' });
    const { attempt } = w.startOf(running)!;
    expect(w.effects.map(({ effect }) => effect)).toContainEqual({ kind: 'stop', attempt });
    expect([running, waiting, next].map((job) => w.stateOf(job))).toEqual([
      'CANCELLED',
      'CANCELLED',
      'IN_PROGRESS',
    ]);
    w.reportAttempt(attempt, success('too late'));
    expect(w.stateOf(running)).toBe('CANCELLED');
    expect(w.startOf(waiting)).toBeUndefined();
  });

  test('retry requeues a failed job under its id, with its input, without its output', () => {
    const w = createTestBed();
    const job = w.run({}, { n: 7 });
    w.report(job, { kind: 'stream', output: 'part' });
    w.report(job, { kind: 'error', message: 'bad', output: 'half' });
    expect(w.post(`/retry/${job}`).body).toEqual({ id: job, status: 'IN_QUEUE' });
    expect(w.startOf(job)).toMatchObject({ input: { n: 7 }, ranBefore: true });
    expect(w.status(job).body).not.toHaveProperty('output');
    expect(w.get(`/stream/${job}`).body).toEqual([]);
    w.report(job, success('whole'));
    expect(fields(w.status(job))['output']).toBe('whole');
  });

  test('an execution timeout ends the job, stops the handler, frees the worker, and may be retried', () => {
    const w = createTestBed();
    const job = w.run({ policy: { executionTimeout: 5000 } });
    const next = w.run();
    w.advance(4999);
    expect(w.stateOf(job)).toBe('IN_PROGRESS');
    w.advance(1);
    expect(w.stateOf(job)).toBe('TIMED_OUT');
    expect(w.stateOf(next)).toBe('IN_PROGRESS');
    expect(w.post(`/retry/${job}`).status).toBe(200);
    w.report(next, success());
    w.advance(4999);
    expect(w.stateOf(job)).toBe('IN_PROGRESS');
    w.advance(1);
    expect(w.stateOf(job)).toBe('TIMED_OUT');
  });

  test('purge removes waiting jobs only', () => {
    const w = createTestBed();
    const [done, running, x, y] = [w.run(), w.run(), w.run(), w.run()];
    w.report(done, success());
    expect(w.post('/purge-queue').body).toEqual({ removed: 2, status: 'completed' });
    expect([done, running, x, y].map((job) => w.stateOf(job))).toEqual([
      'COMPLETED',
      'IN_PROGRESS',
      404,
      404,
    ]);
    w.report(running, success());
    expect(w.stateOf(running)).toBe('COMPLETED');
    expect(w.post('/purge-queue').body).toEqual({ removed: 0, status: 'completed' });
  });

  test.each([
    ['COMPLETED', success()],
    ['FAILED', failure()],
    ['IN_PROGRESS', null],
  ] as const)('ttl deletes a job that is %s', (state, report) => {
    const w = createTestBed();
    const job = w.run({ policy: { ttl: 10_000 } });
    const next = w.run();
    w.advance(3000);
    if (report !== null) w.report(job, report);
    w.advance(6999);
    expect(w.stateOf(job)).toBe(state);
    w.advance(1);
    expect(w.stateOf(job)).toBe(404);
    expect(w.stateOf(next)).toBe('IN_PROGRESS');
    w.report(job, success('too late'));
    expect(w.stateOf(job)).toBe(404);
  });
});
