import { fits, scenario } from '../../src/scenario/index.js';
import { RUNSYNC_RETENTION_MS } from '../../src/spec/limits.js';

export default scenario({
  title: 'that a result expires is told to nobody: its webhook was called when the job completed',
  exercises: ['6/stops-after-200', '6/at-most-three-attempts', '4.1/retention-gone'],
  needs: ['scripted-worker', 'webhook-reachable'],
  draw: (arb, limits) => {
    fits(limits, RUNSYNC_RETENTION_MS + 2 * limits.marginMs + 3_000);
    return { marginMs: arb.margin(limits) };
  },
  script: ({ marginMs }, s) => [
    s.runsync('job', { plan: s.works(100), webhook: [{ status: 200 }] }),
    s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_MS).plus(marginMs) }),
    s.pause(s.wait(3_000)),
  ],
});
