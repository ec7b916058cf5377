import fc from 'fast-check';
import { scenario } from '../../src/scenario/index.js';
import { EXECUTION_TIMEOUT_DEFAULT_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'the run after a retry has an executionTimeout: the full time or what the first run left of it',
  needs: ['scripted-worker'],
  draw: (_, { graceMs }) => ({ limitMs: fc.constant(7_000 + 2 * graceMs) }),
  script: ({ limitMs }, s, limits) => [
    s.run('job', {
      plan: [{ sleepMs: limitMs - 3_000 }, { fail: 'on purpose' }],
      planOnRetry: [{ hang: true }],
      policy: { executionTimeout: limitMs },
    }),
    s.awaitStarted('job'),
    s.await('job', s.ended, { withinMs: limitMs + 10_000, everyMs: 250 }),
    s.retry('job'),
    s.awaitStarted('job'),
    s.await('job', s.ended, { withinMs: limitMs + 20_000, everyMs: 250 }),
    // Where the retry has lost the policy, the default holds.
    limits.maxWaitMs > EXECUTION_TIMEOUT_DEFAULT_MS + 60_000
      ? s.await('job', s.ended, { withinMs: EXECUTION_TIMEOUT_DEFAULT_MS + 60_000 })
      : [],
  ],
});
