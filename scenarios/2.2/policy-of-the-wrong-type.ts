import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'fields of policy that are of the wrong type are refused',
  exercises: [
    '2.2/execution-timeout-type-checked',
    '2.2/execution-timeout-integer',
    '2.2/low-priority-type-checked',
    '2.2/ttl-type-checked',
    '2.2/ttl-integer',
    '1/json-error-body-400',
    '1/json-error-content-type-400',
    '7/no-500-for-client-errors',
  ],
  draw: (arb) => ({
    field: arb.oneOf('ttl', 'executionTimeout'),
    op: arb.oneOf('run', 'runsync'),
  }),
  script: ({ field, op }, s) =>
    [
      { [field]: 'soon' },
      { [field]: true },
      { [field]: {} },
      { [field]: [60_000] },
      { [field]: 60_000.5 },
      { [field]: '60000' },
      { lowPriority: 'yes' },
      { lowPriority: 1 },
      { lowPriority: {} },
    ].map((policy, i) => s[op](`job-${i}`, { policy, illegal: `policy-${JSON.stringify(policy)}` })),
});
