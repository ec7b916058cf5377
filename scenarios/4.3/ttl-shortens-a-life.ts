import { scenario } from '../../src/scenario/index.js';
import { DAY_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a ttl given to /status deletes a job that its policy would keep for days',
  needs: ['scripted-worker', 'worker-count-known'],
  workers: 2,
  draw: (arb, limits) => ({
    ttlMs: arb.ttl(limits, { maxMs: Math.min(DAY_MS, limits.maxWaitMs - 10_000) }),
    laterMs: arb.integer(0, 5_000),
    marginMs: arb.margin(limits),
  }),
  script: ({ ttlMs, laterMs, marginMs }, s) => [
    s.blocker('other'),
    s.blocker('job'),
    s.awaitStarted('job'),
    s.status('job', { ttl: ttlMs, at: s.after('job', 'submitted', laterMs).plus(0) }),
    s.status('job', { at: s.after('job', 'submitted', ttlMs).minus(marginMs) }),
    s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(marginMs) }),
    s.status('job', { at: s.after('job', 'submitted', laterMs + ttlMs).plus(2 * marginMs + 500) }),
    s.status('other'),
    s.cancel('other'),
  ],
});
