import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'what the record of a job contains that was cancelled before it ran',
  needs: ['scripted-worker', 'worker-count-known'],
  exclusive: true,
  script: (_, s) => [
    s.blocker('blocker'),
    s.awaitStarted('blocker'),
    s.run('job', { plan: s.works(100) }),
    s.status('job'),
    s.status('job', { at: s.wait(4_000) }),
    s.cancel('job'),
    s.status('job'),
    s.status('blocker'),
    s.cancel('blocker'),
  ],
});
