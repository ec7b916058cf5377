import { scenario } from '../../src/scenario/index.js';

export default scenario({
  title: 'a job of low priority runs on a free worker, whatever other workers do',
  exercises: ['2.2/low-priority-job-runs', '1/free-worker-takes-job'],
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
    ['normal', 'low', 'low too'].map((job) => s.cancel(job)),
  ],
});
