/** An endpoint with so many jobs that each is checked only once: what the others show of a job stays the same. */
import { describe, expect, it } from 'vitest';
import { TraceBuilder, verdictOf } from './support/trace-builder.js';

/** A job fails, is retried and completes, beside others that wait. */
function verdict(others: number, id: string): string | undefined {
  const input = { plan: [{ fail: 'on purpose' }], planOnRetry: [{ return: 1 }] };
  const trace = new TraceBuilder(1)
    .call(0, 'run', null, 200, { id: 'a', status: 'IN_QUEUE' }, { body: { input } })
    .seen(100, 'a', 'FAILED');
  for (let count = 0; count < others; count += 1) trace.submitted(150, `other-${count}`, [{ return: 1 }]);
  trace
    .call(200, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' })
    .seen(300, 'a', 'COMPLETED', { output: 1 });
  return verdictOf(trace.judged(1_000), id);
}

describe('a retried job among many', () => {
  it.each([1, 1_001])('is known to have been requeued beside %i others', (others) => {
    expect(verdict(others, '4.6/status-in-queue')).toBe('pass');
  });
});
