import { scenario } from '../../src/scenario/index.js';
import { TTL_MIN_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'jobs deleted while waiting or running, and purged ones, cause no call',
  needs: ['scripted-worker', 'webhook-reachable', 'worker-count-known', 'dedicated'],
  exclusive: true,
  draw: (arb, limits) => ({ marginMs: arb.margin(limits) }),
  script: ({ marginMs }, s) => [
    s.run('running', {
      plan: s.works(TTL_MIN_MS + 2 * marginMs + 3_000),
      policy: { ttl: TTL_MIN_MS },
      webhook: [{ status: 200 }],
    }),
    s.awaitStarted('running'),
    s.run('purged', { plan: s.works(100), webhook: [{ status: 200 }] }),
    s.purge(),
    s.status('purged'),
    s.run('expired', { plan: s.works(100), policy: { ttl: TTL_MIN_MS }, webhook: [{ status: 200 }] }),
    s.blocker('next', { policy: s.noTimeouts }),
    s.status('running', { at: s.after('running', 'submitted', TTL_MIN_MS).plus(marginMs) }),
    s.status('expired', { at: s.after('expired', 'submitted', TTL_MIN_MS).plus(marginMs) }),
    s.cancel('next'),
    // As long as the work would have taken if it had begun at the deletion.
    s.pause(s.wait(TTL_MIN_MS + 4 * marginMs + 12_000)),
  ],
});
