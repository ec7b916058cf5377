/** Two servers behind a balancer that do not share their jobs: the warning says so before anything else is concluded. */
import { expect, test } from 'vitest';
import { TraceBuilder } from './support/trace-builder.js';

const warned = (jobs: number, code: number): boolean => {
  const trace = new TraceBuilder(null, { clock: 'real', graceMs: 2_000, capabilities: [] }, false);
  for (let nth = 0; nth < jobs; nth += 1) {
    const id = `job-${nth}`;
    trace.submitted(nth, id, [{ hang: true }]).seen(100 + nth, id, 'IN_QUEUE');
    trace.call(
      200 + nth,
      'status',
      id,
      code,
      code === 404 ? { error: 'unknown' } : { id, status: 'IN_QUEUE' },
    );
    trace.seen(300 + nth, id, 'IN_PROGRESS');
  }
  return trace.judged(1_000).warnings.some((text) => text.includes('several servers answer'));
};

test('three jobs that were gone, and were there again', () => {
  expect(warned(3, 404)).toBe(true);
});

test('two such jobs, and jobs that were always there, say nothing', () => {
  expect(warned(2, 404)).toBe(false);
  expect(warned(9, 200)).toBe(false);
});
