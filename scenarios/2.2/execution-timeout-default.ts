import { fits, scenario } from '../../src/scenario/index.js';
import { EXECUTION_TIMEOUT_DEFAULT_MS, HOUR_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a job without executionTimeout may run ten minutes, and no longer',
  exercises: ['2.2/execution-timeout-default-enforced', '2.2/execution-timeout-default-not-early'],
  needs: ['scripted-worker'],
  draw: (arb, limits) => {
    fits(limits, EXECUTION_TIMEOUT_DEFAULT_MS + 2 * limits.marginMs);
    return {
      policy: arb.oneOf(undefined, { ttl: 2 * HOUR_MS }, { lowPriority: false }, {}),
      marginMs: arb.margin(limits),
    };
  },
  script: ({ policy, marginMs }, s) => [
    s.run('job', { plan: [{ hang: true }], ...(policy === undefined ? {} : { policy }) }),
    s.begins('job'),
    s.status('job', { at: s.after('job', 'started', EXECUTION_TIMEOUT_DEFAULT_MS).minus(marginMs) }),
    s.status('job', { at: s.after('job', 'started', EXECUTION_TIMEOUT_DEFAULT_MS).plus(marginMs) }),
  ],
});
