import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'the answer of /runsync shows that executionTimeout has stopped the job',
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({
    timeoutMs: arb.executionTimeout(limits, { maxMs: 40_000 }),
    marginMs: arb.margin(limits),
  }),
  script: ({ timeoutMs, marginMs }, s) => [
    s.runsync('job', {
      plan: [{ hang: true }],
      policy: { ...s.noTimeouts, executionTimeout: timeoutMs },
      // Waits beyond the end, but not so long that the record is gone.
      wait: timeoutMs + 10_000 + 3 * marginMs,
    }),
    s.status('job'),
    s.status('job', { at: s.wait(2_000) }),
  ],
});
