import { scenario } from '../../src/scenario/index.js';
import { RUNSYNC_RETENTION_MS, WAIT_MAX_MS } from '../../src/spec/limits.js';

export default scenario({
  title:
    'a call is answered when its wait has passed although its job is still running; the job continues and completes',
  needs: ['scripted-worker'],
  draw: (arb, limits) => ({
    waitMs: arb.remainingBudget(limits, RUNSYNC_RETENTION_MS + 6_000, 1_000, WAIT_MAX_MS),
    longerMs: arb.duration(limits.marginMs + 1_500, limits.marginMs + 4_000),
    marginMs: arb.margin(limits),
  }),
  script: ({ waitMs, longerMs, marginMs }, s) => [
    s.runsync('job', { plan: s.works(waitMs + longerMs, { late: true }), wait: waitMs }),
    s.status('job'),
    // Counts may be as old as answers may be late: only now do they tell of the time after the wait.
    s.health({ at: s.sinceStart(waitMs + longerMs - 750) }),
    s.await('job', s.ended, { withinMs: longerMs + 30_000, everyMs: 500 }),
    s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_MS).minus(marginMs) }),
    s.status('job', { at: s.after('job', 'ended', RUNSYNC_RETENTION_MS).justBefore(marginMs) }),
  ],
});
