import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'jobs that expired or were cancelled in the queue do not delay the jobs behind them',
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  exclusive: true,
  draw: (arb, limits) => ({ ttlMs: arb.ttl(limits), marginMs: arb.margin(limits) }),
  script: ({ ttlMs, marginMs }, s) => [
    s.blocker('blocker'),
    s.awaitStarted('blocker'),
    s.run('expired', { plan: s.works(100), policy: { ...s.noTimeouts, ttl: ttlMs } }),
    s.run('cancelled', { plan: s.works(100), policy: s.noTimeouts }),
    s.run('behind', { plan: s.works(300), policy: s.noTimeouts }),
    s.cancel('cancelled'),
    s.status('expired', { at: s.after('expired', 'submitted', ttlMs).plus(marginMs) }),
    // Nothing is submitted from here on: freed workers must take the next job without a further call.
    s.cancel('blocker'),
    s.await('behind', s.ended, { withinMs: 90_000, everyMs: 1_000 }),
    s.health({ at: s.wait(marginMs) }),
  ],
});
