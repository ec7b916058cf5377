import { scenario } from '../../src/scenario/index.js';
import { TTL_MAX_MS, TTL_MIN_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a job that waited before it ran has only the rest of its ttl left',
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  draw: (arb, limits) => ({
    ttlMs: arb.ttl(limits, {
      maxMs: Math.max(TTL_MIN_MS, Math.min(TTL_MAX_MS, Math.floor(limits.maxWaitMs / 1.6))),
    }),
    marginMs: arb.margin(limits),
  }),
  script: ({ ttlMs, marginMs }, s) => [
    s.blocker('blocker'),
    s.awaitStarted('blocker'),
    s.run('job', { plan: s.works(ttlMs), policy: { ...s.noTimeouts, ttl: ttlMs } }),
    s.status('job', { at: s.after('job', 'submitted', Math.floor(ttlMs / 2)).minus(0) }),
    s.cancel('blocker'),
    s.awaitStarted('job'),
    s.status('job', { at: s.after('job', 'submitted', ttlMs).minus(marginMs) }),
    s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(marginMs) }),
    s.status('job', { at: s.after('job', 'started', ttlMs).plus(marginMs) }),
  ],
});
