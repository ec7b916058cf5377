import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { MINUTE_MS, RUN_RETENTION_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'the result of a retried job is kept from its second completion on',
  onlyWith: { '4.6/retried-job-runs': { needs: ['worker-count-known'] } },
  needs: ['scripted-worker'],
  draw: (arb, limits) => {
    assertWithinLimits(limits, RUN_RETENTION_MS + limits.marginMs);
    return {
      marginMs: arb.margin(limits),
      laterMs: arb.duration(1_000, 25 * MINUTE_MS),
      workMs: arb.duration(500, 9 * MINUTE_MS),
    };
  },
  script: ({ marginMs, laterMs, workMs }, s) => [
    s.run('job', { plan: [{ fail: 'once' }], planOnRetry: s.works(workMs) }),
    s.await('job'),
    s.retry('job', { at: s.wait(laterMs) }),
    s.awaitStarted('job'),
    s.awaitEnded('job', workMs, marginMs),
    s.status('job', { at: s.after('job', 'ended', RUN_RETENTION_MS).minus(marginMs) }),
    s.status('job', { at: s.after('job', 'ended', RUN_RETENTION_MS).plus(marginMs) }),
  ],
});
