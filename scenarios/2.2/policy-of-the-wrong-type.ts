import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'fields of policy that are of the wrong type are refused',
  script: (_, s) =>
    (['run', 'runsync'] as const).flatMap((op) =>
      [
        ...(['ttl', 'executionTimeout'] as const).flatMap((field) =>
          ['soon', true, {}, [60_000], 60_000.5, '60000'].map((wrong) => ({ [field]: wrong })),
        ),
        { lowPriority: 'yes' },
        { lowPriority: 1 },
        { lowPriority: {} },
      ].map((policy, i) => s[op](`${op}-${i}`, { policy, illegal: `policy-${JSON.stringify(policy)}` })),
    ),
});
