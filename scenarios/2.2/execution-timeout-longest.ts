import { fits, scenario } from '../../src/scenario/index.js';
import { EXECUTION_TIMEOUT_MAX_MS, HOUR_MS, TTL_MAX_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a job with an executionTimeout above the longest never runs longer than seven days',
  exercises: ['2.2/execution-timeout-max-enforced', '2.2/execution-timeout-max-accepted'],
  needs: ['scripted-worker'],
  draw: (arb, limits) => {
    fits(limits, EXECUTION_TIMEOUT_MAX_MS + 2 * limits.marginMs);
    return {
      aboveMs: arb.oneOf(
        EXECUTION_TIMEOUT_MAX_MS + 1_000,
        EXECUTION_TIMEOUT_MAX_MS + 12 * HOUR_MS,
        Number.MAX_SAFE_INTEGER,
      ),
      marginMs: arb.margin(limits),
    };
  },
  script: ({ aboveMs, marginMs }, s) => [
    s.run('longest', { plan: s.works(100), policy: { executionTimeout: EXECUTION_TIMEOUT_MAX_MS } }),
    s.run('above', {
      plan: [{ hang: true }],
      policy: { ttl: TTL_MAX_MS, executionTimeout: aboveMs },
      illegal: 'execution-timeout-above-maximum',
    }),
    s.begins('above'),
    s.status('above', { at: s.after('above', 'started', EXECUTION_TIMEOUT_MAX_MS).plus(marginMs) }),
  ],
});
