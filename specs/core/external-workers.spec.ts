/** External workers: they request jobs, report, and are lost when they send no heartbeat. */
import { describe, expect, test } from 'vitest';
import { createTestBed, fields, success } from './test-bed.js';
import type { JsonRecord, TestBed } from './test-bed.js';

const SILENCE_MS = 44_000;
const requestsJobs = (jobs = 1) => ({ kind: 'worker-requests-jobs', jobs }) as const;
const heartbeat = (...jobs: string[]) =>
  ({ kind: 'worker-heartbeat', jobs: jobs.length === 0 ? null : jobs }) as const;
const health = (w: TestBed): { jobs: JsonRecord; workers: JsonRecord } =>
  fields(w.get('/health')) as unknown as { jobs: JsonRecord; workers: JsonRecord };
const testBed = (options = {}): TestBed => createTestBed({ workers: 0, ...options });
const startsOf = (w: TestBed) => w.starts().map(({ worker, job }) => [worker, job]);

describe('asking for jobs', () => {
  test('a job waits until a worker asks for it, and is in progress from then on', () => {
    const w = testBed();
    const job = w.run();
    expect(w.stateOf(job)).toBe('IN_QUEUE');
    w.advance(1_000);
    w.worker('pod', requestsJobs());
    expect(w.startOf(job)).toMatchObject({ worker: 'pod', external: true, job });
    expect(fields(w.status(job))).toMatchObject({ status: 'IN_PROGRESS', delayTime: 1_000 });
  });

  test('a request for jobs that finds none stays open until a job comes, and gets one', () => {
    const w = testBed();
    w.worker('pod', requestsJobs(3));
    const [first, second] = [w.run(), w.run()];
    expect(startsOf(w)).toEqual([['pod', first]]);
    w.worker('pod', requestsJobs(3));
    expect(startsOf(w).slice(1)).toEqual([['pod', second]]);
  });

  test('a batch holds the waiting jobs, up to the requested number', () => {
    const w = testBed();
    const jobs = [w.run(), w.run(), w.run()];
    w.worker('pod', requestsJobs(2));
    expect(startsOf(w)).toEqual(jobs.slice(0, 2).map((job) => ['pod', job]));
    expect(w.stateOf(jobs[2]!)).toBe('IN_QUEUE');
  });

  test('a withdrawn request gets no job', () => {
    const w = testBed();
    w.worker('pod', requestsJobs());
    w.worker('pod', { kind: 'worker-withdraws-request' });
    const job = w.run();
    expect(w.stateOf(job)).toBe('IN_QUEUE');
    expect(w.starts()).toEqual([]);
  });

  test('a second request replaces the first', () => {
    const w = testBed();
    w.worker('pod', requestsJobs());
    w.worker('pod', requestsJobs());
    w.run();
    const second = w.run();
    expect(w.stateOf(second)).toBe('IN_QUEUE');
  });

  test('built-in workers and external ones share a queue', () => {
    const w = testBed({ workers: 1 });
    w.worker('pod', requestsJobs());
    const jobs = [w.run(), w.run(), w.run()];
    expect(jobs.map((job) => w.stateOf(job))).toEqual(['IN_PROGRESS', 'IN_PROGRESS', 'IN_QUEUE']);
    expect(
      w
        .starts()
        .map(({ external }) => external)
        .sort((a, b) => Number(a) - Number(b)),
    ).toEqual([false, true]);
  });

  test('emptying an endpoint removes its workers, jobs and requests for jobs', () => {
    const w = testBed();
    const job = w.run();
    w.worker('held', requestsJobs());
    w.worker('pod', requestsJobs());
    w.create('ep', 0);
    expect(w.effects.map(({ effect }) => effect)).toContainEqual({
      kind: 'job-request-ended',
      endpoint: 'ep',
      worker: 'pod',
    });
    expect(w.attemptOf('held', job)).toBeNull();
    const next = w.run();
    expect(w.stateOf(next)).toBe('IN_QUEUE');
    expect(health(w).workers).toEqual({ idle: 0, running: 0 });
  });
});

describe('a job that was not delivered', () => {
  test('waits again at its old place, as if it had not been started', () => {
    const w = testBed();
    const [first, second] = [w.run(), w.run()];
    w.advance(1_000);
    w.worker('pod', requestsJobs());
    w.advance(1_000);
    w.reportAttempt(w.attemptOf('pod', first)!, { kind: 'not-delivered' });
    expect([w.stateOf(first), w.attemptOf('pod', first)]).toEqual(['IN_QUEUE', null]);
    w.worker('other', requestsJobs(2));
    expect(startsOf(w).slice(1)).toEqual([
      ['other', first],
      ['other', second],
    ]);
    expect(w.startOf(first)).toMatchObject({ ranBefore: false });
    expect(health(w).jobs['retried']).toBe(0);
  });

  test('goes at once to a worker with an open request', () => {
    const w = testBed();
    const job = w.run();
    w.worker('pod', requestsJobs());
    w.worker('other', requestsJobs());
    w.reportAttempt(w.attemptOf('pod', job)!, { kind: 'not-delivered' });
    expect(startsOf(w)).toEqual([
      ['pod', job],
      ['other', job],
    ]);
  });
});

describe('reporting', () => {
  test('the attempt is found by endpoint, worker and job, while it runs', () => {
    const w = testBed();
    const job = w.run();
    w.worker('pod', requestsJobs());
    const attempt = w.attemptOf('pod', job);
    expect(attempt).toBe(w.startOf(job)!.attempt);
    expect(w.attemptOf('other', job)).toBeNull();
    expect(w.attemptOf('pod', 'no-such-job')).toBeNull();
    w.reportAttempt(attempt!, success('done'));
    expect(fields(w.status(job))).toMatchObject({ status: 'COMPLETED', output: 'done' });
    expect(w.attemptOf('pod', job)).toBeNull();
  });

  test('a waiting job and the job of a built-in worker have no external attempt', () => {
    const w = testBed({ workers: 1 });
    const [running, waiting] = [w.run(), w.run()];
    w.worker(w.startOf(running)!.worker, heartbeat());
    expect(w.attemptOf(w.startOf(running)!.worker, running)).toBeNull();
    expect(w.attemptOf('pod', waiting)).toBeNull();
  });

  test.each([
    ['cancelled', (w: TestBed, job: string) => void w.post(`/cancel/${job}`)],
    ['deleted', (w: TestBed) => w.advance(10_000)],
  ])('a job that was %s is taken from its worker, which gets a stop effect', (_what, undo) => {
    const w = testBed();
    const job = w.run({ policy: { ttl: 10_000 } });
    w.worker('pod', requestsJobs());
    const { attempt } = w.startOf(job)!;
    undo(w, job);
    expect(w.effects.map(({ effect }) => effect)).toContainEqual({ kind: 'stop', attempt });
    expect(w.attemptOf('pod', job)).toBeNull();
    expect(health(w).workers).toEqual({ idle: 1, running: 0 });
  });
});

describe('health', () => {
  test('a worker with an open request or a recent heartbeat is idle; one that holds a job is running', () => {
    const w = testBed();
    expect(health(w).workers).toEqual({ idle: 0, running: 0 });
    w.worker('asking', requestsJobs());
    w.worker('seen', heartbeat());
    expect(health(w).workers).toEqual({ idle: 2, running: 0 });
    w.run();
    expect(health(w).workers).toEqual({ idle: 1, running: 1 });
    w.worker('seen', { kind: 'worker-leaves' });
    expect(health(w).workers).toEqual({ idle: 0, running: 1 });
  });

  test('a worker with an open request stays; one without heartbeats is removed', () => {
    const w = testBed();
    w.worker('asking', requestsJobs());
    w.worker('seen', heartbeat());
    w.advance(SILENCE_MS);
    expect(health(w).workers).toEqual({ idle: 1, running: 0 });
    expect(w.nextMs()).toBeNull();
  });
});

describe('heartbeat timeout', () => {
  const runpod = () => testBed({ edition: 'runpod' });

  test('a job whose worker sends no heartbeat runs again once, then fails', () => {
    const w = runpod();
    const job = w.run();
    w.worker('one', requestsJobs());
    w.advance(SILENCE_MS - 1);
    expect(w.stateOf(job)).toBe('IN_PROGRESS');
    w.advance(1);
    expect(w.stateOf(job)).toBe('IN_QUEUE');
    expect(w.attemptOf('one', job)).toBeNull();
    w.advance(500);
    w.worker('two', requestsJobs());
    expect(fields(w.status(job))).toMatchObject({ status: 'IN_PROGRESS', delayTime: 500, retries: 1 });
    w.advance(SILENCE_MS);
    expect(fields(w.status(job))).toMatchObject({
      status: 'FAILED',
      error: 'job timed out after 1 retries',
      retries: 1,
    });
    expect(health(w)).toMatchObject({ jobs: { failed: 1, retried: 1, inQueue: 0, inProgress: 0 } });
  });

  test('edition document: the worker counts as dead, and the job becomes FAILED', () => {
    const w = testBed();
    const job = w.run();
    w.worker('one', requestsJobs());
    w.advance(SILENCE_MS);
    expect(w.stateOf(job)).toBe('FAILED');
    expect(fields(w.status(job))).not.toHaveProperty('retries');
  });

  test('any call is a heartbeat; a ping that names jobs is a heartbeat of those jobs only', () => {
    const w = testBed();
    const [kept, lost] = [w.run(), w.run()];
    w.worker('pod', requestsJobs(2));
    w.advance(30_000);
    w.worker('pod', heartbeat());
    w.advance(30_000);
    expect([w.stateOf(kept), w.stateOf(lost)]).toEqual(['IN_PROGRESS', 'IN_PROGRESS']);
    w.worker('pod', heartbeat(kept));
    w.advance(14_000);
    expect([w.stateOf(kept), w.stateOf(lost)]).toEqual(['IN_PROGRESS', 'FAILED']);
  });

  test('a request for jobs is no heartbeat of the jobs that the worker holds', () => {
    const w = testBed();
    const job = w.run();
    w.worker('pod', requestsJobs());
    w.advance(30_000);
    w.worker('pod', requestsJobs());
    w.advance(14_000);
    expect(w.stateOf(job)).toBe('FAILED');
    expect(health(w).workers).toEqual({ idle: 1, running: 0 });
  });

  test('the timeout is a setting of the endpoint', () => {
    const w = testBed();
    w.create('ep', 0, { heartbeatTimeoutMs: 5_000 });
    const job = w.run();
    w.worker('pod', requestsJobs());
    w.advance(5_000);
    expect(w.stateOf(job)).toBe('FAILED');
  });

  test('a worker that leaves loses its jobs at once', () => {
    const w = runpod();
    const job = w.run();
    w.worker('one', requestsJobs());
    w.worker('one', { kind: 'worker-leaves' });
    expect(w.stateOf(job)).toBe('IN_QUEUE');
    expect(health(w).workers).toMatchObject({ idle: 0, running: 0 });
  });
});
