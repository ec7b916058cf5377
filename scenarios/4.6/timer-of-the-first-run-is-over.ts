import { fits, scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'the executionTimeout of the run that failed does not end the run after it',
  exercises: ['2.2/execution-timeout-not-early', '4.6/retried-job-runs', '4.6/keeps-policy'],
  needs: ['scripted-worker'],
  draw: (arb, limits) => {
    const timeoutMs = 20 * limits.marginMs;
    fits(limits, 2 * timeoutMs);
    return {
      timeoutMs: arb.oneOf(timeoutMs),
      restMs: arb.duration(8 * limits.marginMs, 10 * limits.marginMs),
    };
  },
  script: ({ timeoutMs, restMs }, s) => [
    s.run('job', {
      plan: [{ sleepMs: 200 }, { fail: 'at first' }],
      // Ends well before its own time is over, and well after the first run's would have been.
      planOnRetry: [{ sleepMs: Math.floor((timeoutMs * 3) / 4) }, { return: 'second' }],
      policy: { ...s.far, executionTimeout: timeoutMs },
    }),
    s.await('job', ['FAILED'], { withinMs: 30_000, everyMs: 250 }),
    s.retry('job', { at: s.wait(restMs) }),
    s.begins('job'),
    s.await('job', s.ended, {
      withinMs: timeoutMs + 30_000,
      everyMs: Math.max(500, Math.floor(timeoutMs / 20)),
    }),
  ],
});
