import { scenario } from '../../src/scenario/index.js';
import {
  EXECUTION_TIMEOUT_MAX_MS,
  EXECUTION_TIMEOUT_MIN_MS,
  TTL_MAX_MS,
  TTL_MIN_MS,
} from '../../src/spec/limits.js';

export default scenario({
  title: 'every field of policy is accepted alone and together with the others, within its range',
  draw: (arb, limits) => ({ any: arb.policy(limits) }),
  script: ({ any }, s) =>
    (['run', 'runsync'] as const).map((op) =>
      [
        any,
        {},
        { ttl: TTL_MIN_MS },
        { ttl: TTL_MAX_MS },
        { executionTimeout: EXECUTION_TIMEOUT_MIN_MS },
        { executionTimeout: EXECUTION_TIMEOUT_MAX_MS },
        { lowPriority: true },
        { lowPriority: false },
        { ...s.noTimeouts, lowPriority: true },
      ].map((policy, i) => s[op](`${op}-${i}`, { policy })),
    ),
});
