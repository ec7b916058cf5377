import { scenario } from '../../src/scenario/index.js';
import { HOUR_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a job whose handler would have finished just after the ttl never completes',
  onlyWith: { '4.8/completed-counts-nothing-else': { needs: ['worker-count-known'] } },
  needs: ['scripted-worker', 'dedicated'],
  exclusive: true,
  draw: (arb, limits) => ({
    ttlMs: arb.ttl(limits, { maxMs: HOUR_MS }),
    lateMs: arb.duration(2 * limits.marginMs + 500, 2 * limits.marginMs + 5_000),
    marginMs: arb.margin(limits),
  }),
  script: ({ ttlMs, lateMs, marginMs }, s) => [
    s.health(),
    s.run('job', { plan: s.works(ttlMs + lateMs), policy: { ...s.noTimeouts, ttl: ttlMs } }),
    s.awaitStarted('job'),
    s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(marginMs) }),
    s.status('job', { at: s.after('job', 'started', ttlMs + lateMs).plus(marginMs) }),
    s.health(),
  ],
});
