import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import {
  EXECUTION_TIMEOUT_DEFAULT_MS,
  EXECUTION_TIMEOUT_MAX_MS,
  HOUR_MS,
  TTL_DEFAULT_MS,
  TTL_MAX_MS,
} from '../../src/spec/limits.js';

export default scenario({
  title: 'which value applies where a policy value above the maximum is accepted',
  needs: ['scripted-worker', 'worker-count-known'],
  workers: 2,
  draw: (arb, limits) => {
    assertWithinLimits(limits, TTL_MAX_MS + 2 * limits.marginMs + 1);
    return { marginMs: arb.margin(limits) };
  },
  script: ({ marginMs }, s) => [
    s.run('long run', {
      plan: [{ hang: true }],
      policy: { ttl: TTL_MAX_MS, executionTimeout: EXECUTION_TIMEOUT_MAX_MS + HOUR_MS },
      illegal: 'policy-out-of-range',
    }),
    s.run('long life', {
      plan: [{ hang: true }],
      policy: { ...s.noTimeouts, ttl: TTL_MAX_MS + HOUR_MS },
      illegal: 'policy-out-of-range',
    }),
    s.awaitStarted('long run'),
    s.status('long run', { at: s.after('long run', 'started', EXECUTION_TIMEOUT_DEFAULT_MS).plus(marginMs) }),
    s.status('long life', { at: s.after('long life', 'submitted', TTL_DEFAULT_MS).plus(marginMs) }),
    s.status('long life', { at: s.after('long life', 'submitted', TTL_MAX_MS).plus(marginMs) }),
  ],
});
