import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a purge reports how many waiting jobs it removed, running ones not included',
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  workers: 2,
  exclusive: true,
  draw: (arb) => ({ waiting: arb.integer(1, 12) }),
  script: ({ waiting }, s) => [
    s.blocker('first'),
    s.blocker('second'),
    s.awaitStarted('first'),
    s.awaitStarted('second'),
    Array.from({ length: waiting }, (_, i) => s.run(`waiting-${i}`, { plan: s.works(100) })),
    s.health(),
    s.purge(),
    s.health(),
    s.cancel('first'),
    s.cancel('second'),
  ],
});
