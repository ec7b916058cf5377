import { scenario } from '../../src/scenario/index.js';
import { MINUTE_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'with any worker, a job is gone when its ttl has expired',
  draw: (arb, limits) => ({
    ttlMs: arb.ttl(limits, { maxMs: 10 * MINUTE_MS }),
    marginMs: arb.margin(limits),
  }),
  script: ({ ttlMs, marginMs }, s) => [
    s.run('job', { policy: { ttl: ttlMs } }),
    s.status('job', { at: s.after('job', 'submitted', ttlMs).minus(marginMs) }),
    s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(marginMs) }),
  ],
});
