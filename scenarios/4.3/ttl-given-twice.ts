import { scenario } from '../../src/scenario/index.js';
import { TTL_MIN_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a ttl given to /status holds until another one is given, while the job waits and while it runs',
  needs: ['scripted-worker', 'worker-count-known'],
  workers: 1,
  exclusive: true,
  draw: (arb, limits) => {
    const firstMs = TTL_MIN_MS + 2 * limits.marginMs;
    return {
      firstMs: arb.just(firstMs),
      longerMs: arb.duration(firstMs + 8_000 + 4 * limits.marginMs, firstMs + 12_000 + 4 * limits.marginMs),
      marginMs: arb.margin(limits),
    };
  },
  script: ({ firstMs, longerMs, marginMs }, s) => [
    ['longer', 'shorter', 'waits longer', 'waits shorter'].map((job) => [
      s.run(job, { plan: [{ hang: true }], policy: s.noTimeouts }),
    ]),
    s.awaitStarted('longer'),
    ['longer', 'waits longer'].map((job) => [
      s.status(job, { ttl: firstMs }),
      s.status(job, { ttl: longerMs }),
    ]),
    ['shorter', 'waits shorter'].map((job) => [
      s.status(job, { ttl: longerMs }),
      s.status(job, { ttl: firstMs }),
    ]),
    s.status(['longer', 'waits longer', 'shorter', 'waits shorter'], {
      at: s.after('waits shorter', 'submitted', firstMs).plus(2 * marginMs + 2_000),
    }),
    s.status(['longer', 'waits longer'], {
      at: s.after('waits shorter', 'submitted', longerMs).plus(2 * marginMs + 2_000),
    }),
  ],
});
