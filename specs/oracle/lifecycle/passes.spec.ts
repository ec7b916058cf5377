/** Where a pass is counted, and where it would be too easy. */
import { describe, expect, test } from 'vitest';
import { TraceBuilder, verdictOf } from '../support/trace-builder.js';

const work = [{ sleepMs: 300 }, { return: { ok: 1 } }];
const RETENTION_MS = 1_800_000;
const done = { output: { ok: 1 }, delayTime: 0, executionTime: 300 };

describe('a job that is not found', () => {
  const read = (ttl?: number): TraceBuilder =>
    new TraceBuilder(1)
      .submitted(0, 'a', work)
      .seen(1_000, 'a', 'COMPLETED', done)
      .call(
        RETENTION_MS + 1_000,
        'status',
        'a',
        404,
        { error: 'no such job' },
        ttl === undefined ? {} : { query: { ttl: String(ttl) } },
      );
  const gone = (trace: TraceBuilder): unknown =>
    verdictOf(trace.judged(RETENTION_MS + 2_000), '4.2/retention-gone');

  test('shows that its retention is over', () => {
    expect(gone(read())).toBe('pass');
    expect(gone(read(86_400_000))).toBe('pass');
    // More than the maximum: the service may take the default instead, which is not over yet.
    expect(gone(read(10 * 86_400_000))).toBe('pass');
  });

  test('shows nothing where the ttl that the read sets may have removed it', () => {
    expect(gone(read(600_000))).not.toBe('pass');
  });

  test('shows it where an earlier read did not find it either', () => {
    const trace = read().call(
      RETENTION_MS + 1_500,
      'status',
      'a',
      404,
      { error: 'no' },
      {
        query: { ttl: '600000' },
      },
    );
    expect(gone(trace)).toBe('pass');
  });
});

test('a job that was never seen running shows by its result that a worker took it', () => {
  const trace = new TraceBuilder(1).submitted(0, 'a', work).seen(1_000, 'a', 'COMPLETED', done);
  expect(verdictOf(trace.judged(2_000), '1/free-worker-takes-job')).toBe('pass');
});
