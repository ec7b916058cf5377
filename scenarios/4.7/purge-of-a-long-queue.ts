import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a purge removes all jobs of a long queue',
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  exclusive: true,
  draw: (arb) => ({ jobs: arb.integer(105, 140) }),
  script: ({ jobs }, s, { marginMs }) => [
    s.blocker('blocker'),
    s.awaitStarted('blocker'),
    s.run('first', { plan: s.works(100) }),
    s.burst('run', jobs - 2, { plan: s.works(100) }),
    s.run('last', { plan: s.works(100) }),
    s.health({ at: s.wait(marginMs) }),
    s.status('first'),
    s.status('last'),
    s.purge(),
    s.health(),
    s.status('first'),
    s.status('last'),
    s.cancel('blocker'),
    s.health({ at: s.wait(65_000) }),
  ],
});
