import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a job that waits behind another is deleted when its ttl expires, and never runs',
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  exclusive: true,
  draw: (arb, limits) => ({ ttlMs: arb.ttl(limits), marginMs: arb.margin(limits) }),
  script: ({ ttlMs, marginMs }, s) => [
    s.blocker('blocker'),
    s.awaitStarted('blocker'),
    s.run('job', { plan: s.works(100), policy: { ...s.noTimeouts, ttl: ttlMs } }),
    s.status('job', { at: s.after('job', 'submitted', ttlMs).minus(marginMs) }),
    s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(marginMs) }),
    s.health({ at: s.wait(marginMs) }),
    s.purge(),
    s.cancel('blocker'),
    s.status('job', { at: s.wait(1_000) }),
    s.health({ at: s.wait(marginMs) }),
  ],
});
