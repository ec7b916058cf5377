import fc from 'fast-check';
import { scenario } from '../../src/scenario/index.js';
import { EXECUTION_TIMEOUT_DEFAULT_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a job retried a second time still has its input and its executionTimeout',
  needs: ['scripted-worker'],
  draw: (_, { graceMs }) => ({ limitMs: fc.constant(5_000 + graceMs) }),
  script: ({ limitMs }, s, limits) => [
    s.run('job', {
      plan: [{ fail: 'at first' }],
      planOnRetry: [{ hang: true }],
      policy: { executionTimeout: limitMs },
    }),
    s.await('job'),
    [1, 2].map(() => [
      s.retry('job'),
      s.awaitStarted('job'),
      s.await('job', s.ended, { withinMs: limitMs + 20_000, everyMs: 500 }),
    ]),
    // Where a retry has lost the policy, the default holds.
    limits.maxWaitMs > EXECUTION_TIMEOUT_DEFAULT_MS + 60_000
      ? s.await('job', s.ended, { withinMs: EXECUTION_TIMEOUT_DEFAULT_MS + 60_000 })
      : [],
  ],
});
