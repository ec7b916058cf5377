/** What observers see of the future and of one job; looking changes nothing. */
import { describe, expect, it } from 'vitest';
import { createService } from '../../src/core/service.js';
import type { CoreInput } from '../../src/core/api.js';
import type { Json } from '../../src/history/events.js';
import type { WorkerSettings } from '../../src/core/workers/scaling-settings.js';

const DAY_MS = 86_400_000;
const KEY = 'k';

function start(workers: WorkerSettings['workers'] = 1) {
  const service = createService({ keys: [KEY], endpoints: [{ id: 'ep', workers, jobsPerWorker: 1 }] });
  let callId = 0;
  const apply = (nowMs: number, input: CoreInput) => service.apply(nowMs, input);
  return {
    service,
    apply,
    submit(nowMs: number, op: 'run' | 'runsync', body: { [name: string]: Json }): string {
      const text = JSON.stringify(body);
      const request = {
        method: 'POST',
        path: `/v2/ep/${op}`,
        query: {},
        headers: { authorization: KEY, 'content-type': 'application/json' },
        body: text,
        bodyBytes: text.length,
      };
      apply(nowMs, { kind: 'request', callId: ++callId, request });
      return service.snapshot(9)[0]!.jobs.find(({ submittedMs }) => submittedMs === nowMs)!.id;
    },
    /** The kinds of what comes, each with its instant and what it is about. */
    next: () =>
      service
        .upcoming(20)
        .map(({ atMs, kind, job, worker, attempt }) => [atMs, kind, job ?? worker, attempt]),
  };
}

describe('upcoming', () => {
  it('lists the timers of a running and of a waiting job, in order', () => {
    const { submit, next, service } = start();
    const first = submit(0, 'run', { input: { n: 1 }, policy: { executionTimeout: 50_000 } });
    const second = submit(5, 'runsync', { input: { n: 2 }, policy: { ttl: 60_000 } });
    expect(next()).toEqual([
      [50_000, 'execution-timeout', first, null],
      [60_005, 'ttl', second, null],
      [90_005, 'wait', second, null],
      [DAY_MS, 'ttl', first, null],
    ]);
    expect(service.upcoming(1)).toEqual([
      { atMs: 50_000, kind: 'execution-timeout', endpoint: 'ep', job: first, worker: null, attempt: null },
    ]);
    expect(service.nextDeadlineMs()).toBe(50_000);
  });

  it('names the attempt of a webhook that comes next, and the end of the retention', () => {
    const { submit, next, apply } = start();
    const job = submit(0, 'run', { input: { n: 1 }, webhook: 'http://receiver.test/' });
    apply(10, { kind: 'worker', attempt: 1, report: { kind: 'success', output: 'done' } });
    apply(20, { kind: 'webhook-ended', delivery: 1, status: 500 });
    expect(next()[0]?.slice(1)).toEqual(['webhook', job, 2]);
    expect(next()).toContainEqual([10 + 30 * 60_000, 'retention', job, null]);
  });

  it('names the worker that starts, and the one that stops', () => {
    const scaler = { kind: 'queue-delay', delayMs: 4_000 } as const;
    const { submit, next, apply } = start({
      min: 0,
      max: 1,
      coldStartMs: 2_000,
      idleTimeoutMs: 5_000,
      scaler,
    });
    const job = submit(0, 'run', { input: { n: 1 } });
    expect(next()[0]).toEqual([4_000, 'scale', job, null]);
    apply(4_000, { kind: 'settle' });
    expect(next()[0]).toEqual([6_000, 'cold-start', 'ep-worker-1', null]);
    apply(6_000, { kind: 'settle' });
    apply(7_000, { kind: 'worker', attempt: 1, report: { kind: 'success', output: null } });
    expect(next()[0]).toEqual([12_000, 'idle-stop', 'ep-worker-1', null]);
  });
});

describe('job', () => {
  it('shows the submission, the results so far, and the place in the queue, but no s3Config', () => {
    const { submit, service, apply } = start();
    const s3Config = {
      accessId: 'a',
      accessSecret: 'hidden',
      bucketName: 'c',
      endpointUrl: 'http://s3.local',
    };
    const first = submit(0, 'run', { input: { a: 1 }, s3Config, webhook: 'http://receiver.test/' });
    const second = submit(5, 'run', { input: { n: 2 } });
    const third = submit(6, 'run', { input: { n: 3 } });
    apply(7, { kind: 'worker', attempt: 1, report: { kind: 'stream', output: 'piece' } });
    expect(service.job('ep', first)).toMatchObject({
      id: first,
      endpoint: 'ep',
      status: 'IN_PROGRESS',
      worker: 'ep-worker-1',
      input: { a: 1 },
      webhook: 'http://receiver.test/',
      hasS3Config: true,
      hasOutput: false,
      chunks: [{ output: 'piece' }],
      chunksRead: 0,
      place: null,
    });
    expect(JSON.stringify(service.job('ep', first))).not.toContain('hidden');
    expect([second, third].map((id) => service.job('ep', id)?.place)).toEqual([1, 2]);
    apply(9, { kind: 'worker', attempt: 1, report: { kind: 'success', output: null } });
    expect(service.job('ep', first)).toMatchObject({
      status: 'COMPLETED',
      hasOutput: true,
      output: ['piece'],
    });
    expect(service.job('ep', 'unknown')).toBeNull();
    expect(service.job('other', first)).toBeNull();
  });
});
