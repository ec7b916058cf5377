import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { RUNSYNC_RETENTION_MS, RUNSYNC_RETENTION_WITH_WAIT_MAX_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'how long a result is kept after a call with a wait of three minutes',
  needs: ['scripted-worker'],
  draw: (arb, limits) => {
    assertWithinLimits(limits, RUNSYNC_RETENTION_WITH_WAIT_MAX_MS + limits.marginMs);
    return { marginMs: arb.margin(limits) };
  },
  script: ({ marginMs }, s) => [
    s.runsync('job', { plan: s.works(500), wait: 180_000 }),
    [RUNSYNC_RETENTION_MS, 180_000, RUNSYNC_RETENTION_WITH_WAIT_MAX_MS].map((keptMs) => [
      s.status('job', { at: s.after('job', 'ended', keptMs).minus(marginMs) }),
      s.status('job', { at: s.after('job', 'ended', keptMs).plus(marginMs) }),
    ]),
  ],
});
