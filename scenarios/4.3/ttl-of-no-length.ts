import { scenario } from '../../src/scenario/index.js';
import { TTL_MIN_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'how /status treats a ttl of 0 and a negative one',
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({
    marginMs: arb.margin(limits),
    ttlMs: arb.integer(-TTL_MIN_MS, -1),
  }),
  script: ({ marginMs, ttlMs }, s) => [
    s.blocker('runs'),
    s.awaitStarted('runs'),
    s.blocker('waits'),
    s.status('waits'),
    s.status('runs', { ttl: 0 }),
    s.status('waits', { ttl: ttlMs }),
    s.raw('GET', '/status/no-such-job', 'unknown-job'),
    s.status('runs', { at: s.wait(Math.min(marginMs, TTL_MIN_MS / 4)) }),
    s.status('waits'),
    s.status('waits', { at: s.after('waits', 'submitted', TTL_MIN_MS).plus(marginMs + 500) }),
    s.status('runs'),
    s.cancel('runs'),
    s.cancel('waits'),
  ],
});
