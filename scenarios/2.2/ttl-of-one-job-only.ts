import { scenario } from '../../src/scenario/index.js';
import { MINUTE_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'the short ttl of one job does not affect other jobs, whether waiting, running or finished',
  needs: ['scripted-worker', 'worker-count-known'],
  workers: 3,
  exclusive: true,
  draw: (arb, limits) => ({
    ttlMs: arb.ttl(limits, { maxMs: 20 * MINUTE_MS }),
    marginMs: arb.margin(limits),
  }),
  script: ({ ttlMs, marginMs }, s) => [
    s.run('done', { plan: s.works(100), policy: s.noTimeouts }),
    s.await('done'),
    s.blocker('before'),
    s.run('short', { plan: [{ hang: true }], policy: { ...s.noTimeouts, ttl: ttlMs } }),
    s.blocker('after'),
    s.awaitStarted('short'),
    s.awaitStarted('after'),
    s.status('short', { at: s.after('short', 'submitted', ttlMs).plus(marginMs) }),
    s.status('before'),
    s.status('after'),
    s.status('done'),
    s.cancel('before'),
    s.cancel('after'),
  ],
});
