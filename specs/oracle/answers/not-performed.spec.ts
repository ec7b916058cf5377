/** Operations that are not performed: a read that is refused, an operation whose calls are lost, a cancel that says otherwise. */
import { describe, expect, it } from 'vitest';
import type { JobStatus } from '../../../src/spec/types.js';
import { failed, TraceBuilder } from '../support/trace-builder.js';

const STREAMS = [{ stream: 1 }, { hang: true }];
const HANGS = [{ hang: true }];

describe('a refused /stream', () => {
  const running = (): TraceBuilder =>
    new TraceBuilder().submitted(0, 'a', STREAMS).seen(10, 'a', 'IN_PROGRESS');
  const refused = (trace: TraceBuilder, ms: number, code = 409): TraceBuilder =>
    trace.call(ms, 'stream', 'a', code, { error: 'no' });
  const completed = (trace: TraceBuilder): TraceBuilder =>
    trace.submitted(0, 'a', [{ stream: 1 }, { return: 2 }]).seen(10, 'a', 'COMPLETED', { output: 2 });

  it.each([
    ['delivers nothing of what was produced', refused(running(), 4_000), ['4.4/chunks-while-running']],
    ['may come before anything was', refused(running(), 5), []],
    ['may be due to the rate', refused(running(), 4_000, 429), ['8/rate-stream-below']],
    [
      'of a completed job loses what it streamed',
      refused(completed(new TraceBuilder()), 4_000),
      ['4.4/chunks-not-lost'],
    ],
    [
      'loses nothing where all was delivered',
      refused(completed(new TraceBuilder()).call(50, 'stream', 'a', 200, [{ output: 1 }]), 4_000),
      [],
    ],
    [
      'is open for a job that failed',
      refused(
        new TraceBuilder().submitted(0, 'a', [{ stream: 1 }, { fail: 'x' }]).seen(10, 'a', 'FAILED'),
        4_000,
      ),
      [],
    ],
    [
      'is open for a second reader beside another',
      refused(
        running().call(3_000, 'stream', 'a', 200, [{ output: 1 }], { receivedMs: 5_000, ticks: [50, 90] }),
        4_000,
      ),
      [],
    ],
  ])('%s', (_, trace, broken) => {
    expect(failed(trace.judged(20_000))).toEqual(broken);
  });
});

describe('a /cancel that is always refused', () => {
  const refused = (trace: TraceBuilder, job: string, ms: number, status: JobStatus): TraceBuilder =>
    trace
      .submitted(ms, job, HANGS)
      .seen(ms + 10, job, status)
      .call(ms + 20, 'cancel', job, 400, { error: 'it does not apply' })
      .seen(ms + 30, job, status);
  const running = (): TraceBuilder =>
    ['a', 'b', 'c'].reduce(
      (trace, job, nth) => refused(trace, job, 1_000 * nth, 'IN_PROGRESS'),
      new TraceBuilder(),
    );

  it('is not missing where only running jobs were cancelled', () => {
    expect(failed(running().judged(20_000))).toEqual(['3/cancel-running']);
  });

  it('is missing where jobs in different states were', () => {
    expect(failed(refused(running(), 'd', 4_000, 'IN_QUEUE').judged(20_000))).toEqual(['4/operation-cancel']);
  });
});

describe('an operation whose calls are lost', () => {
  const lost = (calls: number, how: 'reset' | 'timeout'): TraceBuilder => {
    const trace = new TraceBuilder().submitted(0, 'a', STREAMS);
    for (let nth = 1; nth <= calls; nth += 1)
      trace.lost(nth * 1_000, 'stream', 'a', how).seen(nth * 1_000 + 500, 'a', 'IN_PROGRESS');
    return trace;
  };

  it.each([
    ['again and again, while others are answered', lost(12, 'reset'), ['4/operation-stream']],
    ['no more often than by chance', lost(11, 'reset'), []],
    ['but not always', lost(12, 'reset').call(19_000, 'stream', 'a', 200, [{ output: 1 }]), []],
    ['because they took too long', lost(12, 'timeout'), []],
  ])('%s', (_, trace, broken) => {
    expect(failed(trace.judged(20_000))).toEqual(broken);
  });

  it('is there where the target restarts, which loses many at once', () => {
    const trace = new TraceBuilder().submitted(0, 'a', STREAMS).seen(10, 'a', 'IN_PROGRESS');
    for (let ms = 1_000; ms < 1_012; ms += 1) trace.lost(ms, 'stream', 'a', 'reset');
    expect(failed(trace.seen(2_000, 'a', 'IN_PROGRESS').judged(20_000))).toEqual([]);
  });

  it('is there where nothing was answered any more', () => {
    const trace = new TraceBuilder().submitted(0, 'a', STREAMS).seen(10, 'a', 'IN_PROGRESS');
    for (let ms = 1_000; ms <= 12_000; ms += 1_000) trace.lost(ms, 'stream', 'a', 'reset');
    expect(failed(trace.judged(20_000))).toEqual([]);
  });
});

describe('a /stream that is lost while its job runs, though not afterwards', () => {
  const lost = (jobs: number, readLater = 1): TraceBuilder => {
    const trace = new TraceBuilder(9);
    for (let nth = 0; nth < jobs; nth += 1) {
      const [id, ms] = [`job-${nth}`, nth * 10_000];
      trace
        .submitted(ms, id, [{ stream: 1 }, { sleepMs: 5_000 }, { return: 2 }])
        .seen(ms + 10, id, 'IN_PROGRESS')
        .lost(ms + 2_000, 'stream', id, 'reset')
        .seen(ms + 5_500, id, 'COMPLETED', { output: 2, executionTime: 5_000 })
        .call(ms + 5_600, 'stream', id, 200, [{ output: 1 }]);
      for (let read = 1; read < readLater; read += 1) trace.call(ms + 5_600 + read, 'stream', id, 200, []);
    }
    return trace;
  };

  it('is not delivered while it runs, where that is so again and again', () => {
    expect(failed(lost(3, 120).judged(60_000))).toEqual(['4.4/chunks-while-running']);
    expect(failed(lost(20).judged(260_000))).toEqual(['4.4/chunks-while-running']);
  });

  it('may be lost by a network that loses as many of the reads afterwards', () => {
    // However many were answered: one disturbance of the network may take two.
    expect(failed(lost(2, 2_000).judged(60_000))).toEqual([]);
    expect(failed(lost(3).judged(60_000))).toEqual([]);
    expect(failed(lost(19).judged(260_000))).toEqual([]);
  });
});

describe('a /cancel of a running job that answers FAILED', () => {
  const answered = (id: string, trace = new TraceBuilder(3)): TraceBuilder =>
    trace
      .submitted(0, id, HANGS)
      .seen(10, id, 'IN_PROGRESS')
      .call(2_500, 'cancel', id, 200, { id, status: 'FAILED' });

  it.each([
    [
      'says so of a cancelled job',
      answered('a').seen(2_600, 'a', 'CANCELLED'),
      ['4.5/status-cancelled-running'],
    ],
    ['has made it fail', answered('a').seen(2_600, 'a', 'FAILED'), ['3/cancel-running']],
    [
      'says so where it said so before',
      answered('b', answered('a').seen(2_600, 'a', 'CANCELLED')),
      ['4.5/status-cancelled-running'],
    ],
  ])('%s', (_, trace, broken) => {
    expect(failed(trace.judged(20_000))).toEqual(broken);
  });
});
