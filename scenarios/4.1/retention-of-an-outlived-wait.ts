import { assertWithinLimits, scenario } from '../../src/scenario/index.js';
import { RUNSYNC_RETENTION_MS, RUNSYNC_RETENTION_WITH_WAIT_MAX_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'how long a result is kept if the job took longer than its call waited',
  exercises: ['4.1/wait-leaves-job-alive', '4.1/wait-answers-when-elapsed'],
  needs: ['scripted-worker'],
  draw: (arb, limits) => {
    assertWithinLimits(limits, RUNSYNC_RETENTION_WITH_WAIT_MAX_MS + limits.marginMs);
    return { marginMs: arb.margin(limits) };
  },
  script: ({ marginMs }, s) => [
    s.runsync('job', { plan: s.works(6_000), wait: 1_000 }),
    s.await('job', s.ended, { withinMs: 60_000, everyMs: 500 }),
    s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_MS).minus(marginMs) }),
    s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_WITH_WAIT_MAX_MS).plus(marginMs + 1) }),
  ],
});
