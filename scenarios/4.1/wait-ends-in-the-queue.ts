import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a call is answered when its wait has passed although no worker ever took its job',
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  draw: (arb, limits) => ({ waitMs: arb.duration(1_000, Math.min(60_000, limits.maxWaitMs)) }),
  script: ({ waitMs }, s) => [
    s.blocker('blocker'),
    s.awaitStarted('blocker'),
    s.runsync('job', { plan: s.works(100), wait: waitMs }),
    s.status('job'),
    s.cancel('blocker'),
    s.await('job'),
  ],
});
