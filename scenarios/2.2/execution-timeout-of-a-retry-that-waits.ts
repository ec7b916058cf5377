import fc from 'fast-check';
import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a retried job that waits for a worker has its executionTimeout from its start, not from the retry',
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  draw: (_, { graceMs }) => ({ limitMs: fc.constant(9_000 + 2 * graceMs) }),
  script: ({ limitMs }, s, { marginMs }) => [
    s.run('job', {
      plan: [{ fail: 'at first' }],
      planOnRetry: s.works(limitMs - 3_000),
      policy: { executionTimeout: limitMs },
    }),
    s.await('job'),
    s.blocker('blocker'),
    s.awaitStarted('blocker'),
    s.retry('job'),
    s.status('job', { at: s.after('job', 'retried', limitMs).plus(marginMs) }),
    s.cancel('blocker'),
    s.awaitStarted('job'),
    s.await('job', s.ended, { withinMs: limitMs + 20_000, everyMs: 500 }),
  ],
});
