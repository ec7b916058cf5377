import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'executionTimeout stops a /runsync job whose call was answered long before',
  needs: ['scripted-worker', 'worker-count-known'],
  draw: (arb, limits) => ({
    timeoutMs: arb.executionTimeout(limits, { minMs: 20_000 }),
    marginMs: arb.margin(limits),
  }),
  script: ({ timeoutMs, marginMs }, s) => [
    s.runsync('job', {
      plan: [{ hang: true }],
      policy: { ...s.noTimeouts, executionTimeout: timeoutMs },
      wait: 1_000,
    }),
    s.awaitStarted('job'),
    s.status('job', {
      at: s.after('job', 'submitted', timeoutMs).minus(marginMs),
    }),
    s.await('job', s.timedOut, {
      withinMs: 2 * marginMs + 10_000,
      everyMs: 500,
      at: s.after('job', 'started', timeoutMs).plus(marginMs),
    }),
    s.retry('job'),
    s.awaitStarted('job'),
    s.cancel('job'),
  ],
});
