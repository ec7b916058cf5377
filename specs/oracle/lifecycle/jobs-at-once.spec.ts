/** How many jobs run at once: of a retried job, the run after its last /retry counts. */
import { describe, expect, it } from 'vitest';
import { TraceBuilder } from '../support/trace-builder.js';

const ID = '1/no-more-jobs-in-progress-than-workers';

/** A job runs, and so does another one that failed and was retried; `lost` /retry calls got no answer. */
function verdict(workers: number, lost: number): string | undefined {
  const input = { plan: [{ fail: 'on purpose' }], planOnRetry: [{ hang: true }] };
  const trace = new TraceBuilder(workers)
    .call(0, 'run', null, 200, { id: 'a', status: 'IN_QUEUE' }, { body: { input } })
    .seen(100, 'a', 'FAILED')
    .submitted(200, 'b', [{ hang: true }])
    .seen(300, 'b', 'IN_PROGRESS');
  for (let count = 0; count < lost; count += 1) trace.call(350, 'retry', 'a', null, null);
  trace
    .call(400, 'retry', 'a', 200, { id: 'a', status: 'IN_QUEUE' })
    .seen(500, 'a', 'IN_PROGRESS')
    .seen(600, 'b', 'IN_PROGRESS')
    .seen(700, 'a', 'IN_PROGRESS');
  return trace.judged(1_000).requirements.find(({ id }) => id === ID)?.verdict;
}

describe('a retried job that runs', () => {
  it('is one too many where another job has the only worker', () => {
    expect(verdict(1, 0)).toBe('fail');
    expect(verdict(2, 0)).not.toBe('fail');
  });

  // It may take effect at any time, so the job may have waited between two reads that show it running.
  it('says nothing where a /retry got no answer', () => {
    expect(verdict(1, 1)).not.toBe('fail');
  });
});
