import { scenario } from '../../src/scenario/index.js';
import { TTL_MIN_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'jobs that a ttl given to /status has deleted occupy neither a worker nor a place in the queue',
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  exclusive: true,
  draw: (arb, limits) => ({ marginMs: arb.margin(limits) }),
  script: ({ marginMs }, s) => [
    s.run('runs', { plan: [{ hang: true }], policy: s.noTimeouts }),
    s.awaitStarted('runs'),
    s.run('waits', { plan: [{ hang: true }], policy: s.noTimeouts }),
    s.run('behind', { plan: s.works(200), policy: s.noTimeouts }),
    s.status('waits', { ttl: TTL_MIN_MS }),
    s.status('runs', { ttl: TTL_MIN_MS + 100 }),
    s.status('waits', { at: s.wait(TTL_MIN_MS + marginMs) }),
    s.status('runs', { at: s.wait(100) }),
    s.health({ at: s.wait(marginMs) }),
    s.await('behind', s.ended, { withinMs: 100_000, everyMs: 500 }),
  ],
});
