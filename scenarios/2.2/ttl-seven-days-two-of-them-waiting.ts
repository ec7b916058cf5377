import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { DAY_MS, EXECUTION_TIMEOUT_MAX_MS, TTL_MAX_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'seven days of ttl, two of them in the queue, leave five to run',
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  exclusive: true,
  draw: (arb, limits) => {
    assertWithinLimits(limits, TTL_MAX_MS + 2 * limits.marginMs);
    return { marginMs: arb.margin(limits) };
  },
  script: ({ marginMs }, s) => [
    s.blocker('blocker'),
    s.awaitStarted('blocker'),
    s.run('job', {
      plan: [{ hang: true }],
      policy: { ttl: TTL_MAX_MS, executionTimeout: EXECUTION_TIMEOUT_MAX_MS },
    }),
    s.status('job', { at: s.after('job', 'submitted', 2 * DAY_MS).plus(0) }),
    s.cancel('blocker'),
    s.awaitStarted('job'),
    s.status('job'),
    s.status('job', { at: s.after('job', 'started', 4 * DAY_MS).plus(0) }),
    s.status('job', { at: s.after('job', 'submitted', TTL_MAX_MS).minus(marginMs) }),
    s.status('job', { at: s.after('job', 'submitted', TTL_MAX_MS).plus(marginMs) }),
  ],
});
