import { scenario } from '../../src/scenario/index.js';
import { TTL_MIN_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a job deleted by its ttl or timed out is no longer counted as waiting or running',
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  workers: 2,
  exclusive: true,
  draw: (arb, limits) => ({ marginMs: arb.margin(limits) }),
  script: ({ marginMs }, s) => [
    s.health(),
    s.run('short', { plan: [{ hang: true }], policy: { ...s.noTimeouts, ttl: TTL_MIN_MS } }),
    s.run('slow', { plan: [{ hang: true }], policy: { ...s.noTimeouts, executionTimeout: 5_000 } }),
    s.awaitStarted('short'),
    s.awaitStarted('slow'),
    s.health({ at: s.wait(marginMs) }),
    s.health({ at: s.after('slow', 'started', 5_000).plus(2 * marginMs) }),
    s.health({ at: s.after('short', 'submitted', TTL_MIN_MS).plus(2 * marginMs) }),
  ],
});
