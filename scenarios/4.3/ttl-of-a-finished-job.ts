import { scenario } from '../../src/scenario/index.js';
import { MINUTE_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a ttl given to /status deletes a result before its retention ends',
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({
    ttlMs: arb.ttl(limits, { maxMs: 20 * MINUTE_MS }),
    marginMs: arb.margin(limits),
  }),
  script: ({ ttlMs, marginMs }, s) => [
    s.run('job', { plan: [{ return: 1 }] }),
    s.await('job'),
    s.status('job', { ttl: ttlMs }),
    // It has the default of the document, not what was given last.
    s.run('later', { plan: [{ return: 2 }] }),
    s.status('job', { at: s.after('job', 'submitted', ttlMs).minus(marginMs) }),
    s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(2 * marginMs + 1_000) }),
    s.status('later', { at: s.after('later', 'submitted', ttlMs).plus(marginMs) }),
  ],
});
