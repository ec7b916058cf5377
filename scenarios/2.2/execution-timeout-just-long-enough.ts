import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title:
    'a job that ends just within its executionTimeout completes, and keeps its state when the time is over',
  exercises: [
    '2.2/execution-timeout-not-early',
    '2.2/execution-timeout-not-after-end',
    '3/completed-stays',
    '2.2/execution-timeout-min-accepted',
  ],
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({
    timeoutMs: arb.executionTimeout(limits, { minMs: Math.max(5_000, 3 * limits.marginMs) }),
    marginMs: arb.margin(limits),
  }),
  script: ({ timeoutMs, marginMs }, s) => {
    const workMs = Math.max(0, timeoutMs - 2 * marginMs);
    return [
      s.run('job', { plan: s.works(workMs), policy: { ...s.far, executionTimeout: timeoutMs } }),
      s.begins('job'),
      s.ends('job', workMs, marginMs),
      s.status('job', { at: s.after('job', 'started', timeoutMs).plus(marginMs) }),
    ];
  },
});
