import { fits, scenario } from '../../src/scenario/index.js';
import { DAY_MS, EXECUTION_TIMEOUT_MAX_MS, HOUR_MS, TTL_MAX_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a ttl above seven days never takes effect as given',
  exercises: ['2.2/ttl-max-enforced'],
  needs: ['scripted-worker'],
  draw: (arb, limits) => {
    fits(limits, TTL_MAX_MS + 2 * limits.marginMs + 1);
    return {
      aboveMs: arb.oneOf(
        TTL_MAX_MS + 1 * HOUR_MS,
        TTL_MAX_MS + 12 * HOUR_MS,
        30 * DAY_MS,
        Number.MAX_SAFE_INTEGER,
      ),
      marginMs: arb.margin(limits),
    };
  },
  script: ({ aboveMs, marginMs }, s) => [
    s.run('job', {
      plan: [{ hang: true }],
      policy: { executionTimeout: EXECUTION_TIMEOUT_MAX_MS, ttl: aboveMs },
      illegal: 'ttl-above-maximum',
    }),
    s.status('job'),
    s.status('job', { at: s.after('job', 'submitted', TTL_MAX_MS).plus(marginMs) }),
    s.cancel('job'),
  ],
});
