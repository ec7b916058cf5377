import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a purge does not count jobs that had been cancelled',
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  exclusive: true,
  script: (_, s) => [
    s.blocker('blocker'),
    s.awaitStarted('blocker'),
    s.run('one'),
    s.run('two'),
    s.run('three'),
    s.cancel('two'),
    s.purge(),
    s.health(),
    s.cancel('blocker', { at: s.wait(1_000) }),
  ],
});
