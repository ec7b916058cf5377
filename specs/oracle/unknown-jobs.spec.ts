/** What is said of a job whose life has more explanations than are followed. */
import { expect, test } from 'vitest';
import { TraceBuilder } from './support/trace-builder.js';

test('a job with too many explanations is named, with the command that shows its calls', () => {
  // Each order of these calls is one.
  const trace = new TraceBuilder(null, { clock: 'real', graceMs: 1_000, earlyMs: 20 }, false);
  for (const id of ['a', 'b']) {
    trace.submitted(0, id, [{ sleepMs: 100 }, { fail: 'x' }], {
      ttl: 604_800_000,
      executionTimeout: 604_800_000,
    });
    for (let nth = 0; nth < 12; nth += 1) {
      const over = { receivedMs: 40_000 + nth };
      trace.call(1_000 + nth, 'retry', id, 200, { id, status: 'IN_QUEUE' }, over);
      for (const status of ['IN_PROGRESS', 'FAILED', 'IN_QUEUE'])
        trace.call(1_000 + nth, 'status', id, 200, { id, status }, over);
    }
    trace.seen(50_000, id, 'FAILED');
  }
  expect(trace.judged(60_000).warnings).toContain(
    'too many ways to explain one job (2 times), first job a ("show REPORT job:a")',
  );
});
