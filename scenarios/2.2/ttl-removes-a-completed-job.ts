import { scenario } from '../../src/scenario/index.js';
import { MINUTE_MS, RUN_RETENTION_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a completed job is deleted at its ttl although its result would be kept longer',
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({
    ttlMs: arb.ttl(limits, { maxMs: RUN_RETENTION_MS - MINUTE_MS }),
    // So long that a ttl counted from the job's end would not have expired at the last read.
    workMs: arb.duration(2 * limits.marginMs + 500, 2 * limits.marginMs + 2_000),
    marginMs: arb.margin(limits),
  }),
  script: ({ ttlMs, workMs, marginMs }, s) => [
    s.run('job', { plan: s.works(workMs), policy: { ttl: ttlMs } }),
    s.awaitStarted('job'),
    s.awaitEnded('job', workMs, marginMs),
    s.stream('job'),
    s.status('job', { at: s.after('job', 'submitted', ttlMs).minus(marginMs) }),
    // Calls that only read: none of them lets it live longer.
    s.stream('job'),
    s.health(),
    s.requests(),
    s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(marginMs) }),
    s.stream('job'),
  ],
});
