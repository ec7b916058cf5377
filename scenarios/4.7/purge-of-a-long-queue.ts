import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a purge removes all jobs of a long queue',
  exercises: ['4.7/removes-all-waiting', '2.6/removed-counts-queued', '4.8/counts-in-queue'],
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  exclusive: true,
  draw: (arb) => ({ jobs: arb.integer(105, 140) }),
  script: ({ jobs }, s) => [
    s.blocker('blocker'),
    s.awaitStarted('blocker'),
    Array.from({ length: jobs }, (_, i) => s.run(`job-${i}`, { plan: s.works(100) })),
    s.health(),
    s.purge(),
    s.health(),
    s.status('job-0'),
    s.status(`job-${jobs - 1}`),
    s.cancel('blocker'),
    s.health({ at: s.wait(65_000) }),
  ],
});
