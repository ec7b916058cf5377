import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { RUNSYNC_RETENTION_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'a short wait does not make the result disappear within its minute',
  needs: ['scripted-worker'],
  draw: (arb, limits) => {
    assertWithinLimits(limits, RUNSYNC_RETENTION_MS);
    return { waitMs: arb.integer(1_000, 5_000), marginMs: arb.margin(limits) };
  },
  script: ({ waitMs, marginMs }, s) => [
    s.runsync('job', { plan: s.works(300), wait: waitMs }),
    s.status('job', { at: s.wait(waitMs) }),
    s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_MS).minus(marginMs) }),
  ],
});
