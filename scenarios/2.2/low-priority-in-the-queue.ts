import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'jobs with and without lowPriority leave the queue in some order',
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  script: (_, s) => [
    s.blocker('blocker'),
    s.awaitStarted('blocker'),
    s.run('first', { plan: s.works(3_000) }),
    s.run('low', { plan: s.works(3_000), policy: { lowPriority: true } }),
    s.run('last', { plan: s.works(3_000) }),
    s.status(['first', 'low', 'last'], { at: s.wait(500) }),
    s.cancel('blocker', { at: s.wait(5_000) }),
    ['first', 'low', 'last'].map((job) =>
      s.lane(
        job,
        s.awaitStarted(job, { at: s.after('blocker', 'cancelled').plus(1) }),
        s.awaitEnded(job, 3_000, 100),
      ),
    ),
  ],
});
