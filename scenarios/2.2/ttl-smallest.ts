import { scenario } from '../../src/scenario/index.js';
import { TTL_MIN_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'the smallest ttl is accepted, and one below it never takes effect as given',
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({ marginMs: arb.margin(limits) }),
  script: ({ marginMs }, s) => {
    const below = [-10_000, -1, 0, 1, 5_000, 6_000, 9_999];
    return [
      s.run('least', { plan: s.works(100), policy: { ttl: TTL_MIN_MS } }),
      below.map((ttl) =>
        s.run(`${ttl}`, { plan: s.works(200), policy: { ttl }, illegal: 'ttl-below-minimum' }),
      ),
      below.map((ttl) => s.status(`${ttl}`)),
      below.map((ttl) =>
        s.lane(
          `${ttl}`,
          s.status(`${ttl}`, {
            at: s.after(`${ttl}`, 'submitted', Math.max(ttl, 0)).plus(Math.min(marginMs, 2_000)),
          }),
          s.status(`${ttl}`, { at: s.after(`${ttl}`, 'submitted', TTL_MIN_MS).minus(marginMs) }),
        ),
      ),
    ];
  },
});
