import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'counts are not negative when workers are taken away while their jobs run',
  exercises: ['4.8/counts-in-progress'],
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  exclusive: true,
  workers: 3,
  script: (_, s, { marginMs }) => [
    ['a', 'b', 'c'].map((job) => s.blocker(job)),
    ['a', 'b', 'c'].map((job) => s.awaitStarted(job)),
    s.workers(1),
    s.health({ at: s.wait(marginMs) }),
    s.cancel('a'),
    s.health({ at: s.wait(marginMs) }),
    ['b', 'c'].map((job) => s.cancel(job)),
    s.health({ at: s.wait(marginMs) }),
  ],
});
