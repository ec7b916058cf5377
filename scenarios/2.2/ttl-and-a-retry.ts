import { scenario } from '../../src/scenario/index.js';
import { TTL_MIN_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'the ttl of a retried job goes on from its submission',
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({ marginMs: arb.margin(limits) }),
  script: ({ marginMs }, s, limits) => {
    const laterMs = 1_000 + 3 * limits.marginMs;
    const ttlMs = TTL_MIN_MS + 2 * limits.marginMs;
    return [
      s.run('job', {
        plan: [{ fail: 'on purpose' }],
        planOnRetry: [{ hang: true }],
        policy: { ...s.noTimeouts, ttl: ttlMs },
      }),
      s.await('job', s.ended, { withinMs: 10_000, everyMs: 250 }),
      s.retry('job', { at: s.after('job', 'submitted', laterMs).plus(0) }),
      s.awaitStarted('job'),
      s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(marginMs + 1) }),
      s.status('job', { at: s.after('job', 'retried', ttlMs).plus(marginMs + 1) }),
    ];
  },
});
