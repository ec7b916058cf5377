import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'the ids of jobs that are gone are not reused for later jobs',
  draw: (arb, limits) => ({ ttlMs: arb.ttl(limits), marginMs: arb.margin(limits) }),
  script: ({ ttlMs, marginMs }, s) => [
    s.run('first', { policy: { ttl: ttlMs } }),
    s.run('second', { policy: { ttl: ttlMs } }),
    s.status('first', { at: s.after('second', 'submitted', ttlMs).plus(marginMs) }),
    s.status('second'),
    s.run('third', { policy: { ttl: ttlMs } }),
    s.run('fourth', { policy: { ttl: ttlMs } }),
    s.status('third'),
  ],
});
