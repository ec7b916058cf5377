import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { EXECUTION_TIMEOUT_DEFAULT_MS, HOUR_MS, MINUTE_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a job with a long executionTimeout runs beyond the ten minutes of the default and completes',
  needs: ['scripted-worker'],
  draw: (arb, limits) => {
    assertWithinLimits(limits, EXECUTION_TIMEOUT_DEFAULT_MS + MINUTE_MS);
    return {
      workMs: arb.duration(
        EXECUTION_TIMEOUT_DEFAULT_MS + 5 * limits.marginMs,
        Math.min(limits.maxWaitMs, 20 * HOUR_MS),
      ),
      marginMs: arb.margin(limits),
    };
  },
  script: ({ workMs, marginMs }, s) => [
    s.run('job', { plan: s.works(workMs), policy: { executionTimeout: workMs + HOUR_MS } }),
    s.awaitStarted('job'),
    s.status('job', { at: s.after('job', 'started', EXECUTION_TIMEOUT_DEFAULT_MS).plus(marginMs) }),
    s.awaitEnded('job', workMs, marginMs),
  ],
});
