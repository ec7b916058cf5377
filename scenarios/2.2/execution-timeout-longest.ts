import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { DAY_MS, EXECUTION_TIMEOUT_MAX_MS, HOUR_MS, TTL_MAX_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a job with an executionTimeout above the longest never runs longer than seven days',
  needs: ['scripted-worker', 'worker-count-known'],
  workers: 6,
  draw: (arb, limits) => {
    assertWithinLimits(limits, EXECUTION_TIMEOUT_MAX_MS + 2 * limits.marginMs);
    return { marginMs: arb.margin(limits) };
  },
  script: ({ marginMs }, s) => {
    const above = [
      EXECUTION_TIMEOUT_MAX_MS + 1,
      EXECUTION_TIMEOUT_MAX_MS + 1_000,
      EXECUTION_TIMEOUT_MAX_MS + 12 * HOUR_MS,
      Number.MAX_SAFE_INTEGER,
    ];
    const longest = { at: s.after('begun', 'started', EXECUTION_TIMEOUT_MAX_MS).plus(2 * marginMs) };
    return [
      s.run('longest', { plan: s.works(100), policy: { executionTimeout: EXECUTION_TIMEOUT_MAX_MS } }),
      above.map((executionTimeout) =>
        s.run(`${executionTimeout}`, {
          plan: [{ hang: true }],
          policy: { ttl: TTL_MAX_MS, executionTimeout },
          illegal: 'execution-timeout-above-maximum',
        }),
      ),
      s.blocker('begun'),
      s.awaitStarted('begun'),
      above.map((executionTimeout) => s.status(`${executionTimeout}`)),
      // Where a `ttl` of `/status` counts from its call, it outlives the longest executionTimeout.
      above.map((executionTimeout) =>
        s.status(`${executionTimeout}`, { at: s.after('begun', 'started', DAY_MS).plus(0), ttl: TTL_MAX_MS }),
      ),
      above.map((executionTimeout) => s.status(`${executionTimeout}`, longest)),
      [...above, 'begun'].map((job) => s.cancel(`${job}`)),
    ];
  },
});
