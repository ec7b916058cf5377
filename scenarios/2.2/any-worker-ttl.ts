import { scenario } from '../../src/scenario/index.js';
import { MINUTE_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'with any worker, the job with the short ttl is gone for every operation, the other is not',
  draw: (arb, limits) => ({
    ttlMs: arb.ttl(limits, { maxMs: 10 * MINUTE_MS }),
    marginMs: arb.margin(limits),
  }),
  script: ({ ttlMs, marginMs }, s) =>
    (['run', 'runsync'] as const).map((op) =>
      s.lane(
        op,
        s.run(`other ${op}`),
        s[op](op, { policy: { ttl: ttlMs } }),
        s.await(op, s.ended, { withinMs: Math.floor(ttlMs / 2), everyMs: 1_000 }),
        s.status(op, { at: s.after(op, 'submitted', ttlMs).minus(marginMs) }),
        s.status(op, { at: s.after(op, 'submitted', ttlMs).plus(marginMs) }),
        s.stream(op),
        s.cancel(op),
        s.retry(op),
        s.status(op, { at: s.wait(2_000) }),
        s.status(`other ${op}`),
      ),
    ),
});
