import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title:
    'a job that ends just within its executionTimeout completes, and keeps its state when the time is over',
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({
    timeoutMs: arb.executionTimeout(limits, { minMs: Math.max(5_000, 4 * limits.marginMs) }),
    marginMs: arb.margin(limits),
  }),
  script: ({ timeoutMs, marginMs }, s) => {
    const workMs = timeoutMs - Math.min(marginMs, Math.floor(timeoutMs / 4));
    return [
      s.run('job', { plan: s.works(workMs), policy: { ...s.noTimeouts, executionTimeout: timeoutMs } }),
      s.awaitStarted('job'),
      s.awaitEnded('job', workMs, marginMs),
      s.status('job', { at: s.after('job', 'started', timeoutMs).plus(marginMs) }),
    ];
  },
});
