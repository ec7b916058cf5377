/** What is wrong with a job in another way than the one that is looked at. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/history/events.js';
import { failed, TraceBuilder } from '../support/trace-builder.js';

describe('a later read that shows no output', () => {
  const read = (atMs: number): readonly string[] => {
    const trace = new TraceBuilder().submitted(0, 'a', [{ return: { is: 'here' } }]);
    trace.seen(10, 'a', 'COMPLETED', { output: { is: 'here' } }).seen(atMs, 'a', 'COMPLETED');
    return failed(trace.judged(4_000_000));
  };

  test('within the retention, reading has taken it away', () => {
    expect(read(1_000_000)).toContain('4.3/reading-does-not-consume');
  });

  test('after it, the rest of the record is there too long', () => {
    expect(read(2_000_000)).toContain('4.2/retention-gone');
    expect(read(2_000_000)).not.toContain('4.3/reading-does-not-consume');
  });
});

test('an output that another run made is the retry’s, which should not have been', () => {
  const plan = { plan: [{ return: 1 }], planOnRetry: [{ return: 2 }] };
  const trace = new TraceBuilder().call(
    0,
    'run',
    null,
    200,
    { id: 'a', status: 'IN_QUEUE' },
    { body: { input: plan } },
  );
  trace.seen(10, 'a', 'COMPLETED', { output: 1 });
  trace
    .call(20, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' })
    .seen(30, 'a', 'COMPLETED', { output: 2 });
  expect(failed(trace.judged(1_000))).not.toContain('4.3/reading-does-not-consume');
});

test('a time that is missing in one record has not changed', () => {
  const body = { input: { plan: [{ return: 1 }] } };
  const record = { id: 'a', status: 'COMPLETED', output: 1 };
  const trace = new TraceBuilder()
    .call(0, 'runsync', null, 200, record, { body })
    .seen(10, 'a', 'COMPLETED', { output: 1 });
  expect(failed(trace.judged(1_000))).not.toContain('2.4/times-settled');
});

test('of a job whose ttl is over the code alone is wrong', () => {
  const trace = new TraceBuilder(0).submitted(0, 'a', [{ hang: true }], { ttl: 20_000 });
  trace.seen(10, 'a', 'IN_QUEUE').call(30_000, 'status', 'a', 410, {});
  expect(failed(trace.judged(40_000))).toEqual(['7/ttl-expired-status']);
});

describe('a purge that removed', () => {
  const purge = (trace: TraceBuilder, ms: number, code: number, removed: Json): TraceBuilder =>
    trace.call(ms, 'purge-queue', null, code, code === 200 ? { removed, status: 'completed' } : {});
  const waiting = (trace: TraceBuilder): TraceBuilder =>
    trace.submitted(100, 'a', [{ hang: true }]).submitted(100, 'b', [{ hang: true }]);

  test('too few, after one that was refused', () => {
    const trace = purge(purge(new TraceBuilder(0), 0, 200, 0), 0, 200, 0);
    purge(purge(waiting(trace), 200, 429, null), 20_000, 200, 0);
    expect(failed(trace.judged(30_000))).toEqual(['8/refused-call-has-no-effect']);
  });

  test('too few, with none before it', () => {
    expect(failed(purge(waiting(new TraceBuilder(0)), 200, 200, 0).judged(30_000))).toEqual([
      '2.6/removed-counts-queued',
    ]);
  });

  test('too many, which one of several refusals explains elsewhere by itself', () => {
    const malformed = (trace: TraceBuilder): TraceBuilder =>
      trace.call(0, 'run', null, 400, {}, { body: { input: 'text' }, illegal: 'input-string' });
    const keyless = (trace: TraceBuilder): TraceBuilder =>
      trace.call(0, 'run', null, 401, {}, { body: { input: {} }, auth: 'missing' });
    const both = purge(keyless(malformed(new TraceBuilder(0))), 100, 200, 1);
    expect(failed(both.judged(1_000))).toEqual(['2.6/removed-counts-queued']);
    const alone = purge(malformed(new TraceBuilder(0)), 100, 200, 1);
    expect(failed(alone.judged(1_000))).toEqual(['3/invalid-submission-creates-nothing']);
    purge(keyless(alone), 20_000, 200, 1);
    expect(failed(alone.judged(30_000))).toEqual(['3/invalid-submission-creates-nothing']);
  });
});

test.each(['status', 'stream'] as const)('an idle worker may raise the rate of /%s', (op) => {
  const reads = (workers: number, observed: string): readonly string[] => {
    const trace = new TraceBuilder(workers).submitted(0, 'a', [{ return: 1 }]).seen(10, 'a', observed);
    for (let made = 0; made < 2_100; made += 1)
      if (op === 'status') trace.seen(20_000, 'a', observed);
      else trace.call(20_000, op, 'a', 200, []);
    return failed(trace.judged(21_000));
  };
  expect(reads(0, 'IN_QUEUE')).toEqual([`8/rate-${op}-above`]);
  expect(reads(1, 'COMPLETED').filter((id) => id.startsWith('8/'))).toEqual([]);
});

test('a waiting job that nobody had looked at, and that /cancel does not find', () => {
  const trace = new TraceBuilder(1).submitted(0, 'a', [{ sleepMs: 5_000 }]).seen(10, 'a', 'IN_PROGRESS');
  trace.submitted(20, 'b', [{ sleepMs: 500 }]).call(20, 'cancel', 'b', 404, {});
  const done = { output: { ok: true } };
  trace.seen(9_000, 'a', 'COMPLETED', { ...done, executionTime: 5_000 });
  trace.seen(9_000, 'b', 'COMPLETED', { ...done, delayTime: 4_980, executionTime: 500 });
  expect(failed(trace.judged(10_000))).toEqual(['3/cancel-queued']);
});
