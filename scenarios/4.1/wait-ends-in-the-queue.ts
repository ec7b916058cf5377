import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a call is answered when its wait has passed although no worker ever took its job',
  exercises: [
    '4.1/wait-answers-when-elapsed',
    '4.1/wait-not-early',
    '4.1/wait-covers-queue-time',
    '3/submission-starts-in-queue',
  ],
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  draw: (arb, limits) => ({ waitMs: arb.duration(1_000, Math.min(60_000, limits.maxWaitMs)) }),
  script: ({ waitMs }, s) => [
    s.blocker('blocker'),
    s.awaitStarted('blocker'),
    s.runsync('job', { plan: s.works(100), wait: waitMs }),
    s.status('job'),
    s.cancel('blocker'),
    s.await('job', s.ended, { withinMs: 60_000, everyMs: 250 }),
  ],
});
