import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { MINUTE_MS, RUN_RETENTION_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a retried job of /run still exists half an hour after its first failure',
  onlyWith: { '4.6/retried-job-runs': { needs: ['worker-count-known'] } },
  needs: ['scripted-worker'],
  draw: (arb, limits) => {
    assertWithinLimits(limits, RUN_RETENTION_MS + MINUTE_MS);
    // So late that the default `executionTimeout` has not passed at the read: a retry may lose the policy.
    return { laterMs: arb.duration(22 * MINUTE_MS, 25 * MINUTE_MS), marginMs: arb.margin(limits) };
  },
  script: ({ laterMs, marginMs }, s) => [
    s.run('job', {
      plan: [{ fail: 'once' }],
      planOnRetry: s.works(RUN_RETENTION_MS + MINUTE_MS),
      policy: s.noTimeouts,
    }),
    s.await('job'),
    s.retry('job', { at: s.wait(laterMs) }),
    s.awaitStarted('job'),
    s.status('job', { at: s.after('job', 'submitted', RUN_RETENTION_MS).plus(marginMs + 1_000) }),
    s.awaitEnded('job', RUN_RETENTION_MS + MINUTE_MS, marginMs),
  ],
});
