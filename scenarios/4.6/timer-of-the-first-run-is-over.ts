import { scenario } from '../../src/scenario/index.js';
import { EXECUTION_TIMEOUT_MIN_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'the executionTimeout of the run that failed does not end the run after it',
  onlyWith: { '4.6/retried-job-runs': { needs: ['worker-count-known'] } },
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({
    timeoutMs: arb.oneOf(EXECUTION_TIMEOUT_MIN_MS + 3 * limits.marginMs),
    restMs: arb.duration(2 * limits.marginMs + 500, 2 * limits.marginMs + 1_500),
  }),
  script: ({ timeoutMs, restMs }, s, limits) => [
    s.run('job', {
      plan: [{ sleepMs: 200 }, { fail: 'at first' }],
      // Ends before its own timeout and after that of the first run would have passed, each by more than the
      // allowed lateness.
      planOnRetry: [{ sleepMs: timeoutMs - limits.marginMs - 500 }, { return: 'second' }],
      policy: { ...s.noTimeouts, executionTimeout: timeoutMs },
    }),
    s.await('job', ['FAILED'], { withinMs: 30_000, everyMs: 250 }),
    s.retry('job', { at: s.wait(restMs) }),
    s.awaitStarted('job'),
    s.await('job', s.ended, {
      withinMs: timeoutMs + 30_000,
      everyMs: Math.max(500, Math.floor(timeoutMs / 20)),
    }),
  ],
});
