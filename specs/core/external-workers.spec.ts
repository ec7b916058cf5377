/** Workers from outside: they ask, are given jobs, report, and are missed when they fall silent. */
import { describe, expect, test } from 'vitest';
import { createWorld, fields, success } from './test-bed.js';
import type { JsonRecord, World } from './test-bed.js';

const SILENCE_MS = 44_000;
const asks = (jobs = 1) => ({ kind: 'worker-asks', jobs }) as const;
const seen = (...jobs: string[]) => ({ kind: 'worker-seen', jobs: jobs.length === 0 ? null : jobs }) as const;
const health = (w: World): { jobs: JsonRecord; workers: JsonRecord } =>
  fields(w.get('/health')) as unknown as { jobs: JsonRecord; workers: JsonRecord };
const world = (options = {}): World => createWorld({ workers: 0, ...options });
const startsOf = (w: World) => w.starts().map(({ worker, job }) => [worker, job]);

describe('asking', () => {
  test('a job waits until a worker asks for it, and is in progress from then on', () => {
    const w = world();
    const job = w.run();
    expect(w.stateOf(job)).toBe('IN_QUEUE');
    w.pass(1_000);
    w.worker('pod', asks());
    expect(w.startOf(job)).toMatchObject({ worker: 'pod', external: true, job });
    expect(fields(w.status(job))).toMatchObject({ status: 'IN_PROGRESS', delayTime: 1_000 });
  });

  test('an ask that finds nothing stays until a job comes, and is answered by one', () => {
    const w = world();
    w.worker('pod', asks(3));
    const [first, second] = [w.run(), w.run()];
    expect(startsOf(w)).toEqual([['pod', first]]);
    w.worker('pod', asks(3));
    expect(startsOf(w).slice(1)).toEqual([['pod', second]]);
  });

  test('a batch is what waits, up to what was asked for', () => {
    const w = world();
    const jobs = [w.run(), w.run(), w.run()];
    w.worker('pod', asks(2));
    expect(startsOf(w)).toEqual(jobs.slice(0, 2).map((job) => ['pod', job]));
    expect(w.stateOf(jobs[2]!)).toBe('IN_QUEUE');
  });

  test('an ask that is withdrawn gets no job', () => {
    const w = world();
    w.worker('pod', asks());
    w.worker('pod', { kind: 'worker-withdraws' });
    const job = w.run();
    expect(w.stateOf(job)).toBe('IN_QUEUE');
    expect(w.starts()).toEqual([]);
  });

  test('asking twice is asking once', () => {
    const w = world();
    w.worker('pod', asks());
    w.worker('pod', asks());
    w.run();
    const second = w.run();
    expect(w.stateOf(second)).toBe('IN_QUEUE');
  });

  test('built-in workers and external ones share a queue', () => {
    const w = world({ workers: 1 });
    w.worker('pod', asks());
    const jobs = [w.run(), w.run(), w.run()];
    expect(jobs.map((job) => w.stateOf(job))).toEqual(['IN_PROGRESS', 'IN_PROGRESS', 'IN_QUEUE']);
    expect(
      w
        .starts()
        .map(({ external }) => external)
        .sort((a, b) => Number(a) - Number(b)),
    ).toEqual([false, true]);
  });

  test('workers and jobs of an endpoint that is emptied are gone, and so is the ask', () => {
    const w = world();
    const job = w.run();
    w.worker('held', asks());
    w.worker('pod', asks());
    w.create('ep', 0);
    expect(w.effects.map(({ effect }) => effect)).toContainEqual({
      kind: 'ask-ended',
      endpoint: 'ep',
      worker: 'pod',
    });
    expect(w.attemptOf('held', job)).toBeNull();
    const next = w.run();
    expect(w.stateOf(next)).toBe('IN_QUEUE');
    expect(health(w).workers).toEqual({ idle: 0, running: 0 });
  });
});

describe('a job that could not be handed over', () => {
  test('waits again at its old place, as if it had not been given', () => {
    const w = world();
    const [first, second] = [w.run(), w.run()];
    w.pass(1_000);
    w.worker('pod', asks());
    w.pass(1_000);
    w.reportAttempt(w.attemptOf('pod', first)!, { kind: 'not-delivered' });
    expect([w.stateOf(first), w.attemptOf('pod', first)]).toEqual(['IN_QUEUE', null]);
    w.worker('other', asks(2));
    expect(startsOf(w).slice(1)).toEqual([
      ['other', first],
      ['other', second],
    ]);
    expect(w.startOf(first)).toMatchObject({ ranBefore: false });
    expect(health(w).jobs['retried']).toBe(0);
  });

  test('goes at once to a worker that asks', () => {
    const w = world();
    const job = w.run();
    w.worker('pod', asks());
    w.worker('other', asks());
    w.reportAttempt(w.attemptOf('pod', job)!, { kind: 'not-delivered' });
    expect(startsOf(w)).toEqual([
      ['pod', job],
      ['other', job],
    ]);
  });
});

describe('reporting', () => {
  test('the attempt is found by endpoint, worker and job, while it runs', () => {
    const w = world();
    const job = w.run();
    w.worker('pod', asks());
    const attempt = w.attemptOf('pod', job);
    expect(attempt).toBe(w.startOf(job)!.attempt);
    expect(w.attemptOf('other', job)).toBeNull();
    expect(w.attemptOf('pod', 'no-such-job')).toBeNull();
    w.reportAttempt(attempt!, success('done'));
    expect(fields(w.status(job))).toMatchObject({ status: 'COMPLETED', output: 'done' });
    expect(w.attemptOf('pod', job)).toBeNull();
  });

  test('a waiting job, and the job of a built-in worker, are no external worker’s', () => {
    const w = world({ workers: 1 });
    const [running, waiting] = [w.run(), w.run()];
    w.worker(w.startOf(running)!.worker, seen());
    expect(w.attemptOf(w.startOf(running)!.worker, running)).toBeNull();
    expect(w.attemptOf('pod', waiting)).toBeNull();
  });

  test.each([
    ['cancelled', (w: World, job: string) => void w.post(`/cancel/${job}`)],
    ['deleted', (w: World) => w.pass(10_000)],
  ])('a job that was %s is taken from its worker, who is told to stop', (_what, undo) => {
    const w = world();
    const job = w.run({ policy: { ttl: 10_000 } });
    w.worker('pod', asks());
    const { attempt } = w.startOf(job)!;
    undo(w, job);
    expect(w.effects.map(({ effect }) => effect)).toContainEqual({ kind: 'stop', attempt });
    expect(w.attemptOf('pod', job)).toBeNull();
    expect(health(w).workers).toEqual({ idle: 1, running: 0 });
  });
});

describe('health', () => {
  test('who asks or was seen lately is idle, who holds a job is running', () => {
    const w = world();
    expect(health(w).workers).toEqual({ idle: 0, running: 0 });
    w.worker('asking', asks());
    w.worker('seen', seen());
    expect(health(w).workers).toEqual({ idle: 2, running: 0 });
    w.run();
    expect(health(w).workers).toEqual({ idle: 1, running: 1 });
    w.worker('seen', { kind: 'worker-leaves' });
    expect(health(w).workers).toEqual({ idle: 0, running: 1 });
  });

  test('who asks is not forgotten, who is silent otherwise is', () => {
    const w = world();
    w.worker('asking', asks());
    w.worker('seen', seen());
    w.pass(SILENCE_MS);
    expect(health(w).workers).toEqual({ idle: 1, running: 0 });
    expect(w.nextMs()).toBeNull();
  });
});

describe('silence', () => {
  const runpod = () => world({ edition: 'runpod' });

  test('the job of a silent worker is run again once, then fails', () => {
    const w = runpod();
    const job = w.run();
    w.worker('one', asks());
    w.pass(SILENCE_MS - 1);
    expect(w.stateOf(job)).toBe('IN_PROGRESS');
    w.pass(1);
    expect(w.stateOf(job)).toBe('IN_QUEUE');
    expect(w.attemptOf('one', job)).toBeNull();
    w.pass(500);
    w.worker('two', asks());
    expect(fields(w.status(job))).toMatchObject({ status: 'IN_PROGRESS', delayTime: 500, retries: 1 });
    w.pass(SILENCE_MS);
    expect(fields(w.status(job))).toMatchObject({
      status: 'FAILED',
      error: 'job timed out after 1 retries',
      retries: 1,
    });
    expect(health(w)).toMatchObject({ jobs: { failed: 1, retried: 1, inQueue: 0, inProgress: 0 } });
  });

  test('edition document: the worker is taken for dead, and the job for FAILED', () => {
    const w = world();
    const job = w.run();
    w.worker('one', asks());
    w.pass(SILENCE_MS);
    expect(w.stateOf(job)).toBe('FAILED');
    expect(fields(w.status(job))).not.toHaveProperty('retries');
  });

  test('any call is a sign of life; a ping that names jobs is one of these alone', () => {
    const w = world();
    const [kept, lost] = [w.run(), w.run()];
    w.worker('pod', asks(2));
    w.pass(30_000);
    w.worker('pod', seen());
    w.pass(30_000);
    expect([w.stateOf(kept), w.stateOf(lost)]).toEqual(['IN_PROGRESS', 'IN_PROGRESS']);
    w.worker('pod', seen(kept));
    w.pass(14_000);
    expect([w.stateOf(kept), w.stateOf(lost)]).toEqual(['IN_PROGRESS', 'FAILED']);
  });

  test('an ask is no sign of life of the jobs that the worker holds', () => {
    const w = world();
    const job = w.run();
    w.worker('pod', asks());
    w.pass(30_000);
    w.worker('pod', asks());
    w.pass(14_000);
    expect(w.stateOf(job)).toBe('FAILED');
    expect(health(w).workers).toEqual({ idle: 1, running: 0 });
  });

  test('how long an endpoint bears it is a setting', () => {
    const w = world();
    w.create('ep', 0, { heartbeatTimeoutMs: 5_000 });
    const job = w.run();
    w.worker('pod', asks());
    w.pass(5_000);
    expect(w.stateOf(job)).toBe('FAILED');
  });

  test('a worker that leaves loses its jobs at once', () => {
    const w = runpod();
    const job = w.run();
    w.worker('one', asks());
    w.worker('one', { kind: 'worker-leaves' });
    expect(w.stateOf(job)).toBe('IN_QUEUE');
    expect(health(w).workers).toMatchObject({ idle: 0, running: 0 });
  });
});
