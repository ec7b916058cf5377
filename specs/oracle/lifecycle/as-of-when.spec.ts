/** What a job was when it was last seen says nothing of what it is much later: nobody need look at it meanwhile. */
import { describe, expect, it } from 'vitest';
import type { CallEvent } from '../../../src/history/events.js';
import { TraceBuilder } from '../support/trace-builder.js';

const MINUTE_MS = 60_000;
const THREE_SECONDS = [{ sleepMs: 3_000 }, { return: 1 }];
const gone = { error: 'job not found' };

const failed = (trace: TraceBuilder): readonly string[] =>
  trace
    .judged(3 * 60 * MINUTE_MS)
    .requirements.flatMap(({ id, verdict, level }) => (verdict === 'fail' && level === 'must' ? [id] : []));

const submitted = (): TraceBuilder =>
  new TraceBuilder().submitted(0, 'a', THREE_SECONDS, { executionTimeout: 5_000 });

/** The operations exist: so they answer before the job can have ended. */
const withOperations = (): TraceBuilder =>
  submitted()
    .seen(500, 'a', 'IN_PROGRESS')
    .call(600, 'stream', 'a', 200, [])
    .call(700, 'retry', 'a', 400, { error: 'it runs' })
    .submitted(800, 'b', THREE_SECONDS)
    .call(900, 'cancel', 'b', 200, { id: 'b', status: 'CANCELLED' });

describe('a job that nobody looked at for 40 minutes, whose result had expired before', () => {
  it.each(['status', 'stream', 'cancel', 'retry'] as const)(
    'may be answered with 404 to %s without a key',
    (op) => {
      const auth: CallEvent['request']['auth'] = 'missing';
      const late = (ms: number): TraceBuilder => withOperations().call(ms, op, 'a', 404, gone, { auth });
      expect(failed(late(40 * MINUTE_MS))).toEqual([]);
      expect(failed(late(20 * MINUTE_MS))).toEqual([`5/missing-key-${op}`]);
    },
  );

  it.each(['status', 'stream'] as const)('may be answered with 404 to %s each time', (op) => {
    const read = (ms: number): TraceBuilder =>
      submitted()
        .call(ms, op, 'a', 404, gone)
        .call(ms + 100, op, 'a', 404, gone)
        .call(ms + 200, op, 'a', 404, gone);
    expect(failed(read(40 * MINUTE_MS))).toEqual([]);
    expect(failed(read(20 * MINUTE_MS))).not.toEqual([]);
  });

  it('may be answered with 500 to /stream', () => {
    expect(failed(submitted().call(40 * MINUTE_MS, 'stream', 'a', 500, gone))).toEqual([]);
  });
});

describe('a job that its executionTimeout may have made CANCELLED', () => {
  const hung = (): TraceBuilder =>
    new TraceBuilder()
      .submitted(0, 'a', [{ hang: true }], { executionTimeout: 5_000 })
      .seen(500, 'a', 'IN_PROGRESS');

  it('may be answered with 404 from then on, as cancelled jobs may', () => {
    const trace = hung();
    for (const ms of [6_000, 7_000, 8_000]) trace.call(ms, 'status', 'a', 404, gone);
    expect(failed(trace)).toEqual([]);
    expect(failed(hung().call(9_000, 'status', 'a', 404, gone, { auth: 'missing' }))).toEqual([]);
  });

  it('may not before', () => {
    expect(failed(hung().call(4_000, 'status', 'a', 404, gone, { auth: 'missing' }))).toEqual([
      '5/missing-key-status',
    ]);
  });
});

describe('a job that its executionTimeout has stopped, and that is retried', () => {
  const stopped = (workers: number): TraceBuilder =>
    new TraceBuilder(workers)
      .submitted(0, 'a', [{ hang: true }], { executionTimeout: 5_000 })
      .seen(1_000, 'a', 'IN_PROGRESS')
      .seen(5_100, 'a', 'TIMED_OUT', { executionTime: 5_000 })
      .call(5_300, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' });

  it('may wait for its own worker as long as another job may', () => {
    expect(failed(stopped(1).seen(7_500, 'a', 'IN_QUEUE').seen(9_000, 'a', 'IN_PROGRESS'))).toEqual([]);
    const other = stopped(1).submitted(5_400, 'b', THREE_SECONDS).seen(8_000, 'b', 'IN_QUEUE');
    expect(failed(other)).toEqual([]);
    expect(failed(stopped(1).seen(80_000, 'a', 'IN_QUEUE'))).toEqual(['1/free-worker-takes-job']);
  });

  it('keeps two workers from others while it runs on one and the other starts anew', () => {
    const third = (workers: number): TraceBuilder =>
      stopped(workers)
        .seen(6_000, 'a', 'IN_PROGRESS')
        .submitted(6_100, 'b', THREE_SECONDS)
        .seen(9_000, 'b', 'IN_QUEUE');
    expect(failed(third(2))).toEqual([]);
    expect(failed(third(3))).toEqual(['1/free-worker-takes-job']);
  });

  it('finds its worker at once where an error of its handler ended it', () => {
    const trace = new TraceBuilder()
      .submitted(0, 'a', [{ fail: 'x' }])
      .seen(100, 'a', 'FAILED')
      .call(200, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' });
    expect(failed(trace.seen(9_000, 'a', 'IN_QUEUE'))).toEqual(['1/free-worker-takes-job']);
  });
});

it('a job that crashed its worker holds none until it is dispatched again, though it was seen running before', () => {
  const trace = new TraceBuilder()
    .submitted(0, 'a', [{ sleepMs: 1_000 }, { crash: true }])
    .seen(500, 'a', 'IN_PROGRESS')
    .submitted(600, 'b', [{ sleepMs: 200 }, { return: 1 }])
    .seen(1_100, 'b', 'IN_PROGRESS')
    .seen(1_500, 'b', 'COMPLETED', { executionTime: 200, output: 1 })
    .seen(3_000, 'a', 'IN_QUEUE')
    .seen(4_000, 'a', 'IN_PROGRESS');
  expect(failed(trace).filter((id) => !id.startsWith('2.4/'))).toEqual([]);
});
