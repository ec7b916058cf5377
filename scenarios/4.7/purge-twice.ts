import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a second purge finds nothing to remove',
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  exclusive: true,
  draw: (arb) => ({ waiting: arb.integer(0, 5) }),
  script: ({ waiting }, s) => [
    s.blocker('blocker'),
    s.awaitStarted('blocker'),
    Array.from({ length: waiting }, (_, i) => s.run(`waiting-${i}`, { plan: s.works(100) })),
    s.purge(),
    s.purge(),
    s.health(),
    s.cancel('blocker', { at: s.wait(1_000) }),
  ],
});
