import { scenario } from '../../src/scenario/index.js';
import { DAY_MS, TTL_MIN_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a ttl given to /status in time keeps a job beyond the ttl of its submission',
  needs: ['scripted-worker'],
  draw: (arb, limits) => {
    const shortMs = TTL_MIN_MS + 1_000;
    return {
      shortMs: arb.just(shortMs),
      ttlMs: arb.ttl(limits, { minMs: shortMs + 2 * limits.marginMs + 1_000, maxMs: 2 * DAY_MS }),
      marginMs: arb.margin(limits),
    };
  },
  script: ({ shortMs, ttlMs, marginMs }, s, limits) => [
    s.run('job', { plan: [{ hang: true }], policy: { ...s.noTimeouts, ttl: shortMs } }),
    s.awaitStarted('job'),
    s.status('job', { ttl: ttlMs }),
    s.status('job', { at: s.after('job', 'submitted', shortMs).plus(limits.marginMs) }),
    s.status('job', { at: s.after('job', 'submitted', ttlMs).minus(limits.marginMs) }),
    s.status('job', { at: s.after('job', 'submitted', ttlMs).plus(marginMs + 2_000) }),
  ],
});
