/** Ids that do not tell which job is meant: given to two jobs, or changed by a retry. */
import { describe, expect, test } from 'vitest';
import { failed, TraceBuilder, verdictOf } from '../support/trace-builder.js';

const hang = [{ hang: true }];

describe('an id that was given to two jobs', () => {
  const trace = new TraceBuilder(2)
    .submitted(0, 'a', [{ return: 1 }], { ttl: 10_000 })
    .seen(500, 'a', 'COMPLETED', { output: 1 })
    .seen(11_000, 'a', 'GONE')
    .submitted(12_000, 'a', hang)
    .seen(12_500, 'a', 'IN_PROGRESS')
    .call(13_000, 'health', null, 200, {
      jobs: { completed: 1, failed: 0, inProgress: 1, inQueue: 0, retried: 0 },
      workers: { idle: 1, running: 1 },
    });

  test('is all that is wrong: what was told by it is of one or the other', () => {
    const findings = trace.judged(14_000);
    expect(failed(findings)).toEqual(['2.4/id-unique']);
    expect(verdictOf(findings, '2.2/ttl-removes-completed')).not.toBe('pass');
  });
});

describe('a /retry that is answered with another id', () => {
  test('is all that is wrong: what becomes of the old one is open', () => {
    const trace = new TraceBuilder(1)
      .submitted(0, 'a', [{ fail: 'x' }])
      .seen(500, 'a', 'FAILED')
      .call(1_000, 'retry', 'a', 200, { id: 'b', status: 'IN_QUEUE' })
      .seen(1_100, 'a', 'GONE')
      .seen(1_200, 'a', 'GONE');
    const findings = trace.judged(14_000);
    expect(failed(findings)).toEqual(['2.4/id-matches-retry']);
    expect(verdictOf(findings, '3/handler-error-fails-run')).toBe('pass');
    expect(verdictOf(findings, '3/retry-requeues-failed')).not.toBe('pass');
  });
});
