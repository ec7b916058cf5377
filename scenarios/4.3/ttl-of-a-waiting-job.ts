import { scenario } from '../../src/scenario/index.js';
import { DAY_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a ttl given to /status deletes a job that still waits',
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  exclusive: true,
  draw: (arb, limits) => ({ ttlMs: arb.ttl(limits, { maxMs: DAY_MS }), marginMs: arb.margin(limits) }),
  script: ({ ttlMs, marginMs }, s) => [
    s.blocker('blocker'),
    s.awaitStarted('blocker'),
    s.run('job', { plan: s.works(100), policy: s.noTimeouts }),
    s.status('job', { ttl: ttlMs }),
    s.status('job', { at: s.after('job', 'submitted', ttlMs).minus(marginMs) }),
    s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(2 * marginMs + 500) }),
    s.health(),
    s.cancel('blocker'),
    s.status('job', { at: s.wait(1_000) }),
  ],
});
