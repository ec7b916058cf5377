import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { RUNSYNC_RETENTION_MS, RUNSYNC_RETENTION_WITH_WAIT_MAX_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'how long a result is kept if the job took longer than its call waited',
  needs: ['scripted-worker'],
  draw: (arb, limits) => {
    assertWithinLimits(limits, RUNSYNC_RETENTION_WITH_WAIT_MAX_MS + limits.marginMs);
    return { marginMs: arb.margin(limits), waitMs: arb.sleep(limits, 100_000, 140_000) };
  },
  script: ({ marginMs, waitMs }, s) => [
    s.runsync('job', { plan: s.works(6_000), wait: 1_000 }),
    s.await('job', s.ended, { everyMs: 500 }),
    s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_MS).minus(marginMs) }),
    s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_WITH_WAIT_MAX_MS).plus(marginMs + 1) }),
    // Longer than a minute, so that it shows whether the result is kept as long as the call could wait.
    s.runsync('long', { plan: s.works(waitMs + 5_000), wait: waitMs }),
    s.await('long', s.ended, { everyMs: 500 }),
    s.status('long', { at: s.after('long', 'ended', waitMs).minus(marginMs) }),
    s.status('long', { at: s.after('long', 'ended', waitMs).plus(marginMs + 1) }),
  ],
});
