import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a job that waits has no chunks yet, and loses none of those to come',
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  script: (_, s) => [
    s.blocker('blocker'),
    s.awaitStarted('blocker'),
    s.run('job', { plan: [{ stream: 1 }, { stream: 2 }, { return: 'end' }] }),
    s.stream('job'),
    s.status('job'),
    s.cancel('blocker'),
    s.await('job'),
    s.stream('job'),
  ],
});
