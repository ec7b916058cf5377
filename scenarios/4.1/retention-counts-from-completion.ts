import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { RUNSYNC_RETENTION_MS, WAIT_DEFAULT_MS } from '../../src/spec/limits.js';
import { looksTwice, RETENTION_GONE } from '../retention-looks.js';

export default scenario({
  title: 'the minute of retention begins when the job completes, however long it waited and ran',
  onlyWith: { '4.1/retention-gone': RETENTION_GONE },
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  draw: (arb, limits) => {
    assertWithinLimits(limits, RUNSYNC_RETENTION_MS + limits.marginMs);
    return {
      queueMs: arb.remainingBudget(limits, RUNSYNC_RETENTION_MS + 5_000, 3_000, 40_000),
      workMs: arb.remainingBudget(limits, RUNSYNC_RETENTION_MS + 5_000, 3_000, 40_000),
      marginMs: arb.margin(limits),
    };
  },
  script: ({ queueMs, workMs, marginMs }, s, limits) => [
    s.blocker('blocker'),
    s.awaitStarted('blocker'),
    s.lane('caller', s.runsync('job', { plan: s.works(workMs) })),
    s.cancel('blocker', { at: s.after('job', 'submitted', queueMs).plus(0) }),
    s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_MS).minus(marginMs) }),
    s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_MS).justBefore(marginMs) }),
    s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_MS).plus(marginMs) }),
    looksTwice(limits)
      ? s.status('job', { at: s.after('job', 'ended', WAIT_DEFAULT_MS).plus(marginMs) })
      : [],
  ],
});
