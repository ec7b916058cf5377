/** What one observation alone would show, and what else explains it where that is proven elsewhere in the run. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/history/events.js';
import { failed, TraceBuilder } from './support/trace-builder.js';

const hang = [{ hang: true }];
const shared = (): TraceBuilder => new TraceBuilder(null, {}, false);
const done = (trace: TraceBuilder, ms: number, id: string, input: Json, output: Json): TraceBuilder =>
  trace
    .call(ms, 'run', null, 200, { id, status: 'IN_QUEUE' }, { body: { input } })
    .seen(ms + 10, id, 'COMPLETED', { output });

describe('a job that ends at once and is never found', () => {
  const trace = (): TraceBuilder =>
    shared()
      .submitted(0, 'a', [{ return: 1 }])
      .seen(500, 'a', 'GONE')
      .submitted(1_000, 'b', [{ return: 2 }])
      .seen(1_500, 'b', 'GONE');

  test('was never created, if no other job was', () => {
    expect(failed(trace().judged(9_000))).toEqual(['3/submission-creates-job-run']);
  });

  test('was not kept, if others were observed', () => {
    const seen = trace().submitted(2_000, 'c', hang).seen(2_100, 'c', 'IN_PROGRESS');
    expect(failed(seen.judged(9_000))).not.toContain('3/submission-creates-job-run');
  });
});

test('a deleted result, if the default ttl expires too early elsewhere', () => {
  const trace = shared()
    .submitted(0, 'a', [{ return: 1 }])
    .seen(100, 'a', 'COMPLETED', { output: 1 });
  trace.seen(60_000, 'a', 'GONE');
  expect(failed(trace.judged(99_000))).toEqual(['4.2/retention-kept']);
  trace.submitted(0, 'b', hang, { executionTimeout: 700_000 }).seen(60_100, 'b', 'IN_PROGRESS');
  trace.seen(61_000, 'b', 'GONE');
  expect(failed(trace.judged(99_000))).toEqual(['2.2/ttl-default-not-early']);
});

describe('a webhook that arrives before a read shows the job running', () => {
  const url = 'http://127.0.0.1:1/hook';
  const trace = (): TraceBuilder =>
    shared()
      .submitted(0, 'a', [{ sleepMs: 1_000 }, { return: 1 }], undefined, { webhook: url })
      .seen(100, 'a', 'IN_PROGRESS')
      .webhook(1_010, url, 200)
      .seen(1_200, 'a', 'IN_PROGRESS');

  test('came too early', () => {
    expect(failed(trace().judged(60_000))).toEqual(['6/no-call-before-completion']);
  });

  test('did not, if /status provably reports old states elsewhere', () => {
    const stale = trace()
      .submitted(2_000, 'b', [{ return: 2 }])
      .seen(2_100, 'b', 'COMPLETED', { output: 2 });
    stale.submitted(3_000, 'c', hang).seen(3_100, 'c', 'GONE').seen(3_200, 'c', 'IN_PROGRESS');
    expect(failed(stale.judged(60_000))).toEqual(['4.3/shows-current-state']);
  });
});

describe('an output that many jobs return', () => {
  const trace = (): TraceBuilder => done(shared(), 0, 'a', { plan: [{ return: { of: 'a' } }] }, { ok: true });

  test('is taken to be a changed value', () => {
    const beside = done(trace(), 10, 'b', { plan: [] }, { ok: true });
    expect(failed(beside.judged(9_000))).toEqual(['2.4/output-object-unchanged']);
  });

  test('belongs to another job, if that is proven for others', () => {
    const crossed = done(trace(), 10, 'b', { plan: [] }, { ok: true });
    crossed.submitted(20, 'c', [{ return: { of: 'c' } }]).submitted(20, 'd', [{ return: { of: 'd' } }]);
    crossed.seen(40, 'c', 'COMPLETED', { output: { of: 'd' } });
    expect(failed(crossed.judged(9_000))).toEqual(['2.4/output-of-this-job']);
  });
});

describe('a job that fails although its plan does not', () => {
  const trace = (): TraceBuilder =>
    shared()
      .submitted(0, 'a', [{ return: null }])
      .seen(50, 'a', 'FAILED');

  test('should have completed', () => {
    expect(failed(trace().judged(9_000))).toEqual(['3/success-completes-run']);
  });

  test('received another plan, if inputs provably lose such values', () => {
    const lost = done(trace(), 60, 'b', { plan: [{ echo: true }], none: null }, { plan: [{ echo: true }] });
    expect(failed(lost.judged(9_000))).toEqual(['2.1/input-reaches-worker-run']);
  });

  test('or to be mixed up', () => {
    const one = { plan: [{ echo: true }], of: 'one' };
    const other = { plan: [{ echo: true }], of: 'other' };
    const mixed = done(done(trace(), 60, 'b', one, one), 80, 'c', other, one);
    expect(failed(mixed.judged(9_000))).toEqual(['2.1/input-not-mixed-between-jobs']);
  });
});

test('non-ASCII texts that are changed everywhere were changed on the way to the worker', () => {
  const trace = shared();
  const input = { plan: [{ echo: true }], text: 'čaj' };
  done(trace, 0, 'echo', input, { ...input, text: '?aj' });
  done(trace, 20, 'back', { plan: [{ return: '日本語 tea' }] }, '??? tea');
  done(trace, 40, 'stream', { plan: [{ stream: 'naïve' }] }, { ok: true });
  trace.call(80, 'stream', 'stream', 200, [{ output: 'na?ve' }]);
  expect(failed(trace.judged(9_000))).not.toContain('2.4/output-unicode-unchanged');
  expect(failed(trace.judged(9_000))).not.toContain('2.5/chunk-output-unchanged');
});
