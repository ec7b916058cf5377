import { scenario } from '../../src/scenario/index.js';
import { MINUTE_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'the executionTimeout of the submission applies to the second run as it did to the first',
  onlyWith: { '2.2/execution-timeout-not-early': { needs: ['worker-count-known'] } },
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({
    timeoutMs: arb.executionTimeout(limits, { maxMs: 9 * MINUTE_MS }),
    marginMs: arb.margin(limits),
  }),
  script: ({ timeoutMs, marginMs }, s) => [
    s.run('job', {
      plan: [{ fail: 'once' }],
      planOnRetry: [{ hang: true }],
      policy: { ...s.noTimeouts, executionTimeout: timeoutMs },
    }),
    s.await('job'),
    s.retry('job', { at: s.wait(1_000) }),
    s.awaitStarted('job'),
    s.status('job', { at: s.after('job', 'started', timeoutMs).minus(marginMs) }),
    s.status('job', { at: s.after('job', 'started', timeoutMs).plus(marginMs) }),
  ],
});
