import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { EXECUTION_TIMEOUT_MAX_MS, TTL_DEFAULT_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a long executionTimeout alone does not keep a job beyond 24 hours',
  needs: ['scripted-worker'],
  draw: (arb, limits) => {
    assertWithinLimits(limits, TTL_DEFAULT_MS + 2 * limits.marginMs);
    return { marginMs: arb.margin(limits) };
  },
  workers: 2,
  script: ({ marginMs }, s) => [
    s.runsync('called', {
      plan: [{ hang: true }],
      policy: { executionTimeout: EXECUTION_TIMEOUT_MAX_MS },
      wait: 1_000,
    }),
    s.run('job', { plan: [{ hang: true }], policy: { executionTimeout: EXECUTION_TIMEOUT_MAX_MS } }),
    s.awaitStarted('job'),
    s.awaitStarted('called'),
    ['called', 'job'].map((job) =>
      s.status(job, { at: s.after(job, 'submitted', TTL_DEFAULT_MS).minus(marginMs) }),
    ),
    ['called', 'job'].map((job) =>
      s.status(job, { at: s.after(job, 'submitted', TTL_DEFAULT_MS).plus(marginMs) }),
    ),
  ],
});
