import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { DAY_MS, HOUR_MS, TTL_MAX_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'which ttl applies where /status accepts one above seven days',
  needs: ['scripted-worker', 'worker-count-known', 'test-control'],
  // It hangs, and no other timer of the job comes near.
  workers: 0,
  exclusive: true,
  draw: (arb, limits) => {
    assertWithinLimits(limits, TTL_MAX_MS + 2 * limits.marginMs + 1);
    return { marginMs: arb.margin(limits) };
  },
  script: ({ marginMs }, s) => [
    s.run('job', { plan: [{ hang: true }], policy: { ttl: 2 * DAY_MS } }),
    s.status('job', { ttl: TTL_MAX_MS + HOUR_MS }),
    s.status('job', { at: s.after('job', 'submitted', 2 * DAY_MS).plus(2 * marginMs + 1_000) }),
    s.raw('GET', '/status/no-such-job', 'unknown-job'),
    s.status('job', { at: s.after('job', 'submitted', TTL_MAX_MS).plus(2 * marginMs + 1_000) }),
    s.cancel('job'),
  ],
});
