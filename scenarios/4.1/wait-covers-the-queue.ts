import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'wait includes the time in the queue',
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  draw: (arb, limits) => ({ waitMs: arb.duration(2_000, Math.min(60_000, limits.maxWaitMs)) }),
  script: ({ waitMs }, s) => [
    s.blocker('blocker'),
    s.awaitStarted('blocker'),
    s.lane('caller', s.runsync('job', { plan: s.works(waitMs), wait: waitMs })),
    s.cancel('blocker', { at: s.after('job', 'submitted', Math.floor(waitMs / 2)).plus(0) }),
    s.await('job', s.ended, { withinMs: 2 * waitMs + 60_000, everyMs: 500 }),
  ],
});
