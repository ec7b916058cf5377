import { scenario } from '../../src/scenario/index.js';
import { EXECUTION_TIMEOUT_MIN_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a job that waits longer than its executionTimeout still has the full time once it runs',
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  draw: (arb, limits) => ({
    // The reads around its start are so close that it could not have run for its full time in between.
    timeoutMs: arb.executionTimeout(limits, { minMs: EXECUTION_TIMEOUT_MIN_MS + 4 * limits.marginMs }),
    marginMs: arb.margin(limits),
  }),
  script: ({ timeoutMs, marginMs }, s) => [
    s.blocker('blocker'),
    s.awaitStarted('blocker'),
    s.run('job', { plan: [{ hang: true }], policy: { ...s.noTimeouts, executionTimeout: timeoutMs } }),
    s.status('job', { at: s.after('job', 'submitted', timeoutMs).minus(marginMs) }),
    s.status('job', { at: s.after('job', 'submitted', timeoutMs).plus(marginMs) }),
    s.cancel('blocker'),
    s.awaitStarted('job'),
    s.status('job', { at: s.after('job', 'started', timeoutMs).minus(marginMs) }),
    s.status('job', { at: s.after('job', 'started', timeoutMs).plus(marginMs) }),
  ],
});
