import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a job submitted after a long idle time is taken and processed',
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  draw: (arb, limits) => {
    assertWithinLimits(limits, 30 * MINUTE_MS);
    return { idleMs: arb.just(Math.min(limits.maxWaitMs - MINUTE_MS, DAY_MS + HOUR_MS)) };
  },
  script: ({ idleMs }, s) => [
    s.run('before', { plan: s.works(100) }),
    s.await('before'),
    s.run('after', { plan: s.works(100), at: s.wait(idleMs) }),
    s.await('after', s.ended, { withinMs: 120_000, everyMs: 500 }),
  ],
});
