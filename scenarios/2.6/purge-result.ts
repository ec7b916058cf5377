import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a purge reports how many waiting jobs it removed, running ones not included',
  exercises: [
    '2.6/removed-integer',
    '2.6/removed-counts-queued',
    '2.6/status-completed',
    '4/operation-purge-queue',
    '1/json-body-purge-queue',
    '1/json-content-type-purge-queue',
    '5/key-accepted-purge-queue',
  ],
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
