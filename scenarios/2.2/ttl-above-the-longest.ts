import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { DAY_MS, EXECUTION_TIMEOUT_MAX_MS, HOUR_MS, TTL_MAX_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a ttl above seven days never takes effect as given',
  needs: ['scripted-worker'],
  draw: (arb, limits) => {
    assertWithinLimits(limits, TTL_MAX_MS + 2 * limits.marginMs + 1);
    return { marginMs: arb.margin(limits) };
  },
  script: ({ marginMs }, s) => {
    const above = [
      TTL_MAX_MS + 1,
      TTL_MAX_MS + 1 * HOUR_MS,
      TTL_MAX_MS + 12 * HOUR_MS,
      30 * DAY_MS,
      Number.MAX_SAFE_INTEGER,
    ];
    return [
      above.map((ttl) =>
        s.run(`${ttl}`, {
          plan: [{ hang: true }],
          policy: { executionTimeout: EXECUTION_TIMEOUT_MAX_MS, ttl },
          illegal: 'ttl-above-maximum',
        }),
      ),
      above.map((ttl) => s.status(`${ttl}`)),
      above.map((ttl) =>
        s.status(`${ttl}`, { at: s.after(`${ttl}`, 'submitted', TTL_MAX_MS).plus(marginMs) }),
      ),
      above.map((ttl) => s.cancel(`${ttl}`)),
    ];
  },
});
