import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'workers are counted as running while they have a job and as idle otherwise',
  needs: ['scripted-worker', 'worker-count-known', 'dedicated'],
  workers: 3,
  exclusive: true,
  script: (_, s, { marginMs }) => [
    s.health(),
    s.blocker('a'),
    s.awaitStarted('a'),
    s.health({ at: s.wait(marginMs) }),
    s.status('a'),
    // By then all of them certainly have a job: none is idle, whatever "idle" means.
    ['b', 'c'].map((job) => [s.blocker(job), s.awaitStarted(job), s.health({ at: s.wait(marginMs) })]),
    s.blocker('d'),
    s.health({ at: s.wait(marginMs) }),
    ['a', 'b', 'c', 'd'].map((job) => [s.cancel(job), s.health({ at: s.wait(marginMs) })]),
  ],
});
