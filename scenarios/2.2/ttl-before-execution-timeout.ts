import { scenario } from '../../src/scenario/index.js';
import { DAY_MS, MINUTE_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a ttl shorter than the executionTimeout still deletes the job',
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({
    ttlMs: arb.ttl(limits, { maxMs: DAY_MS }),
    restMs: arb.duration(2 * limits.marginMs + 2_000, MINUTE_MS),
    marginMs: arb.margin(limits),
  }),
  script: ({ ttlMs, restMs, marginMs }, s) => [
    s.run('job', { plan: [{ hang: true }], policy: { ttl: ttlMs, executionTimeout: ttlMs + restMs } }),
    s.awaitStarted('job'),
    s.status('job', { at: s.after('job', 'submitted', ttlMs).minus(marginMs) }),
    s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(marginMs) }),
    s.status('job', { at: s.after('job', 'started', ttlMs + restMs).plus(marginMs) }),
  ],
});
