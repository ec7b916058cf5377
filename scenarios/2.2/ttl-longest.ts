import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { DAY_MS, TTL_MAX_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a job with the longest ttl exists for seven days',
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  draw: (arb, limits) => {
    assertWithinLimits(limits, TTL_MAX_MS + 2 * limits.marginMs);
    return { marginMs: arb.margin(limits) };
  },
  script: ({ marginMs }, s) => [
    s.run('blocker', { plan: s.works(DAY_MS), policy: s.noTimeouts }),
    s.awaitStarted('blocker'),
    s.run('job', { plan: [{ hang: true }], policy: s.noTimeouts }),
    s.status('job', { at: s.after('job', 'submitted', TTL_MAX_MS).minus(marginMs) }),
    s.status('job', { at: s.after('job', 'submitted', TTL_MAX_MS).plus(marginMs) }),
  ],
});
