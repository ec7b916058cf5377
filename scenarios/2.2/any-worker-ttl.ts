import { scenario } from '../../src/scenario/index.js';
import { MINUTE_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'with any worker at all, the job with the short ttl is gone for every operation, the other is not',
  exercises: [
    '2.2/ttl-removes-completed',
    '2.2/ttl-not-early-completed',
    '2.2/ttl-this-job-only',
    '2.2/ttl-not-restarted-by-completion',
    '2.2/ttl-stays-gone',
    '2.2/ttl-removes-runsync',
    '7/ttl-expired-status',
    '7/ttl-expired-stream',
    '7/ttl-expired-cancel',
    '7/ttl-expired-retry',
    '4.6/expired-by-ttl-not-retried',
  ],
  draw: (arb, limits) => ({
    ttlMs: arb.ttl(limits, { maxMs: 10 * MINUTE_MS }),
    marginMs: arb.margin(limits),
    op: arb.oneOf('run', 'runsync'),
  }),
  script: ({ ttlMs, marginMs, op }, s) => [
    s.run('other'),
    s[op]('job', { policy: { ttl: ttlMs } }),
    s.await('job', s.ended, { withinMs: Math.floor(ttlMs / 2), everyMs: 1_000 }),
    s.status('job', { at: s.after('job', 'submitted', ttlMs).minus(marginMs) }),
    s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(marginMs) }),
    s.stream('job'),
    s.cancel('job'),
    s.retry('job'),
    s.status('job', { at: s.wait(2_000) }),
    s.status('other'),
  ],
});
