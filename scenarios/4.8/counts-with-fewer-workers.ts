import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'counts are not negative when workers are taken away while their jobs run',
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  exclusive: true,
  workers: 3,
  script: (_, s, { marginMs }) => [
    s.blocker(['a', 'b', 'c']),
    s.awaitStarted(['a', 'b', 'c']),
    s.workers(1),
    s.health({ at: s.wait(marginMs) }),
    s.cancel('a'),
    s.health({ at: s.wait(marginMs) }),
    s.cancel(['b', 'c']),
    s.health({ at: s.wait(marginMs) }),
  ],
});
