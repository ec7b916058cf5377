import { scenario } from '../../src/scenario/index.js';
import { MINUTE_MS, RUN_RETENTION_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a failed job is deleted at its ttl',
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({
    ttlMs: arb.ttl(limits, { maxMs: RUN_RETENTION_MS - MINUTE_MS }),
    marginMs: arb.margin(limits),
  }),
  script: ({ ttlMs, marginMs }, s) => [
    s.run('job', { plan: [{ sleepMs: 500 }, { fail: 'on purpose' }], policy: { ttl: ttlMs } }),
    s.awaitStarted('job'),
    s.awaitEnded('job', 500, marginMs),
    s.run('twice', { plan: [{ fail: 'on purpose' }], policy: { ttl: ttlMs } }),
    s.await('twice'),
    s.retry('twice'),
    s.await('twice'),
    s.status('job', { at: s.after('job', 'submitted', ttlMs).minus(marginMs) }),
    s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(marginMs) }),
    s.status('job', { at: s.wait(3_000) }),
    // Later than a ttl counted from the retry, too.
    s.status('twice', { at: s.after('twice', 'retried', ttlMs).plus(marginMs) }),
  ],
});
