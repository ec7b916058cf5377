import { scenario } from '../../src/scenario/index.js';
import { MINUTE_MS, RUN_RETENTION_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a retry does not give a failed job a new ttl',
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({
    ttlMs: arb.ttl(limits, {
      maxMs: Math.min(RUN_RETENTION_MS - MINUTE_MS, Math.floor(limits.maxWaitMs / 1.6)),
    }),
    marginMs: arb.margin(limits),
  }),
  script: ({ ttlMs, marginMs }, s) => [
    s.run('job', {
      plan: [{ fail: 'once' }],
      planOnRetry: [{ hang: true }],
      policy: { ...s.noTimeouts, ttl: ttlMs },
    }),
    s.await('job'),
    s.retry('job', { at: s.after('job', 'submitted', Math.floor(ttlMs / 2)).plus(0) }),
    s.awaitStarted('job'),
    s.status('job', { at: s.after('job', 'submitted', ttlMs).minus(marginMs) }),
    s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(marginMs) }),
    s.status('job', { at: s.after('job', 'retried', ttlMs).plus(marginMs) }),
  ],
});
