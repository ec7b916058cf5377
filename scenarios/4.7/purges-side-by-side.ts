import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'no job is removed by two concurrent purges',
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  exclusive: true,
  script: (_, s) => [
    s.blocker('blocker'),
    s.awaitStarted('blocker'),
    Array.from({ length: 6 }, (__, i) => s.run(`waiting-${i}`, { plan: s.works(100) })),
    s.burst('purge-queue', 2),
    s.health(),
    s.cancel('blocker', { at: s.wait(1_000) }),
    s.health({ at: s.wait(1_000) }),
  ],
});
