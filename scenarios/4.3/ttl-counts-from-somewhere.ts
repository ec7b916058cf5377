import { scenario } from '../../src/scenario/index.js';
import { TTL_MIN_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a ttl given to /status counts from the submission or from the call',
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({ marginMs: arb.margin(limits) }),
  script: ({ marginMs }, s, limits) => {
    const laterMs = 1_000 + 3 * limits.marginMs;
    const ttlMs = TTL_MIN_MS + 2 * limits.marginMs;
    return [
      s.blocker('job'),
      s.awaitStarted('job'),
      s.status('job', { ttl: ttlMs, at: s.after('job', 'submitted', laterMs).plus(0) }),
      // A read after the earlier end and before the later one, and, if the job still exists, another one
      // after the later.
      s.await('job', 'GONE', {
        at: s.after('job', 'submitted', ttlMs).plus(marginMs + 1),
        everyMs: laterMs,
        withinMs: laterMs,
      }),
    ];
  },
});
