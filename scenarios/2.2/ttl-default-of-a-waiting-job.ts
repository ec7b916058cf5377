import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { TTL_DEFAULT_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a waiting job without ttl exists for 24 hours and no longer',
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  draw: (arb, limits) => {
    assertWithinLimits(limits, TTL_DEFAULT_MS + 2 * limits.marginMs);
    return { marginMs: arb.margin(limits) };
  },
  script: ({ marginMs }, s) => [
    s.blocker('blocker'),
    s.awaitStarted('blocker'),
    s.run('job', { plan: s.works(100) }),
    s.status('job', { at: s.after('job', 'submitted', TTL_DEFAULT_MS).minus(marginMs) }),
    s.status('job', { at: s.after('job', 'submitted', TTL_DEFAULT_MS).plus(marginMs) }),
    s.cancel('blocker'),
  ],
});
