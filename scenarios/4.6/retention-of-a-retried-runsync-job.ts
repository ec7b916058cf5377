import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { RUNSYNC_RETENTION_MS, WAIT_DEFAULT_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'how long the result of a retried /runsync job is kept',
  needs: ['scripted-worker'],
  draw: (arb, limits) => {
    assertWithinLimits(limits, WAIT_DEFAULT_MS + limits.marginMs);
    return { marginMs: arb.margin(limits) };
  },
  script: ({ marginMs }, s) => [
    s.runsync('job', { plan: [{ fail: 'on purpose' }], planOnRetry: s.works(500) }),
    s.retry('job'),
    s.await('job'),
    s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_MS).minus(marginMs) }),
    s.status('job', { at: s.after('job', 'ended', WAIT_DEFAULT_MS).plus(marginMs + 1) }),
  ],
});
