import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a job of low priority runs on a free worker, whatever other workers do',
  needs: ['scripted-worker', 'worker-count-known'],
  workers: 3,
  exclusive: true,
  script: (_, s) => [
    s.blocker('normal'),
    s.awaitStarted('normal'),
    ['low', 'low too'].map((job) => [
      s.blocker(job, { policy: { ...s.noTimeouts, lowPriority: true } }),
      s.awaitStarted(job),
      s.status(job),
    ]),
    s.cancel(['normal', 'low', 'low too']),
  ],
});
