import { scenario } from '../../src/scenario/index.js';
import { TTL_MIN_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'the smallest ttl is accepted, and one below it never takes effect as given',
  exercises: ['2.2/ttl-min-accepted', '2.2/ttl-min-enforced'],
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({
    belowMs: arb.oneOf(9_999, 6_000, 5_000, 1, 0, -1, -10_000),
    marginMs: arb.margin(limits),
  }),
  script: ({ belowMs, marginMs }, s) => [
    s.run('least', { plan: s.works(100), policy: { ttl: TTL_MIN_MS } }),
    s.run('below', { plan: s.works(200), policy: { ttl: belowMs }, illegal: 'ttl-below-minimum' }),
    s.status('below'),
    s.status('below', {
      at: s.after('below', 'submitted', Math.max(belowMs, 0)).plus(Math.min(marginMs, 2_000)),
    }),
    s.status('below', { at: s.after('below', 'submitted', TTL_MIN_MS).minus(marginMs) }),
  ],
});
