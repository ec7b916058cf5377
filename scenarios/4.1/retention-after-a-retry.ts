import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { RUNSYNC_RETENTION_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'the result of a retried /runsync job is kept for a minute from its second completion on',
  needs: ['scripted-worker'],
  draw: (arb, limits) => {
    assertWithinLimits(limits, RUNSYNC_RETENTION_MS + limits.marginMs);
    return {
      laterMs: arb.remainingBudget(limits, RUNSYNC_RETENTION_MS + 5_000, 1_000, 40_000),
      workMs: arb.remainingBudget(limits, RUNSYNC_RETENTION_MS + 5_000, 500, 80_000),
      marginMs: arb.margin(limits),
    };
  },
  script: ({ laterMs, workMs, marginMs }, s) => [
    s.runsync('job', { plan: [{ fail: 'once' }], planOnRetry: s.works(workMs, 'second run') }),
    s.retry('job', { at: s.wait(laterMs) }),
    s.awaitStarted('job'),
    s.awaitEnded('job', workMs, marginMs),
    s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_MS).minus(marginMs) }),
    s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_MS).plus(marginMs) }),
  ],
});
